import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { openDatabase } from '#db/database.ts';
import { migrateDatabase } from '#db/migrate.ts';
import type { Db } from '#domain/kernel/db.ts';
import { builtInFeed, rebuildIfAsked } from '#domain/search/index-feed.ts';
import { askForRebuild } from '#domain/search/feeds.ts';
import { queryWords, wordsOf } from '#domain/search/words.ts';
import { startEmbeddedServer } from '#db/embedded/server.ts';
import { type Figure, atMost, quantile, share } from './figures.ts';
import { type SearchCatalogue, fillSearchCatalogue } from './search-catalogue.ts';
import { type Question, drawExactTerms, drawMisspellings, drawQuestions } from './search-questions.ts';
import { memoryOf } from './memory.ts';
import { type SiteProcess, startSite } from './site-process.ts';

const quiet = { info: () => {}, warn: () => {} };
const perKind = 500;
/** `SEARCH_TIMES=10`: 1.27 million documents instead of 127,012. */
const scale = Number(process.env['SEARCH_TIMES'] ?? 1);

type Hits = {
  audios: { hits: { title: string; line: { text: string } | null }[] };
  voices: { hits: { name: string }[] };
  users: { hits: { username: string }[] };
};

/**
 * Dropdown search on a catalogue of 100,000 audios, 5,000 voices and 20,000 user playlists: time to index, latency,
 * memory, typo tolerance and precision.
 */
export async function benchSearch(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  try {
    const server = await startEmbeddedServer({ dataDir, log: quiet });
    const database = openDatabase({ url: server.url, poolSize: 1 });
    await migrateDatabase(database);
    const catalogue = await fillSearchCatalogue(server.url, scale);
    const indexed = await timed(() => indexAll(database.db));
    await database.close();
    await server.stop();
    const site = await startSite({ DATA_DIR: dataDir, DEMO: 'false', TRUST_PROXY: '1' });
    try {
      const before = await memoryOf(site.pid);
      const questions = [...(await benchQuestions(site, catalogue, 1)), ...(await benchQuestions(site, catalogue, 8))];
      return [
        atMost('Search: start until ready, with the large catalogue', site.readyAfter, 3000, 'ms'),
        atMost('Search: writing the whole index', indexed / 1000, 120 * scale, 's'),
        {
          name: 'Search: memory of the process before and after the questions',
          value: `${Math.round(before)} and ${Math.round(await memoryOf(site.pid))} MB`,
          limit: '',
          ok: undefined,
        },
        ...questions,
        ...(await benchForgiveness(site.url, catalogue)),
        ...(await benchPrecision(site.url, catalogue)),
      ];
    } finally {
      await site.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The rows were loaded by SQL: instead of their changes, all of them are read. */
async function indexAll(db: Db): Promise<void> {
  await db.execute(sql`truncate search_changes`);
  await askForRebuild(db, builtInFeed);
  await rebuildIfAsked(db);
}

async function benchQuestions(
  { url: siteUrl, pid }: SiteProcess,
  catalogue: SearchCatalogue,
  connections: number,
): Promise<Figure[]> {
  const asked = drawQuestions(catalogue, perKind);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  // The first requests only warm up.
  await askAll(siteUrl, agent, asked.slice(0, 300), connections);
  const busyBefore = await busyOf(pid);
  const times = await askAll(siteUrl, agent, asked, connections);
  const busy = ((await busyOf(pid)) - busyBefore) / asked.length;
  agent.destroy();
  const load = loadavg()[0]?.toFixed(1);
  const all = times.map(({ time }) => time);
  const of = `Search: dropdown, ${connections} at once`;
  return [
    atMost(
      `${of}, p50 (load ${load} on ${cpus().length} cores)`,
      quantile(all, 0.5),
      connections === 1 ? (scale === 1 ? 5 : 10) : 30,
      'ms',
    ),
    atMost(`${of}, p99`, quantile(all, 0.99), 100, 'ms'),
    {
      name: `${of}: time of the processor for a question, without the database`,
      value: `${busy.toFixed(2)} ms`,
      limit: '',
      ok: undefined,
    },
    ...[...new Set(asked.map(({ kind }) => kind))].toSorted().map((kind) => {
      const own = times.filter((one) => one.kind === kind).map(({ time }) => time);
      return {
        name: `${of}: ${kind}, p50 and p99`,
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

/**
 * Correctly spelled words, names and usernames: fuzzy matches must not be among the first ten, and names that have the
 * words come before those that only begin with them, and before all others.
 */
async function benchPrecision(siteUrl: string, catalogue: SearchCatalogue): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const drawn = drawExactTerms(catalogue);
  let shown = 0;
  let exact = 0;
  let ordered = 0;
  for (const [number, { term, group }] of drawn.entries()) {
    const answer = await ask(siteUrl, agent, term, number, 10);
    const lines = group === 'audios' ? answer.audios.hits.map(({ line }) => line?.text ?? '') : [];
    const names = namesOf(answer, group);
    const texts = names.map(
      (name, at) => `${name} ${lines[at] ?? ''} ${catalogue.bios[catalogue.names.indexOf(name)] ?? ''}`,
    );
    shown += Math.max(1, texts.length);
    exact += texts.filter((text) =>
      queryWords(term).every((word) => wordsOf(text).some((own) => own.startsWith(word))),
    ).length;
    const ranks = names.map((name) => nameRank(name, term));
    if (ranks.every((rank, place) => place === 0 || rank >= (ranks[place - 1] ?? 0))) ordered += 1;
  }
  agent.destroy();
  const of = `Search: of ${drawn.length} exact words, names and usernames`;
  return [
    share(`${of}, hits in the first ten that hold the words themselves`, exact, shown, 100),
    share(`${of}, those with exact names before prefixes before others`, ordered, drawn.length, 100),
  ];
}

/** 0: the name has all the words, 1: as prefixes, 2: neither. */
function nameRank(name: string, term: string): 0 | 1 | 2 {
  const words = wordsOf(name);
  const typed = queryWords(term);
  if (typed.every((word) => words.includes(word))) return 0;
  return typed.every((word) => words.some((own) => own.startsWith(word))) ? 1 : 2;
}

function namesOf({ audios, voices, users }: Hits, group: 'audios' | 'voices' | 'users'): string[] {
  if (group === 'audios') return audios.hits.map(({ title }) => title);
  return group === 'voices' ? voices.hits.map(({ name }) => name) : users.hits.map(({ username }) => username);
}

async function askAll(siteUrl: string, agent: Agent, asked: Question[], connections: number) {
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

/** CPU milliseconds of the process including its threads. Linux only, whose clock has 100 ticks a second. */
async function busyOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) * 10;
}
