import { expect, test } from 'vitest';
import type { SuggestionBlock, SuggestionIndex } from '#domain/catalogue/suggestions/public-files.ts';
import { seededRandom } from '#demo/random.ts';
import { type Neighbour, writeShard } from '#formats/suggestions/shards.ts';
import { filesAtOnce } from './choose-files.ts';
import type { HeardAudio } from './heard.ts';
import type { SuggestedCard } from './mix.ts';
import { type Own, createSuggester } from './suggester.ts';

const audios = 4000;
const index: SuggestionIndex = { version: 1_790_000_000, shards: 32, blocks: audios / 8 };
const dayMs = 24 * 60 * 60 * 1000;
const noon = Date.parse('2026-11-30T12:00:00Z');

const heardOnce = (number: number, changes: Partial<HeardAudio> = {}): HeardAudio => ({
  number,
  id: `id-${number}`,
  title: `Audio ${number}`,
  language: 'en',
  tags: [number % 2 === 0 ? 'even' : 'odd'],
  at: new Date(noon - dayMs).toISOString(),
  listens: 1,
  isFinished: true,
  isFavorite: false,
  ...changes,
});

const card = (number: number): SuggestedCard => ({
  number,
  id: `id-${number}`,
  slug: `audio-${number}`,
  title: `Audio ${number}`,
  imageUrl: null,
  audioFileUrl: `/media/audios/id-${number}`,
  numberDuration: 60,
  plays: number % 7 === 0 ? 1 : 100,
  color: null,
  badge: null,
  isFree: true,
  language: 'en',
  voice: { id: `voice-${number % 5}`, name: 'Voice', slug: 'voice', imageUrl: null, linkedSeries: null },
  categories: [],
  publishedAt: '2020-01-01T00:00:00.000Z',
  syntheticVoice: 'none',
  tags: [{ slug: number % 2 === 0 ? 'even' : 'odd', label: number % 2 === 0 ? 'Even' : 'Odd' }],
  picture: null,
});

/** Audios with an even number are near to the next even ones, and odd ones to odd ones. */
const near = (number: number): Neighbour[] =>
  [2, 4, 6, 100, 200].map((by, place) => ({ number: (number + by) % audios, nearness: place === 0 ? 3 : 1 }));

function setUp(
  own: Partial<Own> & { heard: HeardAudio[] },
  given: { seed?: number; stored?: Map<string, string> } = {},
) {
  const { seed = 1, stored = new Map<string, string>() } = given;
  const asked: string[] = [];
  const state = { now: noon, own: { isShown: () => true, ...own } as Own };
  const suggester = createSuggester({
    owner: 'listener',
    storage: { get: (key) => stored.get(key) ?? null, set: (key, value) => void stored.set(key, value) },
    now: () => state.now,
    random: seededRandom(seed),
    loadOwn: async () => state.own,
    files: {
      async index() {
        asked.push('index');
        return index;
      },
      async shard(version, shard) {
        asked.push(`near ${version} ${shard}`);
        const numbers = Array.from({ length: audios }, (_, number) => number).filter(
          (one) => one % index.shards === shard,
        );
        return writeShard(new Map(numbers.map((number) => [number, near(number)])), index.shards);
      },
      async block(block): Promise<SuggestionBlock> {
        asked.push(`block ${block}`);
        return { audios: Array.from({ length: 8 }, (_, place) => card(block * 8 + place)) };
      },
    },
  });
  return { suggester, asked, state, stored };
}

const even = Array.from({ length: 12 }, (_, place) => heardOnce(place * 300));
const odd = Array.from({ length: 12 }, (_, place) => heardOnce(place * 300 + 151));
const withoutNumbers = (asked: string[]) => asked.map((one) => one.replace(/\d+$/, '*'));

test('two listeners of opposite tastes ask for as many files in the same order, and are shown other audios', async () => {
  const [one, other] = [setUp({ heard: even }), setUp({ heard: odd }, { seed: 2 })];
  const [ofOne, ofOther] = [await one.suggester.suggest(10), await other.suggester.suggest(10)];
  expect(withoutNumbers(one.asked)).toEqual(withoutNumbers(other.asked));
  expect(one.asked.filter((file) => file.startsWith('near'))).toHaveLength(filesAtOnce.shards);
  expect(one.asked.filter((file) => file.startsWith('block'))).toHaveLength(filesAtOnce.blocks);
  // In the order of their numbers, so that the order says nothing.
  for (const kind of ['near', 'block']) {
    const numbers = one.asked.filter((file) => file.startsWith(kind)).map((file) => Number(file.split(' ').at(-1)));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
  const best = ({ items }: typeof ofOne) => items.slice(0, 3).map(({ audio }) => audio.number % 2);
  expect([best(ofOne), best(ofOther)]).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ]);
});

