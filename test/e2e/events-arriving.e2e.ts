/** @module-tag slow */
import { expect, test } from 'vitest';
import { editAudio } from '#domain/catalogue/editing/editing.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { modalOf, registered, visitorOf } from '../support/accounts.ts';
import { desktop, hydrated, mobile, useBrowser } from '../support/browser/browser.ts';
import { createAudio, createSession, createVoice } from '../support/factories.ts';
import { inWords, listenToEvents } from '../support/browser/listen-to-events.ts';
import { startWholeSite } from '../support/whole-site.ts';

const site = await startWholeSite();
const browser = useBrowser({ images: false });
const { db } = site;
const voice = await createVoice(db, { name: 'Maren' });
const audio = await createAudio(db, { title: 'Bright', voiceId: voice.id, isFree: true });
const renamed = await createAudio(db, { title: 'Before', voiceId: voice.id });
await editAudio(db, renamed.id, { slug: 'called-now' });
const listener = await registered(site);
const subscriber = await registered(site);
await giveMonths(db, subscriber.id, 3);

const links = ['/', `/audio/${audio.slug}?t=9`, `/creators/${voice.slug}?via=share`];
const others = ['', 'promoCode=SPRING', 'utm_source=facebook', 'promoCode=SPRING&utm_source=instagram', 'utm_source=x'];
const addresses = links.flatMap((link) =>
  others.flatMap((other) =>
    ['', 'standalone'].map((alone) => {
      const query = [other, alone].filter((part) => part !== '').join('&');
      return { link, other, alone, path: query === '' ? link : `${link}${link.includes('?') ? '&' : '?'}${query}` };
    }),
  ),
);

test.each(['logged out', 'logged in', 'subscribed'] as const)(
  'the first page for a viewer who is %s is complete, and standalone on request',
  async (who) => {
    const person = who === 'logged in' ? listener : who === 'subscribed' ? subscriber : undefined;
    const token = person === undefined ? undefined : (await createSession(db, person.id)).token;
    for (const { path, alone } of addresses) {
      const response = await fetch(site.url + path, {
        headers: token === undefined ? {} : { cookie: `sotto_session=${token}` },
      });
      const html = await response.text();
      const parts = {
        status: response.status,
        header: html.includes('data-site-header'),
        player: html.includes('aria-label="Player"'),
        footer: html.includes('<footer'),
        terms: html.includes('href="/terms"'),
        account: html.includes('aria-label="Account menu"'),
      };
      const isWhole = alone === '';
      expect([path, parts]).toEqual([
        path,
        {
          status: 200,
          header: isWhole,
          player: isWhole,
          footer: true,
          terms: isWhole,
          account: isWhole && person !== undefined,
        },
      ]);
      expect(html).toContain(`<link rel="canonical" href="${site.url}${new URL(path, site.url).pathname}"/>`);
    }
  },
);

test('a link to the slug that an audio had before leads to its page for good, with its query', async () => {
  const { status, headers } = await fetch(`${site.url}/audio/${renamed.slug}?t=9`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([301, '/audio/called-now?t=9']);
  expect((await fetch(`${site.url}/audio/called-now?t=9`, { redirect: 'manual' })).status).toBe(200);
});

test.each([
  [`/audio/${audio.slug}?t=9&promoCode=SPRING`, 'Create your account', 'audio_dynamic_link'],
  [`/audio/${audio.slug}?t=9&utm_source=facebook`, 'Every voice, every night', 'audio_dynamic_link'],
  [
    `/creators/${voice.slug}?via=share&utm_source=instagram&promoCode=SPRING&standalone`,
    'Every voice, every night',
    'voice_dynamic_link',
  ],
  [`/creators/${voice.slug}?via=share&utm_source=x&standalone`, undefined, 'voice_dynamic_link'],
])('%s: what a visitor meets, and by what it was met', async (path, heading, source) => {
  const { page, quiet } = await browser.open('/about', visitorOf(site, path.includes('standalone') ? mobile : desktop));
  const events = listenToEvents(page);
  await events.since();
  const refused = path.includes('promoCode')
    ? page.waitForResponse((response) => response.status() === 400).then(() => true)
    : undefined;
  await page.goto(path);
  await hydrated(page);
  if (heading !== undefined) await modalOf(page).getByRole('heading', { name: heading }).waitFor();
  const seen: string[] = [];
  await expect
    .poll(async () => seen.push(...(await events.since()).map(inWords)) && seen[0])
    .toMatch(new RegExp(`^screen_viewed ${source} `));
  if (heading === undefined) expect(await modalOf(page).count()).toBe(0);
  // The sign-up window requests the price with the code, which does not exist.
  await refused;
  await quiet(
    refused
      ? [
          'Failed to load resource: the server responded with a status of 400 (Bad Request) /v1/api/subscription/preview',
        ]
      : undefined,
  );
});
