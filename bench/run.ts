import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/build.mjs';
import { benchAdmin } from './admin.ts';
import { benchBilling } from './billing.ts';
import { benchBrowser } from './browser.ts';
import { benchCatalogueSize } from './catalogue-size.ts';
import { benchCluster } from './cluster.ts';
import type { Figure } from './figures.ts';
import { atMost } from './figures.ts';
import { benchFirstLoad } from './first-load.ts';
import { benchFeeds } from './feeds.ts';
import { benchHttp } from './http.ts';
import { benchAnalytics } from './analytics.ts';
import { benchJobs } from './jobs.ts';
import { benchLibrary } from './library.ts';
import { benchListenerPages } from './listener-pages.ts';
import { benchListeningFigures } from './listening-figures.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchMedia } from './media.ts';
import { benchMillion } from './million.ts';
import { benchMemory } from './memory.ts';
import { benchOffline } from './offline.ts';
import { benchProgress } from './progress.ts';
import { benchPurge } from './purge.ts';
import { benchSearch } from './search.ts';
import { benchNews } from './news.ts';
import { startSite } from './site-process.ts';
import { benchSound } from './sound.ts';
import { benchStorage } from './storage.ts';
import { tableOf } from './table.ts';
import { tryTwice } from './tries.ts';
import { benchUploads } from './uploads.ts';

/**
 * Measures the site against limits and other programs in one run; absolute times mean little, ratios count. `npm run
 * bench -- http media` runs only the named ones; `--save FILE` stores the figures, `--compare FILE` shows changes.
 */
const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'string' }, compare: { type: 'string' } },
});
// Read before measuring, so that a wrong name costs no time.
const former = options.compare === undefined ? undefined : await readFigures(options.compare);
const figures: Figure[] = [];

async function readFigures(path: string): Promise<Figure[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Figure[];
  } catch (error) {
    console.error(`${path} has no figures of a former run (npm run bench -- --save FILE): ${(error as Error).message}`);
    process.exit(1);
  }
}

/** Keeps the other figures when one cannot be measured. */
async function measure(name: string, work: () => Promise<Figure[]>): Promise<void> {
  if (asked.length > 0 && !asked.includes(name)) return;
  console.log(`Measuring ${name}...`);
  const outcome = await tryTwice(name, work);
  if (outcome.ok) figures.push(...outcome.result);
  else figures.push({ name, value: `failed: ${outcome.reason}`, limit: '', ok: false });
}

await ensureBuilt();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
try {
  await measure('first-load', benchFirstLoad);
  const first = await startSite({ DATA_DIR: dataDir });
  await first.stop();
  const site = await startSite({ DATA_DIR: dataDir });
  try {
    figures.push(atMost('Later start until ready', Math.round(site.readyAfter), 3000, 'ms'));
    await measure('memory', async () => [await benchMemory(site.pid)]);
    await measure('http', () => benchHttp(site));
    await measure('listener', () => benchListenerPages(site, dataDir));
    await measure('progress', () => benchProgress(site.url, dataDir));
    await measure('uploads', () => benchUploads(site.url, dataDir, site.pid));
    await measure('browser', () => benchBrowser(site.url, dataDir));
    await measure('offline', () => benchOffline(site.url));
    await measure('lighthouse', () => benchLighthouse(site.url));
    // Last: it adds 2,000 audios.
    await measure('feeds', () => benchFeeds(site.url, dataDir));
  } finally {
    await site.stop();
  }
  // An hour and 40 GB at the full size, so only on request.
  if (asked.includes('million')) await measure('million', benchMillion);
  // Some minutes and 10 GB at the full size.
  if (asked.includes('admin')) await measure('admin', benchAdmin);
  await measure('cluster', benchCluster);
  await measure('media', benchMedia);
  await measure('library', benchLibrary);
  await measure('billing', benchBilling);
  await measure('jobs', benchJobs);
  await measure('purge', benchPurge);
  await measure('news', benchNews);
  await measure('analytics', benchAnalytics);
  await measure('figures', benchListeningFigures);
  await measure('size', benchCatalogueSize);
  await measure('search', benchSearch);
  await measure('storage', benchStorage);
  await measure('sound', benchSound);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`\n${tableOf(figures, former)}`);
if (options.save !== undefined) await writeFile(options.save, `${JSON.stringify(figures, null, 2)}\n`);
process.exitCode = figures.some(({ ok }) => ok === false) ? 1 : 0;
