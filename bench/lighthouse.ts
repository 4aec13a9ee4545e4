import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../scripts/browser.mjs';
import type { Figure } from './figures.ts';
import { atLeast, median, skipped } from './figures.ts';
import { tryTwice } from './tries.ts';

const version = '13.5.0';
/** One run's performance varies by three points. */
const rounds = 3;
const leastScores = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const run = promisify(execFile);

/** Lighthouse's mobile scores. Lighthouse outweighs all packages of the project, so it is downloaded for the run. */
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
      let reason = '';
      for (let round = 0; round < rounds; round += 1) {
        const outcome = await tryTwice(`Lighthouse, ${name}`, () => audit(folder, chrome, siteUrl + path));
        if (!outcome.ok) reason = outcome.reason;
        else
          for (const [category, score] of outcome.result)
            scores.set(category, [...(scores.get(category) ?? []), score]);
      }
      for (const [category, least] of Object.entries(leastScores)) {
        const measured = scores.get(category) ?? [];
        const title = `Lighthouse mobile, ${name}: ${category}, median of ${measured.length || rounds}`;
        figures.push(measured.length === 0 ? skipped(title, reason) : atLeast(title, median(measured), least, ''));
      }
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Report = {
  /** The page could not be measured, for example NO_NAVSTART. */
  runtimeError?: { code: string; message: string };
  categories: Record<string, { score: number | null }>;
};

/** @returns score of each category, 0 to 100. @throws when the browser stumbled */
async function audit(folder: string, chrome: string, url: string): Promise<[category: string, score: number][]> {
  const cli = join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js');
  const flags = [
    '--quiet',
    '--output=json',
    `--only-categories=${Object.keys(leastScores).join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu --mute-audio',
  ];
  const settings = { env: { ...process.env, CHROME_PATH: chrome }, maxBuffer: 64 * 1024 * 1024, timeout: 180_000 };
  // Lighthouse ends with 1 after such an error, but still writes its report.
  const { stdout, stderr } = await run(process.execPath, [cli, url, ...flags], settings).catch(
    (error: { stdout?: string; stderr?: string }) => ({ stdout: error.stdout ?? '', stderr: error.stderr ?? '' }),
  );
  if (!stdout.trimStart().startsWith('{')) throw new Error(stderr.trim() || 'Lighthouse wrote no report');
  const { runtimeError, categories } = JSON.parse(stdout) as Report;
  if (runtimeError) throw new Error(`${runtimeError.code}: ${runtimeError.message}`);
  return Object.entries(categories).map(([category, { score }]) => {
    if (score === null) throw new Error(`no score for ${category}`);
    return [category, score * 100];
  });
}
