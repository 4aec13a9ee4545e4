import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { migrateDatabase } from '#db/migrate.ts';
import { readDirectives, readMigrations } from '#db/schema-state.ts';
import { type Cluster, startCluster, untilReady } from '#test/support/cluster.ts';
import { browserFetch, browserHeaders } from './browser-headers.ts';
import { type Figure, atLeast, atMost, median, ratio, skipped } from './figures.ts';
import { type BenchListener, createListeners } from './listeners.ts';

const perSecond = 300;
const kills = 20;
const json = { 'content-type': 'application/json' };
const favorite = JSON.stringify({ contentTypeId: 'audio', isFavorite: true });

/** Kills sites, replaces them and stops the database under load: no answered write may be lost. Compares throughput. */
export async function benchCluster(): Promise<Figure[]> {
  const cluster = await startCluster({ sites: 3, settings: { CLIENT_CONNECTIONS: '100000' } });
  try {
    if (cluster.missing.includes('haproxy')) return [skipped('Cluster', 'haproxy is not installed')];
    const listeners = await createListeners(cluster.databaseUrl, 500);
    return [
      ...cluster.missing.map((part) => skipped(`Cluster with ${part}`, 'not installed')),
      ...(await killSites(cluster, listeners)),
      ...(await restartInTurn(cluster, listeners)),
      ...(await loseDatabase(cluster, listeners)),
      await compareThroughput(cluster, listeners),
    ];
  } finally {
    await cluster.close();
  }
}

async function killSites(cluster: Cluster, listeners: BenchListener[]): Promise<Figure[]> {
  const load = await startLoad(cluster, listeners);
  for (let round = 0; round < kills; round += 1) {
    await wait(1500);
    const site = cluster.sites[round % cluster.sites.length];
    await site?.kill();
    await wait(500);
    await site?.start();
    if (site) await untilReady(`${site.url}/readyz`);
  }
  const { asked, failed, failedTwice, lost } = await load.end();
  const what = `kill -9 of one of 3 sites, ${kills} times at ${perSecond}/s`;
  return [
    atMost(`${what}: lost answered writes`, lost, 0, ''),
    atMost(`${what}: requests that fail twice`, failedTwice, 0, ''),
    atMost(`${what}: failed requests of ${asked}`, failed, asked / 100, ''),
  ];
}

/** Each site is stopped and started again while the schema changes. */
async function restartInTurn(cluster: Cluster, listeners: BenchListener[]): Promise<Figure[]> {
  const load = await startLoad(cluster, listeners);
  await wait(2000);
  await changeSchema(cluster.databaseUrl);
  for (const site of cluster.sites) {
    await site.restart();
    await untilReady(`${site.url}/readyz`);
    // HAProxy checks twice a second.
    await wait(1500);
  }
  const { asked, failed, longest, lost } = await load.end();
  const what = 'Replacing 3 sites in turn during a migration';
  return [
    atMost(`${what}: failed requests`, failed, 0, 'requests'),
    atMost(`${what}: answered writes that were lost`, lost, 0, 'writes'),
    atLeast(`${what}: requests`, asked, 1000, 'requests'),
    atMost(`${what}: longest answer`, longest, 5000, 'ms'),
  ];
}

/** Like a migration of the next version: a new column, and an index on a table in use. */
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

async function loseDatabase(cluster: Cluster, listeners: BenchListener[]): Promise<Figure[]> {
  const load = await startLoad(cluster, listeners);
  await wait(2000);
  await cluster.restartDatabase(20_000);
  const back = performance.now();
  await untilReady(`${cluster.url}/readyz`);
  const wellAfter = performance.now() - back;
  await wait(3000);
  const { unexplained, lost } = await load.end();
  return [
    atMost('Database away for 20 s: until all is well again', Math.round(wellAfter), 5000, 'ms'),
    atMost('Database away for 20 s: failures other than 503 with Retry-After', unexplained, 0, ''),
    atMost('Database away for 20 s: lost answered writes', lost, 0, ''),
  ];
}

/** Logged-in pages, which no cache serves. One site has the whole machine, then two share it. */
async function compareThroughput(cluster: Cluster, listeners: BenchListener[]): Promise<Figure> {
  const [first, second] = cluster.sites;
  if (first === undefined || second === undefined) throw new Error('Two sites are needed');
  const rates: { one: number[]; two: number[] } = { one: [], two: [] };
  for (let round = 0; round < 3; round += 1) {
    const alone = await pagesPerSecond(first.url, listeners, 16);
    const both = await Promise.all([first, second].map((site) => pagesPerSecond(site.url, listeners, 8)));
    rates.one.push(alone);
    rates.two.push(both.reduce((sum, rate) => sum + rate, 0));
  }
  return ratio('Logged-in pages per second, 2 sites against 1', median(rates.two) / median(rates.one), 0.95);
}

