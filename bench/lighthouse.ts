import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../scripts/browser.mjs';
import type { Figure } from './figures.ts';
import { atLeast, skipped } from './figures.ts';

const version = '13.5.0';
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
      const { stdout } = await run(
        process.execPath,
        [
          join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js'),
          siteUrl + path,
          '--quiet',
          '--output=json',
          '--chrome-flags=--headless=new --no-sandbox --disable-gpu --mute-audio',
        ],
        { env: { ...process.env, CHROME_PATH: chrome }, maxBuffer: 64 * 1024 * 1024 },
      );
      const { categories } = JSON.parse(stdout) as { categories: Record<string, { title: string; score: number }> };
      for (const [key, { title, score }] of Object.entries(categories)) {
        if (key === 'agentic-browsing') continue;
        figures.push(
          atLeast(
            `Lighthouse mobile, ${name}: ${title.toLowerCase()}`,
            score * 100,
            key === 'performance' ? 95 : 100,
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
