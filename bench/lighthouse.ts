import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../scripts/browser.mjs';
import { type Figure, atLeast, atMost, median, skipped } from './figures.ts';
import { tryTwice } from './tries.ts';

const version = '13.5.0';
/** One run's performance varies by three points. */
const rounds = 5;
const minScores: Record<string, number> = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
/** Largest contentful paint and total blocking time, on Lighthouse's slow phone. */
const maxMs: Record<string, number> = { 'largest-contentful-paint': 1500, 'total-blocking-time': 150 };
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
      ['blog', '/blog'],
      ['library', '/library'],
    ] as const) {
      const measured = new Map<string, number[]>();
      let reason = '';
      for (let round = 0; round < rounds; round += 1) {
        const outcome = await tryTwice(`Lighthouse, ${name}`, () => audit(folder, chrome, siteUrl + path));
        if (!outcome.ok) reason = outcome.reason;
        else for (const [what, value] of outcome.result) measured.set(what, [...(measured.get(what) ?? []), value]);
      }
      const add = (what: string, figureOf: (title: string, value: number) => Figure) => {
        const values = measured.get(what) ?? [];
        const title = `Lighthouse mobile, ${name}: ${what}, median of ${values.length || rounds}`;
        figures.push(values.length === 0 ? skipped(title, reason) : figureOf(title, median(values)));
      };
      for (const [what, min] of Object.entries(minScores)) add(what, (title, value) => atLeast(title, value, min, ''));
      for (const [what, max] of Object.entries(maxMs))
        add(what, (title, value) => atMost(title, Math.round(value), max, 'ms'));
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
  audits: Record<string, { numericValue?: number }>;
};

/** @returns score of each category, 0 to 100, and times in milliseconds. @throws when the measurement failed */
async function audit(folder: string, chrome: string, url: string): Promise<[what: string, value: number][]> {
  const cli = join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js');
  // In a file: Lighthouse ends before all of a long report is in a pipe.
  const reportFile = join(folder, 'report.json');
  await rm(reportFile, { force: true });
  const flags = [
    '--quiet',
    '--output=json',
    `--output-path=${reportFile}`,
    `--only-categories=${Object.keys(minScores).join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu --mute-audio',
  ];
  const settings = { env: { ...process.env, CHROME_PATH: chrome }, timeout: 180_000 };
  // Lighthouse ends with 1 after a `runtimeError`, but still writes its report.
  const { stderr } = await run(process.execPath, [cli, url, ...flags], settings).catch(
    (error: { stderr?: string }) => ({
      stderr: error.stderr ?? '',
    }),
  );
  const report = await readFile(reportFile, 'utf8').catch(() => undefined);
  if (report === undefined) throw new Error(stderr.trim() || 'Lighthouse wrote no report');
  const { runtimeError, categories, audits } = JSON.parse(report) as Report;
  if (runtimeError) throw new Error(`${runtimeError.code}: ${runtimeError.message}`);
  const scores = Object.entries(categories).map(([category, { score }]): [string, number] => {
    if (score === null) throw new Error(`no score for ${category}`);
    return [category, score * 100];
  });
  const times = Object.keys(maxMs).map((name): [string, number] => {
    const time = audits[name]?.numericValue;
    if (time === undefined) throw new Error(`no time for ${name}`);
    return [name, time];
  });
  return [...scores, ...times];
}
