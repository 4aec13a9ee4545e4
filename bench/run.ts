import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/build.mjs';
import { benchBilling } from './billing.ts';
import { benchBrowser } from './browser.ts';
import { benchCatalogueSize } from './catalogue-size.ts';
import type { Figure } from './figures.ts';
import { benchHttp } from './http.ts';
import { benchLibrary } from './library.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchMedia } from './media.ts';
import { benchMemory } from './memory.ts';
import { benchProgress } from './progress.ts';
import { benchSearch } from './search.ts';
import { startSite } from './site-process.ts';

/**
 * Measures the site against limits and peers in one run; absolute times mean little, ratios count.
 * `npm run bench -- http media` runs only those named.
 */
const asked = process.argv.slice(2);
const wanted = (name: string) => asked.length === 0 || asked.includes(name);

function show(figures: Figure[]): void {
  for (const { name, value, limit, ok } of figures) {
    console.log(
      `${ok === undefined ? '    ' : ok ? 'ok  ' : 'MISS'}  ${name.padEnd(72)} ${value.padStart(18)}  ${limit}`,
    );
  }
}

await ensureBuilt();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
let missed = 0;
const report = (figures: Figure[]) => {
  show(figures);
  missed += figures.filter(({ ok }) => ok === false).length;
};
try {
  const first = await startSite({ DATA_DIR: dataDir });
  await first.stop();
  const site = await startSite({ DATA_DIR: dataDir });
  try {
    report([
      {
        name: 'Later start until ready',
        value: `${Math.round(site.readyAfter)} ms`,
        limit: '≤ 3000 ms',
        ok: site.readyAfter <= 3000,
      },
    ]);
    if (wanted('memory')) report([await benchMemory(site.pid)]);
    if (wanted('http')) report(await benchHttp(site.url));
    if (wanted('progress')) report(await benchProgress(site.url, dataDir));
    if (wanted('browser')) report(await benchBrowser(site.url));
    if (wanted('lighthouse')) report(await benchLighthouse(site.url));
  } finally {
    await site.stop();
  }
  if (wanted('media')) report(await benchMedia());
  if (wanted('library')) report(await benchLibrary());
  if (wanted('billing')) report(await benchBilling());
  if (wanted('size')) report(await benchCatalogueSize());
  if (wanted('search')) report(await benchSearch());
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
