/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { silent } from '../../support/browser-calls.ts';
import { desktop, hydrated, sound, useBrowser } from '../../support/browser/browser.ts';
import { chooseDownload, keep, openList, rowOf } from '../../support/browser/downloads.ts';
import { useForwardProxy } from '../../support/servers/forward-proxy.ts';
import { bar, call, newListener, nowPlaying, openAs, playing } from '../../support/listener.ts';

const browser = useBrowser();
const proxies = useForwardProxy();
/** A busy machine plays in real time, but does everything else slowly. */
const patience = 180_000;
const [title, slug] = ['Bright Star', 'bright-star'];
const others = ['How Do I Love Thee? Let Me Count the Ways', 'Wild Nights'] as const;
const everything = /./;

async function openProxy() {
  const proxy = await proxies.open();
  return { proxy, options: { ...desktop, proxy: { server: proxy.server } } };
}

/** Milliseconds from the beginning of the navigation until something is on screen. */
async function seenAfter(page: Page): Promise<number> {
  const paint = () =>
    page.evaluate(() => performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime));
  await expect.poll(paint).toHaveLength(1);
  return (await paint())[0] ?? Number.NaN;
}

test(
  `${silent('a page or an audio’s data, while downloads have a stored one')} leads to the stored page after four seconds: at the start, by address, and by a link`,
  { timeout: patience },
  async () => {
    const { proxy, options } = await openProxy();
    const { page } = await openList(browser, options);
    await keep(page, [title]);
    const files = () =>
      page.evaluate(async () => (await (await caches.open('kept')).keys()).map(({ url }) => url.replace(/.*\//, '')));
    await expect.poll(files).toContain('page');
    const play = (tab: Page) => rowOf(tab, title).getByRole('button', { name: `Play ${title}` });
    await page.reload();
    await play(page).waitFor();
    proxy.hang(everything);

    const heading = page.getByRole('heading', { level: 1, name: title });
    const began = performance.now();
    // Without the pointer, whose coming loads the page early.
    await rowOf(page, title)
      .getByRole('link', { name: title })
      .evaluate((link: HTMLElement) => link.click());
    await heading.waitFor();
    const byLink = performance.now() - began;
    expect(new URL(page.url()).pathname).toBe(`/audio/${slug}`);

    // Closed, as after days: the worker begins anew too.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('ServiceWorker.enable');
    await devtools.send('ServiceWorker.stopAllWorkers');
    const app = await page.context().newPage();
    await page.close();
    // Pictures of the site hang too, and the browser waits for them with the end of loading.
    await app.goto('/', { waitUntil: 'commit' });
    await play(app).waitFor();
    expect(new URL(app.url()).pathname).toBe('/library/downloads');
    const atStart = await seenAfter(app);
    await app.goto(`/audio/${slug}`, { waitUntil: 'commit' });
    await app.getByRole('heading', { level: 1, name: title }).waitFor();
    const byAddress = await seenAfter(app);
    await app.goto('/blog#end', { waitUntil: 'commit' });
    await play(app).waitFor();
    const byFragment = await seenAfter(app);
    for (const took of [byLink, atStart, byAddress, byFragment]) {
      expect(took).toBeGreaterThan(3500);
      expect(took).toBeLessThan(5000);
    }
    await play(app).click();
    await playing(app, 1);
  },
);

test(
  'a storage that hangs while the site answers is no longer silent than eight seconds, and then plays on',
  { timeout: patience },
  async () => {
    const { proxy, options } = await openProxy();
    const { page } = await browser.open('/playlists/start-here', options);
    // The site itself answers the player's question for one byte.
    proxy.hang(/^\/media\/\S+ bytes=(?!0-0$)/);
    const silence = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          window.addEventListener('click', ({ timeStamp }) => {
            const seen = new MutationObserver(() => {
              if (document.querySelector('.player')?.textContent?.includes('Connection lost. Trying again…'))
                resolve(performance.now() - timeStamp);
            });
            seen.observe(document.body, { subtree: true, childList: true, characterData: true });
          });
        }),
    );
    await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
    expect(await silence).toBeLessThan(8000);
    proxy.hang(undefined);
    await playing(page);
  },
);

test(
  'on a network without byte ranges the place is kept: by a jump, after a reload, and by another audio and back',
  { timeout: patience },
  async () => {
    const { proxy, options } = await openProxy();
    proxy.withoutRanges(true);
    const { page } = await openAs(browser, await newListener(), '/playlists/start-here', {
      ...options,
      isFirstVisit: true,
    });
    const placesAtSite = async () => {
      const { data } = await call(page, 'GET', '/history/me');
      return Object.values((data as { currentlyListening: Record<string, number> }).currentlyListening);
    };
    const press = (name: string) => bar(page).getByRole('button', { name, exact: true }).click();
    const row = page.locator('main li.row').filter({ hasText: title });
    await row.getByRole('button', { name: /^Play/ }).first().click();
    await playing(page);
    await press('Forward 15 seconds');
    await page.getByText('Your network does not allow jumping within an audio.').first().waitFor();
    await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(15);
    // A file that is loaded whole jumps at once: sooner than by playing.
    await press('Forward 15 seconds');
    await expect.poll(async () => (await sound(page)).time, { timeout: 10_000 }).toBeGreaterThan(30);
    await press('Pause');
    await expect.poll(placesAtSite).toEqual([expect.closeTo((await sound(page)).time, 0)]);
    const { time } = await sound(page);

    await page.reload();
    await hydrated(page);
    await press('Resume');
    await playing(page, time);
    expect(await placesAtSite()).toEqual([expect.toSatisfy((place: number) => place > time - 1)]);
    const { time: left } = await sound(page);
    await press('Next');
    await expect.poll(() => nowPlaying(page)).not.toBe(title);
    await playing(page, 1);
    await row
      .getByRole('button', { name: /^Resume/ })
      .first()
      .click();
    await expect.poll(() => nowPlaying(page)).toBe(title);
    await playing(page, left);
  },
);

test(
  'a download that failed for its network is tried again after the next success, when online again, and when the app opens',
  { timeout: patience },
  async () => {
    const { page } = await openList(browser);
    let isBroken = true;
    await page
      .context()
      .route(/\/media\/.*\?download/, (route) => (isBroken ? route.abort('connectionreset') : route.fallback()));
    await page.clock.install();
    /** Downloads until all attempts have failed, while other calls succeed. */
    async function fail(name: string): Promise<void> {
      isBroken = true;
      await page.goto('/playlists/start-here');
      await hydrated(page);
      await chooseDownload(page, name);
      await page.goto('/library/downloads');
      const again = rowOf(page, name).getByRole('button', { name: `Continue download of ${name}` });
      await expect
        .poll(async () => {
          await page.clock.fastForward(2500);
          return again.isVisible();
        })
        .toBe(true);
      isBroken = false;
    }
    const isThere = (name: string) =>
      rowOf(page, name)
        .getByRole('button', { name: `Play ${name}` })
        .waitFor();

    await fail(title);
    await page.clock.fastForward('01:01');
    expect((await call(page, 'GET', '/user/me')).status).toBe(200);
    await isThere(title);

    await fail(others[0]);
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await isThere(others[0]);

    await fail(others[1]);
    await page.reload();
    await isThere(others[1]);
  },
);
