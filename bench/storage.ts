import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { type Page, chromium } from 'playwright-core';
import { findBrowser } from '../scripts/browser.mjs';
import { isS3ServerInstalled } from '../scripts/test-servers.mjs';
import { silentWav } from '#test/support/sound/sound-files.ts';
import { startS3Server } from '#test/support/servers/s3-server.ts';
import { type StorageProxy, openStorageProxy } from '#test/support/servers/storage-proxy.ts';
import { browserFetch } from './browser-headers.ts';
import { type Figure, atMost, share, skipped } from './figures.ts';
import { root, startSite } from './site-process.ts';

const run = promisify(execFile);
const awayMs = 30_000;

/**
 * A listener of a site with object storage: the signed address expires, then the storage is unavailable for half a
 * minute.
 */
export async function benchStorage(): Promise<Figure[]> {
  if (!isS3ServerInstalled()) return [skipped('Object storage', 'Ceph is not installed')];
  const dir = await mkdtemp(join(tmpdir(), 'sotto-bench-storage-'));
  const server = await startS3Server();
  const proxy = await openStorageProxy(server.endpoint);
  const settings = {
    DATA_DIR: join(dir, 'data'),
    S3_BUCKET: 'sotto',
    S3_ENDPOINT: proxy.url,
    S3_ACCESS_KEY_ID: server.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
  const admin = new S3Client({
    endpoint: server.endpoint,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: server,
  });
  await admin.send(new CreateBucketCommand({ Bucket: 'sotto' }));
  const site = await startSite(settings);
  try {
    await importLongAudio(dir, settings);
    return await listen(site.url, proxy);
  } finally {
    await site.stop();
    await proxy.close();
    await server.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Too long for a browser to buffer completely. */
async function importLongAudio(dir: string, settings: Record<string, string>): Promise<void> {
  const folder = join(dir, 'recordings');
  await mkdir(folder);
  await writeFile(join(folder, 'long.wav'), silentWav(3600, { INAM: 'Long', IART: 'Ana' }));
  const args = ['--disable-warning=ExperimentalWarning', 'src/cli.ts', 'import', folder, '--publish', '--free'];
  await run(process.execPath, args, { cwd: root, env: { ...process.env, ...settings } });
}

async function listen(siteUrl: string, proxy: StorageProxy): Promise<Figure[]> {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ['--mute-audio', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${siteUrl}/`);
    await page.waitForLoadState('networkidle');
    // The one of its `srcset` that the browser chose.
    const image = await page
      .locator('img[src^="/images/"]')
      .first()
      .evaluate((img) => (img as HTMLImageElement).currentSrc);
    await page.goto(`${siteUrl}/audio/long`);
    await page.waitForLoadState('networkidle');
    await page.locator('main').getByRole('button', { name: /^Play/ }).first().click();
    await untilPlaying(page, 0.5);

    // The request after the seek, and the browser's retry.
    await proxy.set('forbidden', 2);
    const expired = await seekAndListen(page, 0.5);
    const isAnnouncedOnExpiry = await isLossAnnounced(page);

    await proxy.set('refuse');
    const outage = seekAndListen(page, 0.8);
    const began = Date.now();
    let [asked, answered, isAnnouncedInOutage] = [0, 0, false];
    while (Date.now() - began < awayMs) {
      for (const url of [`${siteUrl}/`, `${siteUrl}/audios`, image]) {
        asked += 1;
        if ((await browserFetch(url)).status === 200) answered += 1;
      }
      isAnnouncedInOutage ||= await isLossAnnounced(page);
      await wait(500);
    }
    await proxy.set('pass');
    const away = await outage;
    return [
      atMost('Object storage: sound goes on after an expired address', expired, 2000, 'ms'),
      atMost('Object storage: lost connections announced for it', Number(isAnnouncedOnExpiry), 0, 'times'),
      share('Object storage away for 30 s: pages and cached images answered', answered, asked, 100),
      atMost('Object storage away for 30 s: listener not told', Number(!isAnnouncedInOutage), 0, 'times'),
      atMost('Object storage away for 30 s: sound goes on after it', (away - awayMs) / 1000, 31, 's'),
    ];
  } finally {
    await browser.close();
  }
}

const isLossAnnounced = async (page: Page) => (await page.getByText('Connection lost').count()) > 0;

/** Presses on the position. @returns milliseconds until the sound continues there */
async function seekAndListen(page: Page, part: number): Promise<number> {
  const slider = page.getByRole('slider', { name: 'Position' }).first();
  // The thumb is on a track, which receives the press.
  const box = await slider.evaluate((thumb) => {
    let track: Element | null = thumb;
    while (track !== null && track.getBoundingClientRect().width < 200) track = track.parentElement;
    const { x, y, width, height } = (track ?? thumb).getBoundingClientRect();
    return { x, y, width, height };
  });
  const began = Date.now();
  await page.mouse.click(box.x + box.width * part, box.y + box.height / 2);
  await untilPlaying(page, 3600 * (part - 0.05));
  return Date.now() - began;
}

async function untilPlaying(page: Page, second: number): Promise<void> {
  await page.waitForFunction(
    (from) => {
      const audio = document.querySelector('audio');
      if (audio === null || audio.paused || audio.error !== null || audio.readyState < 3) return false;
      const store = window as unknown as { before?: number };
      const before = store.before ?? Number.POSITIVE_INFINITY;
      store.before = audio.currentTime;
      return audio.currentTime > from && audio.currentTime > before;
    },
    second,
    { timeout: 90_000, polling: 100 },
  );
}
