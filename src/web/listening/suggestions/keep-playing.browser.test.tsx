import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SuggestionBlock } from '#domain/catalogue/suggestions/public-files.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import { writeShard } from '#formats/suggestions/shards.ts';
import { answerCalls } from '#test/support/components/calls.ts';
import { listsChange } from './lists-change.ts';
import { findMore } from './keep-playing.ts';
import { forgetSuggestions } from './own-suggestions.ts';

const card = (number: number): SuggestionBlock['audios'][number] => ({
  number,
  id: `a${number}`,
  slug: `audio-${number}`,
  title: `Audio ${number}`,
  imageUrl: null,
  audioFileUrl: `/media/audios/a${number}`,
  numberDuration: 60,
  plays: number >= 14 ? 1 : 100,
  color: null,
  badge: null,
  isFree: true,
  language: 'en',
  voice: { id: 'v1', name: 'Voice', slug: 'voice', imageUrl: null, linkedSeries: null },
  categories: [],
  publishedAt: '2020-01-01T00:00:00.000Z',
  syntheticVoice: 'none',
  tags: [],
  picture: null,
});

const heard = [0, 1, 2, 3, 4].map((number) => ({
  number,
  id: `a${number}`,
  title: '',
  language: 'en',
  tags: [],
  at: new Date().toISOString(),
  listens: 1,
  isFinished: true,
  isFavorite: false,
}));
const viewer = { kind: 'user', id: 'u1', isComplete: true, isSubscribed: false } as Viewer;

let near: number[];
let answerBlock: (block: number) => unknown;

beforeEach(async () => {
  near = [5, 6, 7, 8, 9, 10];
  answerBlock = (block) => ({ audios: Array.from({ length: 8 }, (_, place) => card(block * 8 + place)) });
  await forgetSuggestions(viewer);
  answerCalls({
    'GET /v1/api/history/me/heard': () => ({ items: heard }),
    'GET /v1/api/user/hidden': () => ({ audios: [], voices: [], tags: [] }),
    'GET /suggestions/index.json': () => ({ version: 7, shards: 1, blocks: 2 }),
    'GET /suggestions/7/near/0': () =>
      new Response(
        writeShard(new Map([[0, near.map((number) => ({ number, nearness: number < 8 ? 3 : 0 }))]]), 1).slice().buffer,
      ),
    'GET /suggestions/en/audios/0': () => answerBlock(0),
    'GET /suggestions/en/audios/1': () => answerBlock(1),
    'GET /v1/api/audios/a0/similar': () => ({ items: [card(12), card(13)] }),
  });
});

afterEach(() => vi.useRealTimers());

const idsAfter = async (id: string) => (await findMore(id, viewer)).tracks.map((track) => track.id);

test('one suggestion at a time follows, another whenever it is asked for again, and the fourth is little heard', async () => {
  const shown = [];
  for (let time = 0; time < 5; time += 1) shown.push(await idsAfter('a5'));
  expect(shown.slice(0, 3)).toEqual([['a6'], ['a7'], ['a8']]);
  expect([['a14'], ['a15']]).toContainEqual(shown[3]);
  expect(shown[4]).toEqual(['a9']);
});

test('each says roughly why it follows, from a fixed list', async () => {
  const sources = [];
  for (let time = 0; time < 4; time += 1) sources.push((await findMore('a5', viewer)).tracks[0]?.source);
  expect(sources).toEqual([
    'audio_details:near',
    'audio_details:near',
    'audio_details:near',
    'audio_details:little-heard',
  ]);
});

test('without neighbours the site’s own rule goes on, as it does when suggestions fail', async () => {
  near = [];
  expect(await idsAfter('a0')).toEqual(['a12', 'a13']);
  expect((await findMore('a0', viewer)).tracks[0]?.source).toBe('audio_details:site');
  answerBlock = () => new Response(null, { status: 500 });
  await forgetSuggestions(viewer);
  expect(await idsAfter('a0')).toEqual(['a12', 'a13']);
});

test('suggestions that take longer than five seconds are not waited for', async () => {
  answerBlock = () => new Promise(() => undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const found = idsAfter('a0');
  await vi.advanceTimersByTimeAsync(5000);
  expect(await found).toEqual(['a12', 'a13']);
});

test('what is hidden meanwhile does not follow: the player’s list is emptied', async () => {
  const { tracks } = await findMore('a0', viewer);
  expect(tracks).not.toEqual([]);
  window.dispatchEvent(new Event(listsChange));
  expect(tracks).toEqual([]);
});
