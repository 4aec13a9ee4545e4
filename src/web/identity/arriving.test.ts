import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#domain/identity/accounts.ts';
import { sharedSourceOf } from '../insight/shared-link.ts';
import { arrivalOf } from '../listening/arrival.ts';
import { createEntrance } from './entrance.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Everything an address may bring, in every combination. */
const promoCodes = ['', 'promoCode=SPRING', 'promoCode=%20'];
const sources = ['', 'utm_source=facebook', 'utm_source=instagram', 'utm_source=newsletter'];
const standalones = ['', 'standalone', 'standalone=1'];
const links = [
  ['/', ''],
  ['/audio/bright-star', 't=95'],
  ['/audio/bright-star', 't=95&via=share'],
  ['/audio/bright-star', 'via=share'],
  ['/creators/maren-holt', 'via=share'],
] as const;
const viewers = ['logged out', 'logged in', 'subscribed'] as const;

const arrivals = viewers.flatMap((viewer) =>
  links.flatMap(([pathname, shared]) =>
    promoCodes.flatMap((promo) =>
      sources.flatMap((source) =>
        standalones.map((alone) => {
          const query = [promo, source, alone, shared].filter((part) => part !== '').join('&');
          return { viewer, pathname, shared, promo, source, search: query === '' ? '' : `?${query}` };
        }),
      ),
    ),
  ),
);

async function arrive(viewer: (typeof viewers)[number], search: string) {
  let isKept = false;
  const user = { id: 'ada', username: 'ada', isSubscribed: viewer === 'subscribed' } as Me;
  const entrance = createEntrance({
    calls: {
      logIn: async () => ({ ok: true, data: { token: 't', user, isNewAccount: false } }),
      exchange: async () => ({ ok: true, data: { user } }),
      logOut: async () => undefined,
      signOutOfProvider: async () => undefined,
    },
    paidLink: { keep: () => (isKept = true), isKept: () => isKept, forget: () => (isKept = false) },
    onNothingToDo: () => undefined,
  });
  entrance.tellUser(viewer === 'logged out' ? null : user);
  if (viewer !== 'logged out') await entrance.session.logIn('id-token');
  entrance.arrive(search);
  return { modal: entrance.modals.getState().modal, isRemembered: isKept };
}

test.each(viewers)('whoever is %s meets what the address asks for, in every combination', async (who) => {
  const own = arrivals.filter(({ viewer }) => viewer === who);
  expect(own).toHaveLength(180);
  for (const { viewer, pathname, shared, promo, source, search } of own) {
    const isPaid = /facebook|instagram/.test(source);
    const hasCode = promo === 'promoCode=SPRING';
    // Spec §2, "Query parameters", and §6: both are for whoever is logged out; the advertisement's modal comes first.
    const modal = viewer !== 'logged out' ? undefined : isPaid ? 'subscribe' : hasCode ? 'sign-up' : undefined;
    expect([search, await arrive(viewer, search)]).toEqual([
      search,
      { modal, isRemembered: viewer === 'logged out' && isPaid },
    ]);
    // What was shared is found whatever stands beside it, and for everybody.
    const isAudio = pathname.startsWith('/audio/');
    expect(arrivalOf({ pathname, search })?.seconds).toBe(shared.includes('t=95') ? 95 : undefined);
    expect(sharedSourceOf({ pathname, search })).toBe(
      shared === '' ? undefined : isAudio ? 'audio_dynamic_link' : 'voice_dynamic_link',
    );
  }
});
