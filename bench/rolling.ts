import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedServer } from '#db/embedded-server.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { readDirectives, readMigrations } from '#db/schema-state.ts';
import { hasPgBouncer, startPgBouncer } from '#test/support/pgbouncer.ts';
import type { Figure } from './figures.ts';
import { atLeast, atMost, skipped } from './figures.ts';
import type { BenchListener } from './listeners.ts';
import { createListeners } from './listeners.ts';
import type { SiteProcess } from './site-process.ts';
import { startSite, stopProcess } from './site-process.ts';
import { findFreePort } from '#test/support/free-port.ts';

const clients = 16;
const haproxy = '/usr/sbin/haproxy';

/**
 * Two sites behind HAProxy, through PgBouncer where it is installed, are replaced in turn while visitors read and
 * listeners write, and the schema changes meanwhile: no request may fail, and no answered write may be lost.
 */
export async function benchRolling(): Promise<Figure[]> {
  const name = 'Replacing two sites in turn';
  if (spawnSync(haproxy, ['-v']).status !== 0) return [skipped(name, 'haproxy is not installed')];
  const folder = await mkdtemp(join(tmpdir(), 'sotto-rolling-'));
  const database = await startEmbeddedServer({ dataDir: join(folder, 'db'), log: { info: () => {}, warn: () => {} } });
  const bouncer = hasPgBouncer ? await startPgBouncer(database.url) : undefined;
  const [front = 0, ...ports] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const settings = (port: number) => ({
    DATA_DIR: join(folder, 'site'),
    SITE_URL: `http://127.0.0.1:${front}`,
    PORT: String(port),
    SECRET: 'a secret that is only for the bench',
    TRUST_PROXY: '1',
    READY_WAITS_FOR_SEARCH: 'true',
    DRAIN_SECONDS: '3',
    ...(bouncer === undefined
      ? { DATABASE_URL: database.url }
      : { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url }),
  });
  const sites: SiteProcess[] = [];
  let balancer: ChildProcess | undefined;
  try {
    for (const port of ports) sites.push(await startSite(settings(port)));
    balancer = await startHaproxy(folder, front, ports);
    const load = await startLoad(`http://127.0.0.1:${front}`, database.url);
    await wait(2000);
    await changeSchema(database.url);
    for (const [index, port] of ports.entries()) {
      await sites[index]?.stop();
      sites[index] = await startSite(settings(port));
      // HAProxy wants two good answers of /readyz, a second apart.
      await wait(4000);
    }
    const { answered, failed, longest, lost } = await load.stop();
    for (const reason of new Set(failed)) console.log(`  ${reason}`);
    return [
      atMost(`${name} during a migration: failed requests`, failed.length, 0, 'requests'),
      atMost(`${name}: answered writes that were lost`, lost, 0, 'writes'),
      atLeast(`${name}: answered requests`, answered, 1000, 'requests'),
      atMost(`${name}: longest answer`, longest, 5000, 'ms'),
    ];
  } finally {
    for (const site of sites) await site.stop();
    if (balancer !== undefined) await stopProcess(balancer);
    await bouncer?.close();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** As a migration of the next version: a new column, and an index on a table in use. */
async function changeSchema(directUrl: string): Promise<void> {
  const next = [
    'alter table audios add column bench_note text',
    '-- transaction: none\ncreate index concurrently bench_idx on listening_progress (updated_at)',
  ];
  const later = next.map((statement, index) => ({
    name: `bench_${index}`,
    when: Date.now() + index,
    hash: `bench_${index}`,
    statements: [statement],
    ...readDirectives(statement),
  }));
  await migrateDatabase({ directUrl }, { migrations: [...readMigrations(), ...later] });
}

async function startLoad(site: string, databaseUrl: string) {
  const listeners = await createListeners(databaseUrl, clients);
  const { items } = (await (await fetch(`${site}/v1/api/audios?limit=1`)).json()) as { items: { id: string }[] };
  const audioId = items[0]?.id ?? '';
  const failed: string[] = [];
  const written = new Map<string, number>();
  let [answered, longest, isOver] = [0, 0, false];

  async function ask(path: string, init?: RequestInit): Promise<boolean> {
    const began = performance.now();
    try {
      const response = await fetch(site + path, { ...init, signal: AbortSignal.timeout(10_000) });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(String(response.status));
      answered += 1;
      longest = Math.max(longest, performance.now() - began);
      return true;
    } catch (error) {
      const { message, cause } = error as Error;
      failed.push(
        `${init?.method ?? 'GET'} ${path.split('?')[0]}: ${cause instanceof Error ? cause.message : message}`,
      );
      return false;
    }
  }

  async function use({ id, token }: BenchListener): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (let turn = 1; !isOver; turn += 1) {
      await ask(`/audios?tag=${turn % 50}`);
      await ask('/v1/api/voices');
      const body = JSON.stringify({ type: 'currentlyListening', id: audioId, seconds: turn / 1000 });
      if (await ask('/v1/api/history/me/value', { method: 'POST', headers, body })) written.set(id, turn);
      await wait(20);
    }
  }

  const running = Promise.all(listeners.map(use));
  return {
    async stop() {
      isOver = true;
      await running;
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ user_id: string; position_ms: number }>(
        'select user_id, position_ms from listening_progress where audio_id = $1',
        [audioId],
      );
      await client.end();
      const kept = new Map(rows.map((row) => [row.user_id, row.position_ms]));
      const lost = [...written].filter(([id, turn]) => (kept.get(id) ?? 0) < turn).length;
      return { answered, failed, longest, lost };
    },
  };
}

async function startHaproxy(folder: string, front: number, ports: number[]): Promise<ChildProcess> {
  const path = join(folder, 'haproxy.cfg');
  await writeFile(
    path,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 15s
  timeout queue 5s
  option redispatch 1
  retries 2
  retry-on conn-failure empty-response
frontend web
  bind 127.0.0.1:${front}
  option forwardfor
  http-request disable-l7-retry unless METH_GET || METH_HEAD
  default_backend sites
backend sites
  balance leastconn
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  default-server inter 1s fastinter 500ms downinter 1s fall 1 rise 2 maxconn 200
${ports.map((port) => `  server site${port} 127.0.0.1:${port} check`).join('\n')}
`,
  );
  const child = spawn(haproxy, ['-db', '-q', '-f', path], { stdio: 'ignore' });
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${front}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return child;
    await wait(100);
  }
  await stopProcess(child);
  throw new Error('HAProxy does not answer');
}
