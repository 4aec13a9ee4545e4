import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/build.mjs';
import { benchAdmin } from './admin.ts';
import { benchAge } from './age.ts';
import { benchBilling } from './billing.ts';
import { benchBrowser } from './browser.ts';
import { benchCatalogueSize } from './catalogue-size.ts';
import { benchCluster } from './cluster.ts';
import { type Figure, atMost } from './figures.ts';
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
import { lineOf, tableOf } from './table.ts';
import { withinLimit } from './time-limit.ts';
import { benchTiming } from './timing.ts';
import { tryTwice } from './tries.ts';
import { benchUploads } from './uploads.ts';

/**
 * Measures the site against limits and other programs in one run; absolute times mean little, ratios count. `npm run
 * bench -- http media` runs only the named ones; `--save FILE` stores the figures, `--compare FILE` shows changes. All
 * parts together take an hour at most.
 */
const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'string' }, compare: { type: 'string' } },
});
// Read before measuring, so that a wrong name costs no time.
const former = options.compare === undefined ? undefined : await readFigures(options.compare);
const figures: Figure[] = [];
const minute = 60_000;
/** For all parts together, unless some are asked for by name. */
const wholeLimit = asked.length === 0 ? 60 * minute : Infinity;
const partLimit = asked.length === 0 ? 15 * minute : 180 * minute;
const began = performance.now();

async function readFigures(path: string): Promise<Figure[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Figure[];
  } catch (error) {
    console.error(`${path} has no figures of a former run (npm run bench -- --save FILE): ${(error as Error).message}`);
    process.exit(1);
  }
}

/** Printed and stored as they come, so that a part that hangs, or a stop, loses no other. */
async function keep(found: Figure[]): Promise<void> {
  figures.push(...found);
  for (const figure of found) console.log(lineOf(figure));
  if (options.save !== undefined) await writeFile(options.save, `${JSON.stringify(figures, null, 2)}\n`);
}

/** Keeps the other figures when one cannot be measured. */
async function measure(name: string, work: () => Promise<Figure[]>): Promise<void> {
  if (asked.length > 0 && !asked.includes(name)) return;
  const limit = Math.min(partLimit, began + wholeLimit - performance.now());
  const failed = (reason: string) => keep([{ name, value: `failed: ${reason}`, limit: '', ok: false }]);
  if (limit <= 0) return failed('no time is left');
  console.log(`Measuring ${name}...`);
  const start = performance.now();
  const outcome = await withinLimit(limit, (givenUp) => tryTwice(name, work, { givenUp }));
  console.log(`${name} took ${Math.round((performance.now() - start) / 1000)} s`);
  if (outcome.isOver) {
    // The part that was given up goes on in this process, without its programs.
    process.on('uncaughtException', ({ message }) => console.error(`After the end of ${name}: ${message}`));
    return failed(`took longer than ${Math.round(limit / minute)} min`);
  }
  return outcome.result.ok ? keep(outcome.result.result) : failed(outcome.result.reason);
}

await ensureBuilt();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
try {
  await measure('first-load', benchFirstLoad);
  const first = await startSite({ DATA_DIR: dataDir });
  await first.stop();
  const site = await startSite({ DATA_DIR: dataDir });
  try {
    await keep([atMost('Later start until ready', Math.round(site.readyAfter), 3000, 'ms')]);
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
  await measure('age', benchAge);
  await measure('cluster', benchCluster);
  await measure('media', benchMedia);
  await measure('library', benchLibrary);
  await measure('news', benchNews);
  await measure('analytics', benchAnalytics);
  await measure('figures', benchListeningFigures);
  await measure('size', benchCatalogueSize);
  await measure('search', benchSearch);
  await measure('storage', benchStorage);
  await measure('sound', benchSound);
  await measure('timing', benchTiming);
  // The longest ones last, so that they cost no other its time.
  await measure('jobs', benchJobs);
  await measure('billing', benchBilling);
  await measure('purge', benchPurge);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`\n${tableOf(figures, former)}`);
// A part that was given up may still hold something open.
process.exit(figures.some(({ ok }) => ok === false) ? 1 : 0);