async function pagesPerSecond(url: string, listeners: BenchListener[], connections: number): Promise<number> {
  let next = 0;
  const { requests, non2xx } = await autocannon({
    url,
    connections,
    duration: 5,
    setupClient(client) {
      const { token } = listeners[next++ % listeners.length] ?? { token: '' };
      client.setHeaders({ ...browserHeaders, cookie: `sotto_session=${token}` });
    },
  });
  if (non2xx > 0) throw new Error(`${non2xx} pages were not answered with 2xx`);
  return requests.average;
}

type LoadResult = {
  asked: number;
  failed: number;
  failedTwice: number;
  /** Neither answered nor refused with 503 and Retry-After. */
  unexplained: number;
  /** Writes answered with success that are missing from the database. */
  lost: number;
  /** Milliseconds of the slowest successful answer. */
  longest: number;
};

/** Reads and writes of many listeners at a fixed rate; each failed one is retried once. */
async function startLoad(cluster: Cluster, listeners: BenchListener[]): Promise<{ end(): Promise<LoadResult> }> {
  const list = (await (await browserFetch(`${cluster.url}/v1/api/audios?limit=50`)).json()) as {
    items: { id: string }[];
  };
  const audios = list.items.map(({ id }) => id);
  const answered: { userId: string; audioId: string }[] = [];
  const result = { asked: 0, failed: 0, failedTwice: 0, unexplained: 0, longest: 0 };
  const running = new Set<Promise<void>>();
  const statuses: Record<string, number> = {};
  let turn = 0;

  async function ask(path: string, init: RequestInit): Promise<boolean> {
    const began = performance.now();
    try {
      const answer = await browserFetch(cluster.url + path, { ...init, signal: AbortSignal.timeout(15_000) });
      await answer.arrayBuffer();
      if (answer.ok) {
        result.longest = Math.max(result.longest, performance.now() - began);
        return true;
      }
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status !== 503 || !answer.headers.has('retry-after')) result.unexplained += 1;
    } catch (error) {
      const { code = 'unknown' } = ((error as Error).cause ?? {}) as { code?: string };
      statuses[code] = (statuses[code] ?? 0) + 1;
      result.unexplained += 1;
    }
    return false;
  }

  async function one(): Promise<void> {
    turn += 1;
    result.asked += 1;
    const listener = listeners[turn % listeners.length];
    const audioId = audios[Math.floor(turn / listeners.length) % audios.length];
    if (listener === undefined || audioId === undefined) throw new Error('Nobody or nothing to ask for');
    const headers = { authorization: `Bearer ${listener.token}` };
    const isWrite = turn % 3 === 0;
    const path = isWrite ? `/v1/api/user/favorite/${audioId}` : turn % 3 === 1 ? '/v1/api/audios?limit=20' : '/';
    const init = isWrite ? { method: 'POST', headers: { ...headers, ...json }, body: favorite } : { headers };
    let isDone = await ask(path, init);
    if (!isDone) {
      result.failed += 1;
      await wait(1000);
      isDone = await ask(path, init);
      if (!isDone) result.failedTwice += 1;
    }
    if (isDone && isWrite) answered.push({ userId: listener.id, audioId });
  }

  const timer = setInterval(() => {
    for (let count = 0; count < perSecond / 20; count += 1) {
      const work = one().finally(() => running.delete(work));
      running.add(work);
    }
  }, 50);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(running);
      if (result.failed > 0) console.log('Failures by status or code:', statuses);
      return { ...result, lost: await countMissing(cluster.databaseUrl, answered) };
    },
  };
}

async function countMissing(databaseUrl: string, answered: { userId: string; audioId: string }[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ missing: string }>(
      `select count(*) as missing from unnest($1::uuid[], $2::uuid[]) as kept (user_id, audio_id)
       where not exists (select from audio_favorites f where f.user_id = kept.user_id and f.content_id = kept.audio_id)`,
      [answered.map(({ userId }) => userId), answered.map(({ audioId }) => audioId)],
    );
    return Number(rows[0]?.missing);
  } finally {
    await client.end();
  }
}
