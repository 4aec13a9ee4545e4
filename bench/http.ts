import { startBareRoutes } from './bare-routes.ts';
import { browserHeaders } from './browser-headers.ts';
import { type Figure, median, ratio, skipped } from './figures.ts';
import { cpuSecondsOf, requestsPerCpuSecond } from './process-cpu.ts';

const rounds = 3;
/** Enough for a CPU time that can be read, in hundredths of a second. */
const requests = 10_000;

const names = ['list', 'home', 'audio'] as const;
type Name = (typeof names)[number];

/**
 * The API's list and visitors' pages, each compared to a route that only sends the same compressed bytes, in turns, by the
 * CPU time of both processes.
 */
export async function benchHttp({ url: siteUrl, pid }: { url: string; pid: number }): Promise<Figure[]> {
  if ((await cpuSecondsOf(pid)) === undefined) return [skipped('Pages of visitors', 'needs /proc')];
  const targets: Record<Name, string> = {
    list: `${siteUrl}/v1/api/audios?limit=24`,
    home: `${siteUrl}/`,
    audio: `${siteUrl}/audio/how-do-i-love-thee`,
  };
  const bare = await startBareRoutes(targets);
  const ask = (process: number, url: string) =>
    requestsPerCpuSecond(process, { url, amount: requests, headers: browserHeaders, connections: 32 });
  try {
    const measured: Record<Name, { bare: number; site: number }[]> = { list: [], home: [], audio: [] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of names) {
        const pair = { bare: await ask(bare.pid, bare.urls[name]), site: await ask(pid, targets[name]) };
        // The first round only warms up.
        if (round > 0) measured[name].push(pair);
      }
    }
    const peer = (name: Name) => Math.round(median(measured[name].map((pair) => pair.bare)));
    const against = (name: Name) => median(measured[name].map((pair) => pair.site / pair.bare));
    return [
      {
        name: 'Bare routes with the bytes of list, home and audio page, 32 connections',
        value: `${names.map(peer).join(', ')} requests per CPU second`,
        limit: 'peer',
        ok: undefined,
      },
      ratio('List of 24 audios by the API, of the bare route', against('list'), 0.5),
      ratio('Home page for visitors, compressed, of the bare route', against('home'), 0.6),
      ratio('Audio page for visitors, compressed, of the bare route', against('audio'), 0.6),
    ];
  } finally {
    await bare.stop();
  }
}
