import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import type { Figure } from './figures.ts';
import { median, ratio } from './figures.ts';
import { readLine, stopProcess } from './site-process.ts';

const rounds = 3;
const seconds = 4;

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, connections: 32, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return result.requests.average;
}

/** The API's list and visitors' pages compared to a route that only sends the list's bytes, in turns. */
export async function benchHttp(siteUrl: string): Promise<Figure[]> {
  const list = `${siteUrl}/v1/api/audios?limit=24`;
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  const file = join(folder, 'list.json');
  await writeFile(file, Buffer.from(await (await fetch(list)).arrayBuffer()));
  const bare = spawn(process.execPath, [new URL('bare.ts', import.meta.url).pathname, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await readLine(bare, /listening (\d+)/);
    const targets = {
      bare: `http://127.0.0.1:${port}/bare`,
      list,
      home: `${siteUrl}/`,
      audio: `${siteUrl}/audio/how-do-i-love-thee`,
    };
    const measured = { bare: [] as number[], list: [] as number[], home: [] as number[], audio: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of Object.keys(targets) as (keyof typeof targets)[]) {
        const value = await requestsPerSecond(targets[name]);
        // The first round only warms up.
        if (round > 0) measured[name].push(value);
      }
    }
    const peer = median(measured.bare);
    const against = (name: keyof typeof measured) => median(measured[name]) / peer;
    return [
      { name: 'Bare route, 32 connections', value: `${Math.round(peer)} requests/s`, limit: 'peer', ok: undefined },
      ratio('List of 24 audios by the API, of the bare route', against('list'), 0.5),
      // 3,000 requests/s where the bare route does 25,000.
      ratio('Home page for visitors, of the bare route', against('home'), 0.12),
      ratio('Audio page for visitors, of the bare route', against('audio'), 0.12),
    ];
  } finally {
    await stopProcess(bare);
    await rm(folder, { recursive: true, force: true });
  }
}
