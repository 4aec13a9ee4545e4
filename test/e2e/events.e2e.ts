/** @module-tag slow */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openAccount } from '../support/browser/account-page.ts';
import { registered, visitorOf } from '../support/accounts.ts';
import { desktop, hydrated, sound, useBrowser, workerInCharge } from '../support/browser/browser.ts';
import { newListener, openAs } from '../support/listener.ts';
import { inWords, listenToEvents } from '../support/browser/listen-to-events.ts';
import { startWholeSite } from '../support/whole-site.ts';
import { analyticsEvents } from '#domain/analytics/tables.ts';

const browser = useBrowser({ images: false });
const free = '/audio/bright-star';

const bar = (page: Page) => page.getByRole('region', { name: 'Player' });
const plays = (page: Page) => expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0.2);

/**
 * The events, as text, sent during an action.
 * @param atLeast number to wait for: React may still be working when the result is visible
 */
async function during(
  events: ReturnType<typeof listenToEvents>,
  act: () => Promise<unknown>,
  atLeast = 1,
): Promise<string[]> {
  await events.since();
  await act();
  const names: string[] = [];
  const hear = async () => names.push(...(await events.since()).map(inWords));
  await expect.poll(hear).toBeGreaterThanOrEqual(atLeast);
  await hear();
  return names;
}

test('a walk through the site tells each thing once, where it was met, and nothing else', async () => {
  const { page, quiet } = await browser.open('/about');
  const events = listenToEvents(page);
  const main = page.locator('main');
  const go = async (path: string) => {
    await page.goto(path);
    await hydrated(page);
  };
  const arrived = async (path: string) => {
    await page.waitForURL((url) => url.pathname.startsWith(path));
    await page.locator('main:not([data-leaving])').waitFor();
  };
  const nav = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

  expect(await during(events, () => go('/'))).toEqual(['screen_viewed home']);
  const preview = async () => {
    await main.getByRole('button', { name: /^Play the preview/ }).click();
    await plays(page);
    await bar(page).getByRole('button', { name: 'Pause' }).click();
  };
  const previewed = await during(events, preview, 4);
  expect([...previewed.slice(0, 3), previewed.at(-1)]).toEqual([
    'play_click preview',
    'audio_played preview',
    'voice_played preview',
    'pause_click preview',
  ]);

  const card = async (selector: string, path: string) => {
    await main.locator(selector).first().click();
    await arrived(path);
  };
  const walk: [string, () => Promise<unknown>, string[]][] = [
    [
      'an audio of the front page',
      () => card('.card[href^="/audio/"], .card a[href^="/audio/"]', '/audio/'),
      ['audio_click homepage', 'screen_viewed audio'],
    ],
    [
      'Categories',
      () =>
        nav('Categories')
          .click()
          .then(() => arrived('/categories')),
      ['global_categories_click', 'screen_viewed categories'],
    ],
    [
      'a category',
      () => card('a[href^="/categories/"]', '/categories/'),
      ['category_click categories', 'screen_viewed category'],
    ],
    ['an audio of a category', () => card('.row__title', '/audio/'), ['audio_click category', 'screen_viewed audio']],
    [
      'Creators',
      () =>
        nav('Creators')
          .click()
          .then(() => arrived('/creators')),
      ['global_voices_click', 'screen_viewed creators'],
    ],
    ['a voice', () => card('a[href^="/creators/"]', '/creators/'), ['voice_click voices', 'screen_viewed creator']],
    ['an audio of a voice', () => card('.row__title', '/audio/'), ['audio_click voice_profile', 'screen_viewed audio']],
    ['its voice', () => card('.detail-head__by', '/creators/'), ['voice_click audio_details', 'screen_viewed creator']],
    [
      'Library',
      () =>
        nav('Library')
          .click()
          .then(() => arrived('/library')),
      ['global_favorites_click', 'screen_viewed library'],
    ],
    [
      'About',
      () =>
        nav('About')
          .click()
          .then(() => arrived('/about')),
      ['global_about_click', 'screen_viewed about'],
    ],
  ];
  for (const [what, act, expected] of walk)
    expect([what, await during(events, act, expected.length)]).toEqual([what, expected]);

  expect(await during(events, () => go('/playlists'))).toEqual(['screen_viewed playlists']);
  expect(await during(events, () => card('a[href^="/playlists/"]', '/playlists/'), 2)).toEqual([
    'playlist_click playlists',
    'screen_viewed playlist',
  ]);
  expect(await during(events, () => go('/users-playlists'))).toEqual(['screen_viewed user-playlists']);
  for (const [selector, path, expected] of [
    [
      'a[href^="/users-playlists/"]',
      '/users-playlists/',
      ['user_playlist_click playlists', 'screen_viewed user-playlist'],
    ],
    ['a[href^="/account/"]', '/account/', ['screen_viewed user']],
    [
      'a[href^="/users-playlists/"]',
      '/users-playlists/',
      ['user_playlist_click userProfile', 'screen_viewed user-playlist'],
    ],
    ['.row__title', '/audio/', ['audio_click userPlaylist', 'screen_viewed audio']],
  ] as const)
    expect(await during(events, () => card(selector, path), expected.length)).toEqual(expected);
  expect(await during(events, () => go('/series/sleep-by-degrees'))).toEqual(['screen_viewed series']);
  expect(await during(events, () => card('.row__title', '/audio/'), 2)).toEqual([
    'audio_click series',
    'screen_viewed audio',
  ]);
  expect(await during(events, () => go('/blog/why-a-low-voice'))).toEqual(['screen_viewed article']);
  expect(await during(events, () => card('aside a', '/audio/'), 2)).toEqual([
    'audio_click blog',
    'screen_viewed audio',
  ]);
  await quiet();
});

