import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '#db/database.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { fold } from '#domain/search/words.ts';
import { startEmbeddedServer } from '#db/embedded/server.ts';
import { browserFetch } from './browser-headers.ts';
import { type Figure, atMost, quantile, share } from './figures.ts';
import { type SearchCatalogue, fillSearchCatalogue } from './search-catalogue.ts';
import { benchSearchEngines } from './search-engines.ts';
import { type Question, drawExactTerms, drawMisspellings, drawQuestions } from './search-questions.ts';
import { memoryOf } from './memory.ts';
import { type SiteProcess, startSite } from './site-process.ts';

const quiet = { info: () => {}, warn: () => {} };
const connections = 8;
const perKind = 500;

type Hits = {
  audios: { hits: { title: string; line: { text: string } | null }[] };
  voices: { hits: { name: string }[] };
  users: { hits: { username: string }[] };
};

/**
 * Dropdown search on a catalogue of 100,000 audios, 5,000 voices and 20,000 user playlists: latency, typo tolerance,
 * time to ready after a start, and cost; then the engine itself beside a library.
 */
export async function benchSearch(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  try {
    const server = await startEmbeddedServer({ dataDir, log: quiet });
    const database = openDatabase({ url: server.url, poolSize: 1 });
    await migrateDatabase(database);
    const catalogue = await fillSearchCatalogue(server.url);
    const engines = await benchSearchEngines(database.db, catalogue);
    await database.close();
    await server.stop();
    const site = await startSite({ DATA_DIR: dataDir, DEMO: 'false', TRUST_PROXY: '1' });
    try {
      const before = await memoryOf(site.pid);
      const began = performance.now();
      // The first page is answered while the index is being built.
      const first = await timed(() => browserFetch(`${site.url}/about`));
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
        ...(await benchPrecision(site.url, catalogue)),
        ...engines,
      ];
    } finally {
      await site.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchQuestions({ url: siteUrl, pid }: SiteProcess, catalogue: SearchCatalogue): Promise<Figure[]> {
  const asked = drawQuestions(catalogue, perKind);
  // The first requests only warm up.
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
    ...[...new Set(asked.map(({ kind }) => kind))].toSorted().map((kind) => {
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

async function benchForgiveness(siteUrl: string, catalogue: SearchCatalogue): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const drawn = drawMisspellings(catalogue);
  let found = 0;
  for (const [number, { typed, meant, group }] of drawn.entries()) {
    const answer = await ask(siteUrl, agent, typed, number);
    if (namesOf(answer, group).includes(meant)) found += 1;
  }
  agent.destroy();
  const name = `Search: of ${drawn.length} misspelt titles and names, the meant one in the first three`;
  return [share(name, found, drawn.length, 90)];
}

/** Correctly spelled words, names and usernames: fuzzy matches must not be among the first ten. */
async function benchPrecision(siteUrl: string, catalogue: SearchCatalogue): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const drawn = drawExactTerms(catalogue);
  let shown = 0;
  let exact = 0;
  for (const [number, { term, group }] of drawn.entries()) {
    const answer = await ask(siteUrl, agent, term, number, 10);
    const texts =
      group === 'audios'
        ? answer.audios.hits.map(({ title, line }) => `${title} ${line?.text ?? ''}`)
        : namesOf(answer, group);
    shown += Math.max(1, texts.length);
    exact += texts.filter((text) => fold(text).includes(fold(term))).length;
  }
  agent.destroy();
  const name = `Search: of ${drawn.length} exact words, names and usernames, hits in the first ten that hold the word itself`;
  return [share(name, exact, shown, 95)];
}

function namesOf({ audios, voices, users }: Hits, group: 'audios' | 'voices' | 'users'): string[] {
  if (group === 'audios') return audios.hits.map(({ title }) => title);
  return group === 'voices' ? voices.hits.map(({ name }) => name) : users.hits.map(({ username }) => username);
}

async function askAll(siteUrl: string, agent: Agent, asked: Question[]) {
  const times: { kind: string; time: number }[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let at = next++; at < asked.length; at = next++) {
        const { kind, term } = asked[at] as Question;
        times.push({ kind, time: await timed(() => ask(siteUrl, agent, term, at)) });
      }
    }),
  );
  return times;
}

/** @param client number of the simulated client, since each has a limit per minute */
function ask(siteUrl: string, agent: Agent, term: string, client: number, limit = 3): Promise<Hits> {
  const address = `${siteUrl}/v1/api/algolia/search?limit=${limit}&query=${encodeURIComponent(term)}`;
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

async function figure(siteUrl: string, name: string): Promise<number> {
  const text = await (await browserFetch(`${siteUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** CPU milliseconds of the process including its threads. Linux only, whose clock has 100 ticks a second. */
async function busyOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) * 10;
}