test.each([5, 12, 400])('somebody who has heard %i audios asks for as many files', async (count) => {
  const heard = Array.from({ length: count }, (_, place) => heardOnce((place * 37) % audios));
  const { suggester, asked } = setUp({ heard });
  await suggester.suggest(10);
  expect(asked).toHaveLength(1 + filesAtOnce.shards + filesAtOnce.blocks);
});

test('with fewer than five nothing is asked for', async () => {
  const { suggester, asked } = setUp({ heard: even.slice(0, 4) });
  expect(await suggester.suggest(10)).toEqual({ isEnough: false, items: [] });
  expect(asked).toEqual([]);
});

test('a day keeps its files, whatever is heard meanwhile; those drawn by chance stay for the whole count', async () => {
  const first = setUp({ heard: even });
  await first.suggester.suggest(10);
  const blocksOf = ({ asked }: { asked: string[] }) => asked.filter((file) => file.startsWith('block'));
  const again = setUp({ heard: odd }, { seed: 3, stored: first.stored });
  await again.suggester.suggest(10);
  expect(blocksOf(again)).toEqual(blocksOf(first));
  const nextDay = setUp({ heard: odd }, { seed: 3, stored: first.stored });
  nextDay.state.now += dayMs;
  await nextDay.suggester.suggest(10);
  const common = blocksOf(nextDay).filter((file) => blocksOf(first).includes(file));
  expect(common.length).toBeGreaterThanOrEqual(6);
  expect(common.length).toBeLessThan(16);
});

test('nothing that is hidden, in the queue, a favorite or was heard lately is suggested', async () => {
  const heard = [...even, heardOnce(2, { at: '2020-01-01T00:00:00.000Z' }), heardOnce(4, { isFavorite: true })];
  const { suggester } = setUp({ heard, isShown: ({ voice }) => voice.id !== 'voice-1' });
  const { items } = await suggester.suggest(100, ({ id }) => id === 'id-302');
  const numbers = items.map(({ audio }) => audio.number);
  expect(items.length).toBeGreaterThan(50);
  expect(items.filter(({ audio }) => audio.voice.id === 'voice-1')).toEqual([]);
  expect(numbers).not.toContain(302);
  expect(numbers).not.toContain(4);
  expect(numbers.filter((number) => even.some((one) => one.number === number))).toEqual([]);
  // Finished years ago.
  expect(numbers).toContain(2);
});

test('a reason names the audio with the largest part, and how it was heard; two of ten are little heard', async () => {
  const heard = [
    heardOnce(0, { isFavorite: true }),
    ...even.slice(1, 6),
    heardOnce(901, { listens: 4, isFinished: false }),
  ];
  const { suggester } = setUp({ heard });
  const { items } = await suggester.suggest(10);
  const reasonOf = (number: number) => items.find(({ audio }) => audio.number === number)?.reason;
  expect(reasonOf(2)).toMatchObject({ kind: 'favorite', heard: { number: 0 } });
  expect(reasonOf(302)).toMatchObject({ kind: 'finished', heard: { number: 300 } });
  expect(reasonOf(903)).toMatchObject({ kind: 'often', heard: { number: 901 } });
  expect(items).toHaveLength(10);
  expect(items.slice(0, 3).every(({ reason }) => reason !== undefined && 'heard' in reason)).toBe(true);
  expect(items.filter(({ reason }) => reason?.kind === 'little-heard').map(({ audio }) => audio.plays)).toEqual([1, 1]);
});

test('without neighbours the tags of what was heard lead, and are named', async () => {
  const { suggester } = setUp({ heard: odd });
  const before = index.shards;
  index.shards = 0;
  const { items } = await suggester.suggest(10);
  index.shards = before;
  expect(items.map(({ audio }) => audio.number % 2)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(items[0]?.reason).toEqual({ kind: 'tag', tag: 'Odd' });
});

test('a failed file is asked for again, and what was heard since counts after a renewal', async () => {
  const { suggester, state, asked } = setUp({ heard: even });
  await suggester.suggest(10);
  const before = asked.length;
  await suggester.suggest(10);
  expect(asked).toHaveLength(before);
  state.own = { ...state.own, heard: odd };
  suggester.renew();
  expect((await suggester.suggest(10)).items[0]?.audio.number).not.toBe(undefined);
  expect(asked.length).toBeGreaterThan(before);
});
