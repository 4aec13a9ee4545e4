import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, chromium } from 'playwright-core';
import { findBrowser } from '../scripts/browser.mjs';
import { type Figure, atMost, median, quantile } from './figures.ts';
import { pressToSound } from './press-to-sound.ts';

const subscriber = { email: 'subscriber@sotto.example', password: 'subscriber' };
/** Played from the device. The large playlist contains none of these audios. */
const playedList = '/playlists/one-voice-one-candle';
const largeList = '/playlists/start-here';
/** Total bytes of the audios of the large playlist. */
const total = 1_000_000_000;

/** A gigabyte on the device: frame rate of the page while it downloads, and the start time of a downloaded audio. */
export async function benchOffline(siteUrl: string): Promise<Figure[]> {
  const profile = await mkdtemp(join(tmpdir(), 'sotto-bench-profile-'));
  // A profile on disk, because other contexts of Chromium keep their caches in memory.
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findBrowser(),
    args: ['--mute-audio', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    baseURL: siteUrl,
    viewport: { width: 1440, height: 900 },
  });
  try {
    const page = await context.newPage();
    await page.goto(playedList);
    // Before hydration, the link loads a document.
    await page.waitForFunction(() =>
      [document.body, document.body.firstElementChild ?? document.body].some((element) =>
        Object.keys(element).some((key) => key.startsWith('__react')),
      ),
    );
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('dialog').getByLabel('Email').fill(subscriber.email);
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(subscriber.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const played = await rows(page).count();
    await downloadAll(page);
    await allKept(page, played);
    await page.goto(largeList);
    const large = await rows(page).count();
    await makeLarge(page, Math.ceil(total / large));
    await page.reload();
    const idle = await frames(page, 3000);
    await downloadAll(page);
    const busy = await frames(page, 5000);
    await allKept(page, played + large);
    const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
    if (usage < total) throw new Error(`The device keeps ${usage} bytes only`);
    const whole = await frames(page, 3000);
    await context.setOffline(true);
    const starts: number[] = [];
    for (let row = 0; row < played; row += 1) {
      await page.reload();
      await page.waitForLoadState('networkidle');
      starts.push(await pressToSound(page, kept(page).nth(row)));
    }
    return [
      atMost('1 GB arrives: frame gap, 95th percentile, above that of the idle page', busy - idle, 17, 'ms'),
      atMost('1 GB kept: frame gap, 95th percentile, above that of the idle page', whole - idle, 4, 'ms'),
      atMost(`Press on Play to sound from the device, offline, median of ${played}`, median(starts), 60, 'ms'),
    ];
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

const rows = (page: Page) => page.locator('main li.row:not(.row--head)');
const kept = (page: Page) => page.locator('.download__row').getByRole('button', { name: /^Play / });

async function downloadAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download all' }).click();
  await page
    .getByText(/^Downloading \d+ audios/)
    .first()
    .waitFor();
}

async function allKept(page: Page, count: number): Promise<void> {
  await page.goto('/library/downloads');
  await page.waitForFunction(
    (all) => document.querySelectorAll('.download__row button[aria-label^="Play "]').length === all,
    count,
    { timeout: 300_000 },
  );
}

/** Downloads get this many bytes, through the page's own storage code. */
async function makeLarge(page: Page, bytes: number): Promise<void> {
  await page.context().addInitScript((size) => {
    const fetchFile = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      if (!String(input).endsWith('?download')) return fetchFile(input, init);
      const headers = { 'content-type': 'audio/mpeg', 'content-length': String(size), etag: '"made"' };
      return new Response(new Blob([new Uint8Array(size)]), { headers });
    };
  }, bytes);
}

/** 95th percentile of the time between two frames. */
async function frames(page: Page, ms: number): Promise<number> {
  const gaps = await page.evaluate(
    (limit) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = [];
        const begin = performance.now();
        let before = begin;
        const frame = (now: number) => {
          found.push(now - before);
          before = now;
          if (now - begin > limit) resolve(found.slice(1));
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    ms,
  );
  return quantile(gaps, 0.95);
}
