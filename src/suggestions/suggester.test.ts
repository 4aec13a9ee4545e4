import { expect, test } from 'vitest';
import type { SuggestionBlock, SuggestionIndex } from '#domain/catalogue/suggestions/public-files.ts';
import { seededRandom } from '#demo/random.ts';
import { type Neighbour, writeShard } from '#formats/suggestions/shards.ts';
import { filesAtOnce } from './choose-files.ts';
import type { HeardAudio } from './heard.ts';
import type { SuggestedCard } from './mix.ts';
import { type Own, createSuggester } from './suggester.ts';

const audios = 4000;
const index: SuggestionIndex = { version: 1_790_000_000, shards: 128, blocks: audios / 8 };
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
  given: { seed?: number; stored?: Map<string, unknown>; owner?: string } = {},
) {
  const { seed = 1, stored = new Map<string, unknown>(), owner = 'listener' } = given;
  const asked: string[] = [];
  const state = { now: noon, index, own: { isShown: () => true, ...own } as Own, broken: (_file: string) => false };
  const ask = (file: string) => {
    asked.push(file);
    if (state.broken(file)) throw new Error(file);
  };
  const suggester = createSuggester({
    owner,
    sealed: { read: async (key) => stored.get(key), write: async (key, value) => void stored.set(key, value) },
    now: () => state.now,
    random: seededRandom(seed),
    loadOwn: async () => state.own,
    files: {
      async index(isNew = false) {
        ask(isNew ? 'new index' : 'index');
        return state.index;
      },
      async shard(version, shard) {
        ask(`near ${version} ${shard}`);
        const numbers = Array.from({ length: audios }, (_, number) => number).filter(
          (one) => one % state.index.shards === shard,
        );
        return writeShard(new Map(numbers.map((number) => [number, near(number)])), state.index.shards);
      },
      async block(block): Promise<SuggestionBlock> {
        ask(`block ${block}`);
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

const filesOf = (kind: string, { asked }: { asked: string[] }) =>
  asked.flatMap((file) => (file.startsWith(kind) ? [Number(file.split(' ').at(-1))] : []));

test('a day keeps its files, whatever is heard meanwhile, and whatever is counted or published', async () => {
  const first = setUp({ heard: even });
  await first.suggester.suggest(10);
  const again = setUp({ heard: odd }, { seed: 3, stored: first.stored });
  again.state.index = { ...index, version: index.version + 1, blocks: index.blocks + 1 };
  await again.suggester.suggest(10);
  expect(filesOf('near', again)).toEqual(filesOf('near', first));
  const newest = new Set([index.blocks - 1, index.blocks]);
  const older = (given: { asked: string[] }) => filesOf('block', given).filter((block) => !newest.has(block));
  expect(older(again)).toEqual(older(first));
  // Another listener at this device has files of their own.
  for (const owner of ['', 'other']) {
    const other = setUp({ heard: even }, { seed: 3, stored: first.stored, owner });
    await other.suggester.suggest(10);
    expect(filesOf('near', other)).not.toEqual(filesOf('near', first));
  }
});

test('those drawn by chance stay for as long as what is wanted: neither a count nor a larger catalogue tells them apart', async () => {
  const stored = new Map<string, unknown>();
  const loads = [];
  for (let day = 0; day < 21; day += 1) {
    const one = setUp({ heard: even }, { seed: day, stored });
    one.state.now += day * dayMs;
    one.state.index = { version: index.version + Math.floor(day / 7), shards: 128, blocks: index.blocks + 2 * day };
    await one.suggester.suggest(10);
    loads.push(one);
  }
  // All but the newest block, which everybody reads.
  for (const [kind, least] of [
    ['near', filesAtOnce.shards],
    ['block', filesAtOnce.blocks - 1],
  ] as const) {
    const [first, ...later] = loads.map((load) => new Set(filesOf(kind, load)));
    const always = later.reduce(
      (common, files) => new Set([...common].filter((one) => files.has(one))),
      first ?? new Set<number>(),
    );
    expect(always.size).toBeGreaterThanOrEqual(least - 1);
  }
});

test('when what is wanted changes, so does what is drawn', async () => {
  const first = setUp({ heard: even });
  first.state.index = { ...index, shards: 1024 };
  await first.suggester.suggest(10);
  const nextDay = setUp({ heard: odd }, { seed: 3, stored: first.stored });
  nextDay.state.index = first.state.index;
  nextDay.state.now += dayMs;
  await nextDay.suggester.suggest(10);
  for (const kind of ['near', 'block']) {
    const before = new Set(filesOf(kind, first));
    expect(filesOf(kind, nextDay).filter((file) => before.has(file)).length).toBeLessThan(before.size / 2);
  }
});

test('what is kept can be forgotten', async () => {
  const { suggester, stored } = setUp({ heard: even });
  await suggester.suggest(10);
  expect([...stored.values()]).toEqual([expect.objectContaining({ owner: 'listener' })]);
  await suggester.forget();
  expect([...stored.values()]).toEqual([undefined]);
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
  const { suggester, state } = setUp({ heard: odd });
  state.index = { ...index, shards: 0 };
  const { items } = await suggester.suggest(10);
  expect(items.map(({ audio }) => audio.number % 2)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(items[0]?.reason).toEqual({ kind: 'tag', tag: 'Odd' });
});

test('what was heard or hidden since counts at once, without asking for files again', async () => {
  const { suggester, state, asked } = setUp({ heard: even });
  const { items } = await suggester.suggest(10);
  const before = asked.length;
  const [hidden] = items;
  state.own = { ...state.own, isShown: ({ id }) => id !== hidden?.audio.id };
  const ids = (await suggester.suggest(10)).items.map(({ audio }) => audio.id);
  expect(ids).not.toContain(hidden?.audio.id);
  state.own = { ...state.own, heard: [...even, heardOnce(items[1]?.audio.number ?? 0)] };
  expect((await suggester.suggest(10)).items[0]?.audio.id).not.toBe(items[1]?.audio.id);
  state.own = { ...state.own, heard: [] };
  expect(await suggester.suggest(10)).toEqual({ isEnough: false, items: [] });
  expect(asked).toHaveLength(before);
});

test('suggestions are made without a file that fails, which is asked for again; without any they fail', async () => {
  const { suggester, state, asked } = setUp({ heard: even });
  let failed = 0;
  state.broken = (file) => file.startsWith('block') && (failed += 1) === 3;
  expect((await suggester.suggest(10)).items).toHaveLength(10);
  const before = asked.length;
  await suggester.suggest(10);
  expect(asked.length).toBeGreaterThan(before);
  const other = setUp({ heard: even });
  other.state.broken = (file) => file.startsWith('block');
  await expect(other.suggester.suggest(10)).rejects.toThrow('block');
});

test('an index from a cache, whose shards are gone, is read once more', async () => {
  const { suggester, state, asked } = setUp({ heard: even });
  state.broken = (file) => {
    if (file === 'new index') state.index = { ...index, version: 2 };
    return file.startsWith(`near ${index.version}`);
  };
  const { items } = await suggester.suggest(10);
  expect(items[0]?.reason).toMatchObject({ kind: 'finished' });
  expect(asked.filter((file) => file.endsWith('index'))).toEqual(['index', 'new index']);
  const broken = setUp({ heard: even });
  broken.state.broken = (file) => file.startsWith('near');
  await expect(broken.suggester.suggest(10)).rejects.toThrow('near');
});

test('an audio that was heard is not suggested though its number is not known, which a block tells', async () => {
  const told: string[] = [];
  const known = setUp({ heard: even });
  const best = (await known.suggester.suggest(1)).items[0]?.audio.number ?? -1;
  const { suggester } = setUp({
    heard: [{ ...heardOnce(best), number: null, tags: [] }, ...even],
    complete: (cards) => void told.push(...cards.map(({ id }) => id)),
  });
  const { items } = await suggester.suggest(10);
  expect(items.map(({ audio }) => audio.number)).not.toContain(best);
  // Reasons are still of the audio that led there.
  expect(items[0]?.reason).toMatchObject({ heard: { id: expect.stringMatching(/^id-/), number: expect.any(Number) } });
  expect(told).toContain(`id-${best}`);
});
