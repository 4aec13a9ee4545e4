import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#domain/identity/accounts.ts';
import { sharedSourceOf } from '../analytics/shared-link.ts';
import { arrivalOf } from '../listening/arrival.ts';
import { createAuthFlow } from './auth-flow.ts';
import { tabMemory } from './tab-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** All combinations of the query parameters of an address. */
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

async function arrive(viewer: (typeof viewers)[number], search: string, before = { isKept: false, isNewVisit: true }) {
  const paidLink = tabMemory('sotto.paid-link');
  if (before.isKept) paidLink.keep('1');
  const isSubscribed = viewer === 'subscribed';
  const user = { id: 'ada', username: 'ada', isSubscribed, subIsWeb: isSubscribed } as Me;
  const authFlow = createAuthFlow({
    calls: {
      logIn: async () => ({ ok: true, data: { token: 't', user, isNewAccount: false } }),
      exchange: async () => ({ ok: true, data: { user } }),
      restore: async () => ({ ok: false as const, code: 'x', message: 'x', status: 401 }),
      logOut: async () => ({ ok: true }),
      signOutOfProvider: async () => undefined,
    },
    paidLink,
  });
  authFlow.setUser(viewer === 'logged out' ? null : user);
  if (viewer !== 'logged out') await authFlow.session.logIn('id-token');
  authFlow.arrive(search, before.isNewVisit);
  const { modal } = authFlow.modals.getState();
  // A log-in elsewhere on the page, or Back within it, brings the address again.
  authFlow.close();
  authFlow.arrive(search, before.isNewVisit);
  const isAgain = authFlow.modals.getState().modal === 'subscribe';
  return { modal, isRemembered: paidLink.read() !== undefined, isAgain };
}

test.each([
  ['another advertisement', true, 'subscribe'],
  ['a reload', false, undefined],
] as const)('after a dismissed banner, %s in the same tab opens it: %s', async (_, isNewVisit, modal) => {
  const second = await arrive('logged out', '?utm_source=instagram', { isKept: true, isNewVisit });
  expect(second).toEqual({ modal, isRemembered: true, isAgain: false });
});

test.each(viewers)('a viewer who is %s gets the modal that the address asks for, in every combination', async (who) => {
  const own = arrivals.filter(({ viewer }) => viewer === who);
  expect(own).toHaveLength(180);
  for (const { viewer, pathname, shared, promo, source, search } of own) {
    const isPaid = /facebook|instagram/.test(source);
    const hasCode = promo === 'promoCode=SPRING';
    // Spec §2, “Query parameters”, and §6: both apply to visitors only; the paid link’s modal comes first.
    const modal = viewer !== 'logged out' ? undefined : isPaid ? 'subscribe' : hasCode ? 'sign-up' : undefined;
    expect([search, await arrive(viewer, search)]).toEqual([
      search,
      { modal, isRemembered: viewer === 'logged out' && isPaid, isAgain: false },
    ]);
    // The shared time is read whatever other parameters there are, and for all viewers.
    const isAudio = pathname.startsWith('/audio/');
    expect(arrivalOf({ pathname, search })?.seconds).toBe(shared.includes('t=95') ? 95 : undefined);
    expect(sharedSourceOf({ pathname, search })).toBe(
      shared === '' ? undefined : isAudio ? 'audio_dynamic_link' : 'voice_dynamic_link',
    );
  }
});
