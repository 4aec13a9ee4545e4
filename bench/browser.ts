import { type Browser, type Page, chromium } from 'playwright-core';
import { findRunningServer } from '#db/embedded/server.ts';
import { changeTrack } from '#test/support/change-track.ts';
import { findBrowser } from '../scripts/browser.mjs';
import { type Figure, atMost, median } from './figures.ts';
import { createListeners } from './listeners.ts';
import { pressToSound } from './press-to-sound.ts';

const rounds = 21;

type Sizes = { script: number; style: number; font: number };

/** Bytes that a phone loads for a first page, and the delay from a press to its sound on this machine. */
export async function benchBrowser(siteUrl: string, dataDir: string): Promise<Figure[]> {
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
    const times = { mouse: [] as number[], finger: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      for (const by of ['mouse', 'finger'] as const) {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, hasTouch: true });
        const page = await context.newPage();
        await page.goto(`${siteUrl}/playlists/start-here`);
        await page.waitForLoadState('networkidle');
        times[by].push(
          await pressToSound(page, page.locator('main').getByRole('button', { name: /^Play/ }).first(), by),
        );
        await context.close();
      }
    }
    figures.push(
      atMost(`First press on Play to sound, local, median of ${rounds}`, median(times.mouse), 60, 'ms'),
      atMost(`First tap on Play to sound, local, median of ${rounds}`, median(times.finger), 60, 'ms'),
    );
    const changes = await changeTimes(browser, siteUrl, dataDir);
    figures.push(atMost(`Press on Next to sound, median of ${rounds}`, median(changes), 40, 'ms'));
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

/** Times from a press on Next, or on Previous at the end of the list, to the other audio's sound. */
async function changeTimes(browser: Browser, siteUrl: string, dataDir: string): Promise<number[]> {
  const [listener] = await createListeners((await findRunningServer(dataDir)) ?? '', 1);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: 'sotto_session', value: listener?.token ?? '', url: siteUrl }]);
  const page = await context.newPage();
  await page.goto(`${siteUrl}/playlists/start-here`);
  await page.waitForLoadState('networkidle');
  await pressToSound(page, page.locator('main').getByRole('button', { name: /^Play/ }).first());
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The start of the next audio is loaded while this one plays.
    await page.waitForTimeout(1000);
    times.push(await changeTrack(page));
  }
  await context.close();
  return times;
}
