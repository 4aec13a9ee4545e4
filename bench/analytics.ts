import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import pg from 'pg';
import { findRunningServer } from '#db/embedded/server.ts';
import { browserFetch, browserHeaders } from './browser-headers.ts';
import { type Figure, atLeast, median, ratio } from './figures.ts';
import { createListeners } from './listeners.ts';
import { startSite } from './site-process.ts';

const connections = 32;
const rounds = 3;
const seconds = 5;
const articles = 2000;

/** Events over HTTP from many browsers at once, and the blog's page with few and with many articles. */
export async function benchAnalytics(): Promise<Figure[]> {
  const dataDirs = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'sotto-bench-'))));
  const [few, many] = dataDirs as [string, string];
  // Browsers send X-Forwarded-For as a proxy would: each may send 60 batches a minute.
  const site = await startSite({ DATA_DIR: few, TRUST_PROXY: '1' });
  try {
    const figures = await benchEvents(site.url, few);
    const large = await startSite({ DATA_DIR: many });
    try {
      figures.push(await benchBlog([site.url, few], [large.url, many]));
    } finally {
      await large.stop();
    }
    return figures;
  } finally {
    await site.stop();
    for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchEvents(siteUrl: string, dataDir: string): Promise<Figure[]> {
  const client = await connect(dataDir);
  const rates: Record<number, number[]> = { 1: [], 20: [] };
  let browsers = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const size of [20, 1]) {
      const before = await countEvents(client);
      const result = await autocannon({
        url: siteUrl,
        connections,
        // The first round only warms up.
        duration: round === 0 ? 2 : seconds,
        setupClient(one) {
          one.setRequests(
            Array.from({ length: 400 }, () => ({
              method: 'POST' as const,
              path: '/v1/api/events',
              headers: {
                ...browserHeaders,
                'content-type': 'application/json',
                'x-forwarded-for': addressOf((browsers += 1)),
              },
              body: JSON.stringify({ events: Array.from({ length: size }, (_, index) => eventOf(index)) }),
            })),
          );
        },
      });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${result.non2xx} batches were not answered with 2xx, ${result.errors} failed`);
      const recorded = (await countEvents(client)) - before;
      if (recorded < result.requests.total * size) throw new Error('Events were answered and not kept');
      if (round > 0) rates[size]?.push((result.requests.average || 0) * size);
    }
  }
  await client.end();
  const [batched, single] = [median(rates[20] ?? []), median(rates[1] ?? [])];
  return [
    atLeast(`Events over HTTP in batches of 20, ${connections} connections`, batched, 5000, 'events/s'),
    ratio('Events in batches of 20, of events one by one', batched / single, 5),
  ];
}

function eventOf(index: number) {
  const subjectId = `019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a${String(10 + index).padStart(2, '0')}`;
  return index % 2 === 0
    ? { name: 'audio_click', source: 'homepage', subjectId }
    : { name: 'play_click', source: 'category', subjectId, properties: { position: index } };
}

function addressOf(number: number): string {
  return [10, (number >> 16) & 255, (number >> 8) & 255, number & 255].join('.');
}

/** The page of a logged-in listener, which is not cached; measured in turns. */
async function benchBlog(...sites: [[string, string], [string, string]]): Promise<Figure> {
  const asks: (() => Promise<number>)[] = [];
  for (const [index, [url, dataDir]] of sites.entries()) {
    const client = await connect(dataDir);
    if (index === 1) await addArticles(client);
    else await client.query(`delete from articles where id not in (select id from articles limit 12)`);
    await client.query('vacuum analyze articles');
    await client.end();
    const [listener] = await createListeners((await findRunningServer(dataDir)) ?? '', 1);
    const headers = { cookie: `sotto_session=${listener?.token}` };
    asks.push(async () => {
      const began = performance.now();
      const response = await browserFetch(`${url}/blog`, { headers });
      const text = await response.text();
      if (response.status !== 200 || text.split('class="card post"').length < 11)
        throw new Error('The page is not full');
      return performance.now() - began;
    });
  }
  const times: number[][] = [[], []];
  for (let round = 0; round < 140; round += 1)
    for (const [index, ask] of asks.entries()) {
      const time = await ask();
      if (round >= 20) times[index]?.push(time);
    }
  const [small, large] = [median(times[0] ?? []), median(times[1] ?? [])];
  const value = large / small;
  return {
    name: `Blog page: p50 with ${articles} articles of that with 12`,
    value: `${value.toFixed(2)}× (${large.toFixed(1)} ms)`,
    limit: '≤ 1.3×',
    ok: value <= 1.3,
  };
}

async function addArticles(client: pg.Client): Promise<void> {
  await client.query(
    `insert into articles (id, slug, title, sort_title, description, body, topic, read_time, published_at)
     select gen_random_uuid(), 'bench-' || n, 'Article ' || n, 'article ' || lpad(n::text, 6, '0'), repeat('A description. ', 6),
       repeat('A paragraph of some length that says one thing after another. ', 60),
       (array['sex', 'wellness', 'culture', 'relationships'])[n % 4 + 1], 60 + n % 600, now() - make_interval(hours => n)
     from generate_series(1, $1::int) n`,
    [articles - 14],
  );
}

async function countEvents(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from analytics_events');
  return rows[0]?.count ?? 0;
}

async function connect(dataDir: string): Promise<pg.Client> {
  const connectionString = await findRunningServer(dataDir);
  if (connectionString === undefined) throw new Error('The database of the site does not answer');
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