test('player events carry the list that it plays from', async () => {
  const { page, quiet } = await openAs(browser, await newListener(), free);
  const events = listenToEvents(page);
  const press = (name: string) => bar(page).getByRole('button', { name }).click();
  const start = async () => {
    await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
    await plays(page);
  };
  // The page view may be sent before or after the listener is added.
  const started = (await during(events, start, 5)).filter((words) => !words.startsWith('screen_viewed'));
  expect(started.slice(0, 3)).toEqual([
    'play_click audio_details',
    'audio_played audio_details',
    'voice_played audio_details',
  ]);
  expect(started.slice(3).length).toBeGreaterThan(0);
  expect(new Set(started.slice(3))).toEqual(new Set(['category_played audio_details']));

  expect(await during(events, () => press('Forward 15 seconds'))).toEqual(['seek_15s_forward audio_details']);
  expect(await during(events, () => press('Back 15 seconds'))).toEqual(['seek_15s_back audio_details']);
  expect(await during(events, () => bar(page).getByRole('slider', { name: 'Position' }).press('PageUp'))).toEqual([
    'seek_to_position audio_details',
  ]);
  expect(await during(events, () => press('Pause'))).toEqual(['pause_click audio_details']);
  expect(
    await during(events, () =>
      page
        .locator('main')
        .getByRole('button', { name: /^Favorite/ })
        .first()
        .click(),
    ),
  ).toEqual(['favorite_click audio_details']);
  expect((await during(events, () => press('Copy'))).at(-1)).toBe('share_audio audio_details');
  // Sharing through the phone's own sheet sends the event once, with `via=share` in the URL; closing it sends none.
  const shareBy = async (window: 'done' | 'closed') => {
    await page.evaluate((end) => {
      const share = async ({ url }: ShareData) => {
        if (end === 'closed') throw new DOMException('', 'AbortError');
        document.body.dataset['shared'] = url;
      };
      Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    }, window);
    await page.locator('main').getByRole('button', { name: 'Copy link' }).first().click();
  };
  const shares = async () => {
    await shareBy('closed');
    await shareBy('done');
  };
  expect(await during(events, shares)).toEqual(['share_audio audio_details']);
  expect(await page.locator('body').getAttribute('data-shared')).toMatch(/\/audio\/bright-star\?via=share$/);
  const heart = () =>
    page
      .locator('main')
      .getByRole('button', { name: /^Unfavorite/ })
      .first()
      .click();
  expect(await during(events, heart)).toEqual(['unfavorite_click audio_details']);

  await page.goto('/playlists/start-here');
  await hydrated(page);
  await start();
  expect((await during(events, () => press('Next')))[0]).toBe('play_next playlist');
  expect((await during(events, () => press('Previous')))[0]).toBe('play_previous playlist');
  await press('Pause');
  const details = () => bar(page).getByRole('link', { name: 'See Audio Details' }).click();
  expect((await during(events, details, 2)).slice(-2)).toEqual(['audio_click playlist', 'screen_viewed audio']);
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('/user/favorite/')),
    page
      .locator('main')
      .getByRole('button', { name: /^Favorite/ })
      .first()
      .click(),
  ]);
  const favorite = async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }).click();
    await page.waitForURL('**/library');
    await page.locator('main .row__title').first().click();
    await page.waitForURL('**/audio/*');
  };
  expect(await during(events, favorite, 4)).toEqual([
    'global_favorites_click',
    'screen_viewed library',
    'audio_click favorites',
    'screen_viewed audio',
  ]);
  await quiet();
});

