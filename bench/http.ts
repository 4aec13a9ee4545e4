import autocannon from 'autocannon';
import { startBareRoutes } from './bare-routes.ts';
import { browserHeaders } from './browser-headers.ts';
import type { Figure } from './figures.ts';
import { median, ratio } from './figures.ts';

const rounds = 3;
const seconds = 4;

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, headers: browserHeaders, connections: 32, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return result.requests.average;
}

const names = ['list', 'home', 'audio'] as const;
type Name = (typeof names)[number];

/** The API's list and visitors' pages, each compared to a route that only sends the same compressed bytes, in turns. */
export async function benchHttp(siteUrl: string): Promise<Figure[]> {
  const targets: Record<Name, string> = {
    list: `${siteUrl}/v1/api/audios?limit=24`,
    home: `${siteUrl}/`,
    audio: `${siteUrl}/audio/how-do-i-love-thee`,
  };
  const bare = await startBareRoutes(targets);
  try {
    const measured: Record<Name, { bare: number; site: number }[]> = { list: [], home: [], audio: [] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of names) {
        const pair = { bare: await requestsPerSecond(bare.urls[name]), site: await requestsPerSecond(targets[name]) };
        // The first round only warms up.
        if (round > 0) measured[name].push(pair);
      }
    }
    const peer = (name: Name) => Math.round(median(measured[name].map((pair) => pair.bare)));
    const against = (name: Name) => median(measured[name].map((pair) => pair.site / pair.bare));
    return [
      {
        name: 'Bare routes with the bytes of list, home and audio page, 32 connections',
        value: `${names.map(peer).join(', ')} requests/s`,
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
