/** @module-tag slow */
import type { Page } from 'playwright-core';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { logOut } from '../support/accounts.ts';
import { desktop, hydrated, useBrowser, workerInCharge } from '../support/browser/browser.ts';
import { keep } from '../support/browser/downloads.ts';
import { createAudio, createPlaylist, createSession } from '../support/factories.ts';
import { newMember, startLibrarySite } from '../support/library-site.ts';
import { tone, wavOf } from '../support/sound/sounds.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;
let list: string;
const titles = ['Kept', 'Also Here', 'Left There'] as const;

beforeAll(async () => {
  site = await startLibrarySite();
  const file = wavOf(tone(220), { seconds: 2, rate: 8000 });
  const audioIds: string[] = [];
  for (const title of titles) {
    const audio = { title, voiceId: site.voice.id, fileMime: 'audio/wav', fileBytes: file.length, durationMs: 2000 };
    const { id, fileKey } = await createAudio(site.db, audio);
    await site.blobs.write(fileKey, file);
    audioIds.push(id);
  }
  list = `/playlists/${(await createPlaylist(site.db, { audioIds })).slug}`;
});

/** A subscriber's page, with two of the three audios and their pages on the device. */
async function openWithDownloads() {
  const user = await newMember(site);
  await giveMonths(site.db, user.id, 1);
  const { page } = await site.openAs(browser, user, list, { ...desktop, isFirstVisit: true });
  await workerInCharge(page);
  await keep(page, titles.slice(0, 2));
  const pages = () =>
    page.evaluate(async () => (await (await caches.open('kept')).keys()).filter(({ url }) => url.endsWith('/page')));
  await expect.poll(pages).toHaveLength(2);
  return { page, user };
}

/** Address and heading of the page that a visit leads to. */
async function visit(page: Page, path: string): Promise<string[]> {
  await page.goto(path);
  await hydrated(page);
  const { pathname, search } = new URL(page.url());
  return [pathname + search, (await page.locator('main h1').textContent()) ?? ''];
}

/** The answer's text for a request of a page that is no visit; undefined without an answer. */
const ask = (page: Page, path: string, method = 'GET') =>
  page.evaluate(
    ([address, method]) =>
      fetch(address, { method }).then(
        (answer) => answer.text(),
        () => undefined,
      ),
    [path, method] as const,
  );

test('without a connection each audio leads to its own page, another address to the list, and what is no page to nothing', async () => {
  const { page } = await openWithDownloads();
  await page.context().setOffline(true);
  const listOf = (wanted: string) => `/library/downloads?${new URLSearchParams({ wanted })}`;
  expect(await visit(page, '/audio/kept')).toEqual(['/audio/kept', 'Kept']);
  expect(await visit(page, '/audio/also-here?t=1&utm_source=mail')).toEqual([
    '/audio/also-here?t=1&utm_source=mail',
    'Also Here',
  ]);
  expect(await visit(page, '/audio/left-there')).toEqual([listOf('/audio/left-there'), 'Library']);
  expect(await visit(page, '/blog?page=2')).toEqual([listOf('/blog?page=2'), 'Library']);
  expect(await visit(page, '/library/downloads?from=home')).toEqual(['/library/downloads?from=home', 'Library']);
  await expect.poll(() => page.locator('.download__row').count()).toBe(2);

  const data = await ask(page, '/audio/also-here.data');
  expect(data).toContain('Also Here');
  expect(data).not.toBe(await ask(page, '/audio/kept.data?_routes=routes%2Faudio'));
  for (const path of ['/audio/left-there.data', '/library/downloads.data', '/audio/kept', '/v1/api/user/me'])
    expect([path, await ask(page, path)]).toEqual([path, undefined]);
  expect(await ask(page, '/audio/kept.data', 'POST')).toBeUndefined();
  await expect(page.goto('/robots.txt')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
});

test('while the site answers, its own page is shown, also where one is stored', async () => {
  const { page } = await openWithDownloads();
  const slug = 'kept';
  await page.context().setOffline(true);
  expect(await visit(page, '/blog')).toEqual(['/library/downloads?wanted=%2Fblog', 'Library']);
  await page.context().setOffline(false);
  expect(await visit(page, '/blog')).toEqual(['/blog', 'Blog']);
  await site.db.update(audios).set({ title: 'Kept and Renamed' }).where(eq(audios.slug, slug));
  try {
    await expect.poll(() => visit(page, `/audio/${slug}`)).toEqual([`/audio/${slug}`, 'Kept and Renamed']);
    expect(await ask(page, `/audio/${slug}.data`)).toContain('Kept and Renamed');
  } finally {
    await site.db.update(audios).set({ title: 'Kept' }).where(eq(audios.slug, slug));
  }
});

test('after a log-out, and for another user of the browser, nothing of the former user is shown', async () => {
  const offline = 'No internet connection';
  const everywhere = ['/', '/library/downloads', '/audio/kept'];
  async function expectNothing(page: Page): Promise<void> {
    await page.context().setOffline(true);
    for (const path of everywhere) expect(await visit(page, path)).toEqual([path, offline]);
    await page.context().setOffline(false);
  }
  const { page } = await openWithDownloads();
  await logOut(page);
  await expectNothing(page);

  const { page: shared } = await openWithDownloads();
  const next = await newMember(site);
  const { token } = await createSession(site.db, next.id, 'A browser of before');
  await shared.context().addCookies([{ name: 'sotto_session', value: token, url: site.url }]);
  await shared.evaluate((kept) => localStorage.setItem('sotto.session', JSON.stringify(kept)), {
    token,
    lastUpdated: Date.now(),
    userId: next.id,
  });
  await shared.goto('/about');
  await expect.poll(() => shared.evaluate(() => caches.has('kept'))).toBe(false);
  await expectNothing(shared);
});
