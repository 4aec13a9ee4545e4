import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserHeaders } from './browser-headers.ts';
import { readLine, stopProcess } from './site-process.ts';

export type BareRoutes<Name extends string> = { urls: Record<Name, string>; pid: number; stop(): Promise<void> };

/** A process with one route for each of these responses, which only sends the same bytes. */
export async function startBareRoutes<Name extends string>(
  urls: Record<Name, string>,
  headers: Record<string, string> = {},
): Promise<BareRoutes<Name>> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  const names = Object.keys(urls) as Name[];
  const answers: Record<string, Record<string, string>> = {};
  for (const name of names) {
    const { body, ...rest } = await readRaw(urls[name], headers);
    if (rest['content-encoding'] === undefined) throw new Error(`${urls[name]} is not compressed`);
    answers[name] = rest;
    await writeFile(join(folder, name), body);
  }
  await writeFile(join(folder, 'answers.json'), JSON.stringify(answers));
  const bare = spawn(process.execPath, [new URL('bare.ts', import.meta.url).pathname, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await readLine(bare, /listening (\d+)/);
  return {
    pid: bare.pid ?? 0,
    urls: Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}/${name}`])) as Record<Name, string>,
    async stop() {
      await stopProcess(bare);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Bytes on the wire: `fetch` would decompress them. */
async function readRaw(url: string, headers: Record<string, string>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { ...browserHeaders, ...headers } }, resolve).once('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  const body = Buffer.concat(await response.toArray());
  const { 'content-type': type = '', 'content-encoding': coding } = response.headers;
  return { body, 'content-type': type, ...(coding !== undefined && { 'content-encoding': coding }) };
}
