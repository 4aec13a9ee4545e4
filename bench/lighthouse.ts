import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../scripts/browser.mjs';
import type { Figure } from './figures.ts';
import { atLeast, median, skipped } from './figures.ts';

const version = '13.5.0';
/** One run's performance swings by three points. */
const rounds = 3;
const leastScores = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const run = promisify(execFile);

/** Lighthouse's mobile scores. It is not one of the project's packages (it weighs more than all of them); it is fetched for the run. */
export async function benchLighthouse(siteUrl: string): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-lighthouse-'));
  try {
    try {
      await run('npm', [
        'install',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        '--prefix',
        folder,
        `lighthouse@${version}`,
      ]);
    } catch {
      return [skipped('Lighthouse, mobile', 'it cannot be fetched here')];
    }
    const chrome = await findBrowser();
    const figures: Figure[] = [];
    for (const [name, path] of [
      ['home', '/'],
      ['audio', '/audio/how-do-i-love-thee'],
      ['creators', '/creators'],
    ] as const) {
      const scores = new Map<string, number[]>();
      for (let round = 0; round < rounds; round += 1) {
        const { stdout } = await run(
          process.execPath,
          [
            join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js'),
            siteUrl + path,
            '--quiet',
            '--output=json',
            `--only-categories=${Object.keys(leastScores).join(',')}`,
            '--chrome-flags=--headless=new --no-sandbox --disable-gpu --mute-audio',
          ],
          { env: { ...process.env, CHROME_PATH: chrome }, maxBuffer: 64 * 1024 * 1024 },
        );
        const { categories } = JSON.parse(stdout) as { categories: Record<string, { score: number }> };
        for (const [category, { score }] of Object.entries(categories)) {
          scores.set(category, [...(scores.get(category) ?? []), score * 100]);
        }
      }
      for (const [category, least] of Object.entries(leastScores)) {
        figures.push(
          atLeast(
            `Lighthouse mobile, ${name}: ${category}, median of ${rounds}`,
            median(scores.get(category) ?? []),
            least,
            '',
          ),
        );
      }
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
