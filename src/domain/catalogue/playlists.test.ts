import { and, eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createPlaylist, createSeries, createVoice } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { visitor } from '../kernel/viewer.ts';
import { countPlaylists, listPlaylists } from './playlists.ts';
import { countSeries } from './series.ts';
import { audios, playlistItems, playlists, series } from './tables.ts';

const { db } = await createTestDatabase();

/** Slugs of the playlists with audios of a voice; their number must fit. */
async function playlistsOf(voice: { id: string }): Promise<string[]> {
  const { items } = await listPlaylists(db, visitor, { voiceId: voice.id, limit: 100 });
  expect(await countPlaylists(db, voice.id)).toBe(items.length);
  return items.map(({ slug }) => slug).toSorted();
}

const change = (ids: string[], values: Partial<typeof audios.$inferInsert>) =>
  db.update(audios).set(values).where(inArray(audios.id, ids));

test('the playlists of a creator are those with a published audio, whatever changes', async () => {
  const [voice, other] = [await createVoice(db), await createVoice(db)];
  const first = await createAudio(db, { voiceId: voice.id });
  const second = await createAudio(db, { voiceId: voice.id });
  const draft = await createAudio(db, { voiceId: other.id, publishedAt: null });
  const mixed = await createPlaylist(db, { slug: 'mixed', audioIds: [first.id, second.id, draft.id] });
  await createPlaylist(db, { slug: 'single', audioIds: [second.id] });
  await createPlaylist(db, { slug: 'hidden', audioIds: [first.id], publishedAt: null });
  expect(await playlistsOf(voice)).toEqual(['mixed', 'single']);
  expect(await playlistsOf(other), 'a draft').toEqual([]);

  await change([draft.id], { publishedAt: new Date(Date.now() + 60_000) });
  expect(await playlistsOf(other), 'scheduled').toEqual([]);
  await change([draft.id], { publishedAt: new Date(Date.now() - 1000) });
  expect(await playlistsOf(other), 'published').toEqual(['mixed']);
  await change([second.id], { publishedAt: null });
  expect(await playlistsOf(voice), 'unpublished').toEqual(['mixed']);
  await change([first.id, second.id], { voiceId: other.id, publishedAt: new Date() });
  expect(await playlistsOf(voice), 'moved to another creator').toEqual([]);
  expect(await playlistsOf(other)).toEqual(['mixed', 'single']);

  await db
    .delete(playlistItems)
    .where(and(eq(playlistItems.playlistId, mixed.id), inArray(playlistItems.audioId, [first.id, second.id])));
  expect(await playlistsOf(other), 'the draft is left').toEqual(['mixed', 'single']);
  await db.delete(audios).where(eq(audios.id, draft.id));
  expect(await playlistsOf(other), 'deleted').toEqual(['single']);
  await db.delete(playlists);
  expect(await playlistsOf(other)).toEqual([]);
});

test('a playlist that gets an audio while it is being published has its creator', async () => {
  const audio = await createAudio(db, { publishedAt: null });
  const { id: playlistId } = await createPlaylist(db, { slug: 'waiting' });
  await meanwhile(
    db,
    (tx) => tx.update(audios).set({ publishedAt: new Date() }).where(eq(audios.id, audio.id)),
    () => db.insert(playlistItems).values({ playlistId, audioId: audio.id, position: 0 }).execute(),
  );
  expect(await playlistsOf({ id: audio.voiceId })).toEqual(['waiting']);
});

test('the series of a creator are counted without the hidden ones', async () => {
  const { id: voiceId } = await createVoice(db);
  await createSeries(db, { voiceId });
  const hidden = await createSeries(db, { voiceId });
  await db.update(series).set({ hiddenAt: new Date() }).where(eq(series.id, hidden.id));
  expect(await countSeries(db, voiceId)).toBe(1);
});
