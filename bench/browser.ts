import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { findBrowser } from '../scripts/browser.mjs';
import type { Figure } from './figures.ts';
import { atMost, median } from './figures.ts';

type Sizes = { script: number; style: number; font: number };

/** Bytes that a phone loads for a first page, and the delay from Play to sound on this machine. */
export async function benchBrowser(siteUrl: string): Promise<Figure[]> {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ['--mute-audio', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const figures: Figure[] = [];
    for (const [name, path] of [
      ['home', '/'],
      ['audio', '/audio/how-do-i-love-thee'],
      ['user playlists', '/users-playlists'],
    ] as const) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true });
      const page = await context.newPage();
      const sizes = await transferred(page, siteUrl + path);
      figures.push(
        atMost(`First load of ${name}, mobile: JavaScript, compressed`, sizes.script / 1024, 180, 'KB'),
        atMost(`First load of ${name}, mobile: CSS, compressed`, sizes.style / 1024, 20, 'KB'),
        atMost(`First load of ${name}, mobile: fonts`, sizes.font / 1024, 120, 'KB'),
      );
      await context.close();
    }
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${siteUrl}/playlists/start-here`);
      await page.waitForLoadState('networkidle');
      times.push(await pressToSound(page));
      await context.close();
    }
    figures.push(atMost('Press on Play to sound, local, median of 7', median(times), 100, 'ms'));
    return figures;
  } finally {
    await browser.close();
  }
}

async function transferred(page: Page, url: string): Promise<Sizes> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const kinds = new Map<string, string>();
  const sizes: Sizes = { script: 0, style: 0, font: 0 };
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind === 'Script') sizes.script += encodedDataLength;
    if (kind === 'Stylesheet') sizes.style += encodedDataLength;
    if (kind === 'Font') sizes.font += encodedDataLength;
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  return sizes;
}

/** Time from the click to the first frame in which the element's time has advanced. */
async function pressToSound(page: Page): Promise<number> {
  await page.evaluate(() => {
    const store = window as unknown as { heard: Promise<number> };
    store.heard = new Promise((resolve) => {
      let pressed = 0;
      document.addEventListener(
        'pointerdown',
        () => {
          pressed = performance.now();
          const look = () => {
            const audio = document.querySelector('audio');
            if (audio !== null && !audio.paused && audio.currentTime > 0) resolve(performance.now() - pressed);
            else requestAnimationFrame(look);
          };
          look();
        },
        { capture: true, once: true },
      );
    });
  });
  await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
  return page.evaluate(() => (window as unknown as { heard: Promise<number> }).heard);
}
