import type autocannon from 'autocannon';
import pg from 'pg';
import { findRunningServer } from '#db/embedded/server.ts';
import { startBareRoutes } from './bare-routes.ts';
import { browserFetch, browserHeaders } from './browser-headers.ts';
import { type Figure, atMost, median, skipped } from './figures.ts';
import { createListeners } from './listeners.ts';
import { cpuSecondsOf, requestsPerCpuSecond } from './process-cpu.ts';

const listeners = 40;
const connections = 16;
const rounds = 3;
/** Requests per measurement. A bare route needs more of them for a readable CPU time, in hundredths of a second. */
const requests = 160;
const bareRequests = 8000;
/** A running site has already compiled the code of most requests. */
const warmUp = 600;
const asked = 60;

/** Pages as documents, and as the data that a navigation inside the app requests. */
const pages = {
  home: '/',
  audio: '/audio/how-do-i-love-thee',
  library: '/library',
  homeData: '/_.data?_routes=routes%2Fhome',
  audioData: '/audio/how-do-i-love-thee.data?_routes=routes%2Faudio',
  libraryData: '/library.data?_routes=routes%2Flibrary',
};
type Name = keyof typeof pages;
const names = Object.keys(pages) as Name[];

/** Target of requests per CPU second, in thousandths of the bare route's. */
const min: Record<Name, number> = { home: 10, audio: 11, library: 15, homeData: 8, audioData: 9, libraryData: 7 };
const labels: Record<Name, string> = {
  home: 'home',
  audio: 'audio page',
  library: 'library',
  homeData: 'home as data',
  audioData: 'audio page as data',
  libraryData: 'library as data',
};

/**
 * Personal pages of many logged-in listeners, compared with routes that only send the same bytes, by CPU time of both
 * processes, because other load on the machine changes requests per second.
 */
export async function benchListenerPages(site: { url: string; pid: number }, dataDir: string): Promise<Figure[]> {
  if ((await cpuSecondsOf(site.pid)) === undefined) return [skipped('Pages of logged-in listeners', 'needs /proc')];
  const cookies = await createTypicalListeners((await findRunningServer(dataDir)) ?? '');
  const urls = Object.fromEntries(names.map((name) => [name, site.url + pages[name]])) as Record<Name, string>;
  const bare = await startBareRoutes(urls, { cookie: cookies[0] ?? '' });
  try {
    const figures: Figure[] = [];
    for (const name of names) {
      const own: number[] = [];
      const peer: number[] = [];
      // The first round only warms up.
      for (let round = 0; round <= rounds; round += 1) {
        const ofPeer = await requestsPerCpuSecond(bare.pid, {
          url: bare.urls[name],
          amount: bareRequests,
          ...asListeners(cookies),
        });
        const ofSite = await requestsPerCpuSecond(site.pid, {
          url: urls[name],
          amount: round === 0 ? warmUp : requests,
          ...asListeners(cookies),
        });
        if (round === 0) continue;
        peer.push(ofPeer);
        own.push(ofSite);
      }
      const share = (median(own) / median(peer)) * 1000;
      figures.push(
        {
          name: `Logged-in ${labels[name]}, requests per CPU second (bare route ${Math.round(median(peer))})`,
          value: `${Math.round(median(own))}, ${share.toFixed(1)} ‰`,
          limit: `≥ ${min[name]} ‰`,
          ok: share >= min[name],
        },
        atMost(
          `Logged-in ${labels[name]}, one at a time, p50`,
          await timeOne(urls[name], cookies),
          name.endsWith('Data') ? 3 : 7,
          'ms',
        ),
      );
      if (!name.endsWith('Data'))
        figures.push(await measureRendering(labels[name], { url: urls[name], pid: site.pid, cookies }));
    }
    return figures;
  } finally {
    await bare.stop();
  }
}

/** Documents that nothing kept answers, as after a change of what they show. */
async function measureRendering(
  label: string,
  { url, pid, cookies }: { url: string; pid: number; cookies: string[] },
): Promise<Figure> {
  const measured: number[] = [];
  const as = asListeners(cookies, new URL(url).pathname);
  for (let round = 0; round <= rounds; round += 1)
    measured.push(await requestsPerCpuSecond(pid, { url, amount: requests, ...as }));
  const p50 = await timeOne(url, cookies, true);
  return {
    name: `Logged-in ${label}, rendered anew: requests per CPU second, one at a time`,
    value: `${Math.round(median(measured.slice(1)))}, ${p50.toFixed(1)} ms`,
    limit: '',
    ok: undefined,
  };
}

/**
 * Each connection stands for several listeners.
 * @param path asked for with another query each time, so that no page has been rendered before
 */
function asListeners(cookies: string[], path?: string): Pick<autocannon.Options, 'connections' | 'setupClient'> {
  let next = 0;
  const setupRequest = (request: autocannon.Request) => ({ ...request, path: anew(path ?? '') });
  return {
    connections,
    setupClient(client) {
      const own = cookies.filter((_, index) => index % connections === next % connections);
      next += 1;
      client.setRequests(
        own.map((cookie) => ({
          headers: { ...browserHeaders, cookie },
          ...(path !== undefined && { setupRequest }),
        })),
      );
    },
  };
}

let queries = 0;

function anew(address: string): string {
  queries += 1;
  return `${address}?n=${queries}`;
}

/** @param isAnew as in `asListeners` */
async function timeOne(url: string, cookies: string[], isAnew = false): Promise<number> {
  const times: number[] = [];
  for (let round = -10; round < asked; round += 1) {
    const began = performance.now();
    const response = await browserFetch(isAnew ? anew(url) : url, {
      headers: { cookie: cookies[(round + 10) % cookies.length] ?? '' },
    });
    await response.arrayBuffer();
    if (round >= 0) times.push(performance.now() - began);
  }
  return median(times);
}

/**
 * With favorites, positions in audios and a history, like most listeners; every fourth is subscribed.
 * @returns the cookie of each
 */
async function createTypicalListeners(databaseUrl: string): Promise<string[]> {
  const made = await createListeners(databaseUrl, listeners);
  const ids = made.map(({ id }) => id);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const each = (count: number) => `unnest($1::uuid[]) with ordinality as u (id, number)
      cross join lateral (select id, duration_ms, row_number() over (order by md5(a.id::text || u.id::text)) as place
        from audios a where published_at <= now() order by place limit ${count}) as heard (audio_id, duration_ms, place)`;
    await client.query(`insert into audio_favorites (user_id, content_id) select u.id, audio_id from ${each(30)}`, [
      ids,
    ]);
    await client.query(
      `insert into listening_progress (user_id, audio_id, position_ms, updated_at)
       select u.id, audio_id, duration_ms / 3, now() - make_interval(mins => place::int) from ${each(6)}`,
      [ids],
    );
    await client.query(
      `insert into listening_history (user_id, audio_id, listens, last_listened_at)
       select u.id, audio_id, 1, now() - make_interval(mins => place::int) from ${each(12)}`,
      [ids],
    );
    await client.query(
      `insert into memberships (user_id, gift_until) select id, now() + interval '30 days' from unnest($1::uuid[]) as u (id)`,
      [ids.filter((_, index) => index % 4 === 0)],
    );
    await client.query('analyze audio_favorites, listening_progress, listening_history, memberships');
  } finally {
    await client.end();
  }
  return made.map(({ token }) => `sotto_session=${token}`);
}
