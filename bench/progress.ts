import autocannon from 'autocannon';
import pg from 'pg';
import { findRunningServer } from '#db/embedded/server.ts';
import { browserFetch, browserHeaders } from './browser-headers.ts';
import { type Figure, atLeast, atMost, median } from './figures.ts';
import { createListeners } from './listeners.ts';

const connections = 64;
const listeners = 2048;
const rounds = 3;
const seconds = 6;

/** Positions stored over HTTP by many listeners at once, on the embedded database; each is on disk when answered. */
export async function benchProgress(siteUrl: string, dataDir: string): Promise<Figure[]> {
  const databaseUrl = await findRunningServer(dataDir);
  if (databaseUrl === undefined) throw new Error('The database of the site does not answer');
  const audioIds = await listAudioIds(siteUrl);
  const all = await createListeners(databaseUrl, listeners);
  const perConnection = listeners / connections;
  const results = [];
  for (let round = 0; round <= rounds; round += 1) {
    let next = 0;
    const result = await autocannon({
      url: siteUrl,
      connections,
      // The first round only warms up.
      duration: round === 0 ? 2 : seconds,
      setupClient(client) {
        const own = all.slice(next, next + perConnection);
        next += perConnection;
        client.setRequests(
          own.map(({ token }, index) => ({
            method: 'POST' as const,
            path: '/v1/api/history/me/value',
            headers: { ...browserHeaders, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({
              type: 'currentlyListening',
              id: audioIds[(next + index + round) % audioIds.length],
              seconds: Math.round(Math.random() * 20_000) / 1000,
            }),
          })),
        );
      },
    });
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${result.non2xx} places were not answered with 2xx, ${result.errors} failed`);
    if (round > 0) results.push(result);
  }
  await refuseLooseCommits(databaseUrl);
  const what = `Places kept over HTTP, ${connections} connections, ${listeners} listeners`;
  return [
    atLeast(what, median(results.map(({ requests }) => requests.average)), 2500, 'writes/s'),
    atMost(`${what}: p99`, median(results.map(({ latency }) => latency.p99)), 100, 'ms'),
  ];
}

async function listAudioIds(siteUrl: string): Promise<string[]> {
  const response = await browserFetch(`${siteUrl}/v1/api/audios?limit=50`);
  const { items } = (await response.json()) as { items: { id: string }[] };
  return items.map(({ id }) => id);
}

/** Results with asynchronous commits would not be comparable. */
async function refuseLooseCommits(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit') and setting <> 'on'`,
  );
  await client.end();
  if (rows.length > 0) throw new Error(`${rows.map(({ name }) => name).join(' and ')} is off`);
}
