import { availableParallelism, loadavg } from 'node:os';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sound, useBrowser } from '../support/browser.ts';
import { newListener, nowPlaying, openAs, playing, pressPlayAll } from '../support/listener.ts';
import type { Listener } from '../support/listener.ts';

const browser = useBrowser();
let listener: Listener;

beforeAll(async () => {
  listener = await newListener();
});

/** Presses Next, or Previous at the end of the list. @returns milliseconds until the other audio sounds */
function change(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const audio = document.querySelector('audio');
    const button =
      document.querySelector<HTMLButtonElement>('button[aria-label="Next"]:not([disabled])') ??
      document.querySelector<HTMLButtonElement>('button[aria-label="Previous"]');
    if (!audio || !button) throw new Error('There is no player');
    const before = audio.src;
    const sounds = Promise.withResolvers<void>();
    audio.addEventListener('playing', () => sounds.resolve(), { once: true });
    const pressed = performance.now();
    button.click();
    // Past three seconds, Previous goes to the beginning first.
    if (audio.src === before) button.click();
    if (audio.src === before) throw new Error('It is the same audio as before');
    await sounds.promise;
    return performance.now() - pressed;
  });
}

test('twenty changes take less than 100 ms at the median', { retry: 2, timeout: 120_000 }, async () => {
  const { page, quiet } = await openAs(browser, listener, '/playlists/start-here');
  await pressPlayAll(page);
  const times: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    times.push(await change(page));
    await playing(page);
  }
  const median = times.toSorted((a, b) => a - b)[10];
  // On a machine that is short of processors the figure says more about its other work.
  expect(median).toBeLessThan(loadavg()[0]! > availableParallelism() ? 1000 : 100);
  await quiet();
});

test('the next audio starts at the end of this one though the connection is away: its beginning is there already', async () => {
  const { page } = await openAs(browser, listener, '/about');
  const files = new Set<string>();
  page.on('response', (response) => {
    if (response.url().includes('/media/audios/')) files.add(response.url());
  });
  await page.goto('/playlists/start-here');
  await pressPlayAll(page);
  const [{ src }, title] = [await sound(page), await nowPlaying(page)];
  // This audio is short: it is there whole at once, and then the next one is asked for.
  await expect.poll(() => [...files].filter((file) => file !== src).length, { timeout: 15_000 }).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.evaluate(() => {
    const audio = document.querySelector('audio');
    if (audio) audio.currentTime = audio.duration - 1;
  });
  await expect.poll(async () => (await sound(page)).src, { timeout: 20_000 }).not.toBe(src);
  await playing(page, 0.5);
  expect(await nowPlaying(page)).not.toBe(title);
});
