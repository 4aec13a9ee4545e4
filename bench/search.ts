import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrateDatabase, openDatabase } from '#db/database.ts';
import { startEmbeddedServer } from '#db/embedded-server.ts';
import type { Figure } from './figures.ts';
import { atMost } from './figures.ts';
import type { SearchCatalogue } from './search-catalogue.ts';
import { fillSearchCatalogue, misspell, seededRandom } from './search-catalogue.ts';
import type { SiteProcess } from './site-process.ts';
import { startSite } from './site-process.ts';

const quiet = { info: () => {}, warn: () => {} };
const connections = 8;
const perKind = 500;
const misspellings = 300;

type Hits = { audios: { hits: { title: string }[] }; voices: { hits: { name: string }[] } };

/**
 * The dropdown's question on a catalogue of 100,000 audios, 5,000 voices and 20,000 playlists of listeners: how soon it is
 * answered, whether it forgives, how soon after a start, and at what price.
 */
export async function benchSearch(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  try {
    const server = await startEmbeddedServer({ dataDir, log: quiet });
    const database = openDatabase({ url: server.url, poolSize: 1 });
    await migrateDatabase(database);
    await database.close();
    const catalogue = await fillSearchCatalogue(server.url);
    await server.stop();
    const site = await startSite({ DATA_DIR: dataDir, DEMO: 'false', TRUST_PROXY: '1' });
    try {
      const before = await memoryOf(site.pid);
      const began = performance.now();
      // The first page is answered while the index is made.
      const first = await timed(() => fetch(`${site.url}/about`));
      while ((await figure(site.url, 'sotto_search_ready')) !== 1) await wait(200);
      const seconds = (performance.now() - began) / 1000;
      const documents = await figure(site.url, 'sotto_search_documents');
      return [
        atMost('Search: start until ready, with the large catalogue', site.readyAfter, 3000, 'ms'),
        atMost('Search: a page while the index is made', first, 1000, 'ms'),
        atMost(`Search: index of ${documents} ready after the start`, seconds, 60, 's'),
        {
          name: 'Search: memory of the process with its index (before it was made)',
          value: `${Math.round(await memoryOf(site.pid))} MB (${Math.round(before)} MB)`,
          limit: '',
          ok: undefined,
        },
        ...(await benchQuestions(site, catalogue)),
        ...(await benchForgiveness(site.url, catalogue)),
      ];
    } finally {
      await site.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchQuestions(
  { url: siteUrl, pid }: SiteProcess,
  { titles, names, listTitles }: SearchCatalogue,
): Promise<Figure[]> {
  const random = seededRandom(99);
  const pick = (list: string[]) => list[Math.floor(random() * list.length)] ?? '';
  const start = (text: string, length: number) => text.slice(0, length);
  const kinds: Record<string, () => string> = {
    'one letter': () => start(pick(titles), 1),
    'two and three letters': () => start(pick(random() < 0.5 ? titles : names), 2 + Math.floor(random() * 2)),
    'the beginning of a title': () => start(pick(titles), 4 + Math.floor(random() * 12)),
    'a title or a name': () => pick(random() < 0.5 ? titles : random() < 0.5 ? names : listTitles),
    'a misspelt title or name': () => misspell(pick(random() < 0.5 ? titles : names), random),
  };
  const asked = Object.entries(kinds).flatMap(([kind, make]) =>
    Array.from({ length: perKind }, () => ({ kind, term: make(), order: random() })),
  );
  asked.sort((a, b) => a.order - b.order);
  // The first ones only warm up.
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  await askAll(siteUrl, agent, asked.slice(0, 300));
  const busyBefore = await busyOf(pid);
  const times = await askAll(siteUrl, agent, asked);
  const busy = ((await busyOf(pid)) - busyBefore) / asked.length;
  agent.destroy();
  const load = loadavg()[0]?.toFixed(1);
  const all = times.map(({ time }) => time);
  return [
    atMost(
      `Search: dropdown p50, ${connections} connections (load ${load} on ${cpus().length} cores)`,
      quantile(all, 0.5),
      10,
      'ms',
    ),
    atMost('Search: dropdown p99', quantile(all, 0.99), 40, 'ms'),
    {
      name: 'Search: time of the processor for a question, without the database',
      value: `${busy.toFixed(2)} ms`,
      limit: '',
      ok: undefined,
    },
    ...Object.keys(kinds).map((kind) => {
      const own = times.filter((one) => one.kind === kind).map(({ time }) => time);
      return {
        name: `Search: ${kind}, p50 and p99`,
        value: `${quantile(own, 0.5).toFixed(1)} and ${quantile(own, 0.99).toFixed(1)} ms`,
        limit: '',
        ok: undefined,
      };
    }),
  ];
}

async function benchForgiveness(siteUrl: string, { titles, names }: SearchCatalogue): Promise<Figure[]> {
  const random = seededRandom(7);
  const agent = new Agent({ keepAlive: true });
  let found = 0;
  for (let number = 0; number < misspellings; number += 1) {
    const list = number % 3 === 2 ? names : titles;
    const meant = list[Math.floor(random() * list.length)] ?? '';
    const { audios, voices } = await ask(siteUrl, agent, misspell(meant, random), number);
    const hits = list === names ? voices.hits.map(({ name }) => name) : audios.hits.map(({ title }) => title);
    if (hits.includes(meant)) found += 1;
  }
  agent.destroy();
  const percent = (found / misspellings) * 100;
  return [
    {
      name: `Search: of ${misspellings} misspelt titles and names, the meant one in the first three`,
      value: `${percent.toFixed(1)} %`,
      limit: '≥ 90 %',
      ok: percent >= 90,
    },
  ];
}

async function askAll(siteUrl: string, agent: Agent, asked: { kind: string; term: string }[]) {
  const times: { kind: string; time: number }[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let at = next++; at < asked.length; at = next++) {
        const { kind, term } = asked[at] as { kind: string; term: string };
        times.push({ kind, time: await timed(() => ask(siteUrl, agent, term, at)) });
      }
    }),
  );
  return times;
}

/** @param client whoever asks, since each may ask so often a minute */
function ask(siteUrl: string, agent: Agent, term: string, client: number): Promise<Hits> {
  const address = `${siteUrl}/v1/api/algolia/search?limit=3&query=${encodeURIComponent(term)}`;
  const headers = { 'x-forwarded-for': `10.0.${Math.floor(client / 250) % 250}.${client % 250}` };
  return new Promise((resolve, reject) => {
    get(address, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(JSON.parse(text) as Hits);
        else reject(new Error(`The search answered ${response.statusCode}: ${text}`));
      });
    }).on('error', reject);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function figure(siteUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${siteUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** Milliseconds that the process had a processor; its threads too. Linux only, whose clock has 100 ticks a second. */
async function busyOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) * 10;
}

/** MB of the site's own process, each shared page counted once; 0 where there is no /proc. */
async function memoryOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}
