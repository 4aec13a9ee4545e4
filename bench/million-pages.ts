import { once } from 'node:events';
import { type IncomingMessage, Agent, get } from 'node:http';
import { browserHeaders } from './browser-headers.ts';
import { type Figure, atMost, median, quantile } from './figures.ts';

const atOnce = 8;
const rounds = 25;
/** A running site has compiled the code of its pages: one of the first 200 takes twice as long as one after 600. */
const warmUpThemes = ['light', 'system', 'dark'];
/** For each theme. The small site has as many audios as these and the measured rounds ask for. */
const warmUp = 25;

/** `n` differs with each request, so that no response comes from the cache of visitors' pages. */
const addresses: [name: string, path: (n: number, isLarge: boolean) => string][] = [
  ['the page of an audio', (n) => `/audio/audio-${n}`],
  ['the page of a creator', (n) => `/creators/voice-${n % 20}`],
  ['the page of a creator by plays', (n) => `/creators/voice-${n % 20}?sort=popular`],
  ['the page of a series', (n) => `/series/series-${n % 20}`],
  ['the page of a category', (n) => `/categories/category-${n % 12}`],
  ['the list of audios by tag', (n) => `/audios?tag=tag-${n % 20}`],
  ['the feed of a creator', (n) => `/creators/voice-${n % 20}/feed.xml`],
  ['the feed of a series', (n) => `/series/series-${n % 20}/feed.xml`],
  [
    'a file of the sitemap',
    // Five hundred addresses, as in the index; all four hundred of the small site.
    (n, isLarge) =>
      isLarge
        ? `/sitemaps/audios.xml?after=audio-${100_000 + n * 450}&until=audio-${100_450 + n * 450}`
        : `/sitemaps/audios.xml?after=a${n}`,
  ],
  ['a search for common words', (n) => `/v1/api/search?q=common${n % 20}%20word${n}`],
  ['a search for rare words', (n) => `/v1/api/search?q=word${n}`],
  ['a misspelt search', (n) => `/v1/api/search?q=comon${n % 20}`],
];

/** Pages, feeds, the sitemap and searches of visitors, {@link atOnce} at a time, of both sites alternately. */
export async function timePages(smallUrl: string, largeUrl: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  const all: number[] = [];
  for (const [name, path] of addresses) {
    const times = { small: [] as number[], large: [] as number[] };
    const ask = async (round: number, theme = 'dark') => {
      const pathsOf = (isLarge: boolean) =>
        Array.from({ length: atOnce }, (_, index) => path(round * atOnce + index, isLarge));
      return [
        await askTogether(smallUrl, pathsOf(false), theme),
        await askTogether(largeUrl, pathsOf(true), theme),
      ] as const;
    };
    for (const theme of warmUpThemes) for (let round = 0; round < warmUp; round += 1) await ask(round, theme);
    for (let round = warmUp; round < warmUp + rounds; round += 1) {
      const [small, large] = await ask(round);
      times.small.push(...small);
      times.large.push(...large);
    }
    const [p50, value] = [median(times.large), median(times.large) / median(times.small)];
    all.push(...times.large);
    figures.push({
      name: `Million: ${name}`,
      value: `${value.toFixed(1)}× (${p50.toFixed(1)} ms, p99 ${quantile(times.large, 0.99).toFixed(1)} ms)`,
      limit: '≤ 1.5× or 5 ms, ≤ 50 ms',
      ok: (value <= 1.5 || p50 <= 5) && p50 <= 50,
    });
  }
  return [...figures, atMost('Million: pages, feeds and searches, p99', quantile(all, 0.99), 100, 'ms')];
}

let asked = 0;

function nextAddress(): string {
  asked += 1;
  return `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`;
}

const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

/** @returns milliseconds of each */
function askTogether(url: string, paths: string[], theme: string): Promise<number[]> {
  return Promise.all(
    paths.map(async (path) => {
      const began = performance.now();
      // Each from its own address, because one client may not search so often.
      const headers = { ...browserHeaders, cookie: `sotto_theme=${theme}`, 'x-forwarded-for': nextAddress() };
      const request = get(url + path, { agent, headers });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      // Not decompressed, unlike by `fetch`: that is the work of another machine.
      await answer.forEach(() => {});
      if (answer.statusCode !== 200) throw new Error(`${path} answered with ${answer.statusCode}`);
      return performance.now() - began;
    }),
  );
}