test('pages opened by a shared link carry its source', async () => {
  const { page, quiet } = await browser.open('/about');
  const events = listenToEvents(page);
  const go = (path: string) => async () => {
    await page.goto(path);
    await hydrated(page);
  };
  expect(await during(events, go(`${free}?t=12`))).toEqual(['screen_viewed audio_dynamic_link audio']);
  expect(await during(events, go('/creators/maren-holt?via=share'))).toEqual([
    'screen_viewed voice_dynamic_link creator',
  ]);
  const names = await during(events, async () => {
    await page
      .locator('main')
      .getByRole('button', { name: /^Play all/ })
      .click();
    await plays(page);
  });
  expect(names[0]).toBe('play_click voice_dynamic_link');
  await quiet();
});

test('no event is sent when the browser asks not to be tracked, and no other site is contacted', async () => {
  const { page, quiet } = await browser.open('/about');
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(page.url()).origin) foreign.push(request.url());
  });
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
  const events = listenToEvents(page);
  await page.goto('/blog');
  await hydrated(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Creators' }).click();
  await page.waitForURL('**/creators');
  expect(await events.since()).toEqual([]);
  expect(foreign).toEqual([]);
  await quiet();
});

test('events carry whose they are from when that is switched on until it is switched off', async () => {
  const site = await startWholeSite();
  const person = await registered(site);
  const page = await openAccount(browser, site, person, desktop, 'analytics');
  const events = listenToEvents(page);
  const owners = async () => {
    await events.since();
    return (await site.db.select().from(analyticsEvents)).map(({ userId }) => userId);
  };
  await expect.poll(async () => new Set(await owners())).toEqual(new Set([null]));
  const figures = page.getByRole('switch', { name: 'Share usage data linked to my account' });
  expect(await figures.getAttribute('aria-checked')).toBe('false');
  await figures.click();
  await expect.poll(() => figures.getAttribute('aria-checked')).toBe('true');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click();
  await page.waitForURL('**/about');
  await expect.poll(owners).toContain(person.id);
  await page.goto('/account/analytics');
  await hydrated(page);
  expect(await figures.getAttribute('aria-checked')).toBe('true');
  await figures.click();
  await expect.poll(() => figures.getAttribute('aria-checked')).toBe('false');
  await expect.poll(async () => new Set(await owners())).toEqual(new Set([null]));

  const visitor = await browser.open('/privacy', visitorOf(site, desktop));
  expect(await visitor.page.locator('main').textContent()).toContain('deleted after 90 days');
  await visitor.quiet();
});

test('reports of a page that is being left arrive, also through a service worker', async () => {
  const site = await startWholeSite();
  const { page } = await browser.open('/about', visitorOf(site, desktop));
  await workerInCharge(page);
  const paths = ['/terms', '/privacy', '/about', '/terms', '/privacy', '/about', '/'];
  for (const path of paths) {
    await page.goto(path);
    await hydrated(page);
  }
  // All but the last page, which is still open.
  await expect.poll(() => site.db.$count(analyticsEvents), { timeout: 3000 }).toBe(paths.length);
});
