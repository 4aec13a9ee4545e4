import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { visitor } from '../kernel/viewer.ts';
import { findUserPlaylist, listTopUserPlaylists } from '../library/user-playlists.ts';
import { findCategory, listCategories } from './categories.ts';
import { findPlaylist, listPlaylists } from './playlists.ts';
import { findSeries, findSeriesOfAudio, listSeries } from './series.ts';
import { findVoice, listPopularVoices, listVoices } from './voices.ts';

const { db } = await createTestDatabase();

const sleep = await createCategory(db, { slug: 'sleep', label: 'Sleep', position: 1 });
const empty = await createCategory(db, { slug: 'empty', label: 'Empty', position: 2 });
const voices: Awaited<ReturnType<typeof createVoice>>[] = [];
for (const name of ['Amara', 'Bell', 'Celeste', 'Dov', 'Edda']) {
  voices.push(await createVoice(db, { name, imageKey: `images/${name}.webp`, categoryId: sleep.id }));
}
const audios: string[] = [];
for (const [index, voice] of voices.entries()) {
  audios.push(
    (
      await createAudio(db, {
        voiceId: voice.id,
        durationMs: 60_000,
        categoryIds: index < 3 ? [sleep.id] : [],
        plays: index * 10,
      })
    ).id,
  );
}
const draft = await createAudio(db, { voiceId: voices[0]?.id ?? '', publishedAt: null, categoryIds: [sleep.id] });

test('a category counts its published audios', async () => {
  expect((await listCategories(db)).map(({ slug, totalAudios }) => [slug, totalAudios])).toEqual([
    ['sleep', 3],
    ['empty', 0],
  ]);
  expect(await findCategory(db, empty.id)).toMatchObject({ slug: 'empty', totalAudios: 0 });
  expect(await findCategory(db, 'sleep')).toMatchObject({ totalAudios: 3 });
});

test.each([0, 1, 2, 3, 4, 5])(
  'the cover of a playlist shows at most four of its %i voices, in order of appearance',
  async (count) => {
    const playlist = await createPlaylist(db, { audioIds: [...audios.slice(0, count).toReversed(), draft.id] });
    const expected = voices.slice(0, count).toReversed();
    const found = await findPlaylist(db, playlist.slug);
    expect(found).toMatchObject({
      totalAudios: count,
      totalDuration: count * 60,
      voices: expected.map((voice) => voice.id),
      voiceImages: expected.slice(0, 4).map((voice) => `/images/${voice.name}.webp`),
    });
    expect((await listPlaylists(db, visitor, { limit: 100 })).items.find((one) => one.id === playlist.id)).toEqual(
      found,
    );
  },
);

test('playlists can be filtered by a voice in them', async () => {
  const playlist = await createPlaylist(db, { audioIds: [audios[4] ?? ''] });
  const found = await listPlaylists(db, visitor, { voiceId: voices[4]?.id ?? '', limit: 100 });
  expect(found.items.map((one) => one.id)).toContain(playlist.id);
  expect(found.items.every((one) => one.voices.includes(voices[4]?.id ?? ''))).toBe(true);
});

test('voices are listed by name in pages, or by plays on request', async () => {
  const first = await listVoices(db, visitor, { limit: 3 });
  const second = await listVoices(db, visitor, { limit: 3, cursor: first.nextCursor });
  expect([...first.items, ...second.items].map((voice) => voice.name)).toEqual([
    'Amara',
    'Bell',
    'Celeste',
    'Dov',
    'Edda',
  ]);
  expect((await listPopularVoices(db, visitor, 2)).map((voice) => voice.name)).toEqual(['Edda', 'Dov']);
  expect(await findVoice(db, 'amara')).toMatchObject({
    totalAudios: 1,
    category: { name: 'Sleep', slug: 'sleep' },
    linkedSeries: null,
    totalFavorite: 0,
  });
});

test('a series counts its parts and is found from each of them', async () => {
  const series = await createSeries(db, { audioIds: audios.slice(0, 2), voiceId: voices[0]?.id ?? null });
  expect(await findSeries(db, series.id)).toMatchObject({
    totalAudios: 2,
    totalDuration: 120,
    voice: { name: 'Amara' },
  });
  expect(await findSeriesOfAudio(db, audios[1] ?? '')).toMatchObject({ id: series.id });
  expect(await findSeriesOfAudio(db, audios[3] ?? '')).toBeUndefined();
  expect((await listSeries(db, visitor, { voiceId: voices[0]?.id ?? '', limit: 5 })).items).toHaveLength(1);
});

test('a private user playlist is as absent as one that never was', async () => {
  const owner = await createUser(db, { username: 'ada.m', color: '#8FC7B5' });
  const open = await createUserPlaylist(db, { userId: owner.id, audioIds: audios.slice(0, 3) });
  const closed = await createUserPlaylist(db, { userId: owner.id, isPublic: false });
  expect(await findUserPlaylist(db, visitor, open.id)).toMatchObject({
    totalAudios: 3,
    totalDuration: 180,
    plays: 0,
    user: { username: 'ada.m', color: '#8FC7B5' },
  });
  expect(await findUserPlaylist(db, visitor, closed.id)).toBeUndefined();
  expect((await listTopUserPlaylists(db, visitor, { limit: 50 })).items.map((one) => one.id)).toEqual([open.id]);
});

test('voices can be filtered by type', async () => {
  const low = await createVoice(db, { name: 'Zacharias', voiceTypeLabel: 'Male voice' });
  expect((await listVoices(db, visitor, { voiceType: ['male'], limit: 10 })).items.map((voice) => voice.id)).toEqual([
    low.id,
  ]);
});
