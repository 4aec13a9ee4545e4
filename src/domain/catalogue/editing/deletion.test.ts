import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createAudio, createPlaylist, createSeries, createVoice } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { visitor } from '../../kernel/viewer.ts';
import { deleteAudio, purgeDeletedAudios, restoreAudio } from './deletion.ts';
import { findAudioState, publishAudio } from './publishing.ts';
import { setPreview } from '../site-settings.ts';

const { db, pool } = await createTestDatabase();
const { catalogue, listening } = await openTestSite(db);
const age = (slug: string, days: number) =>
  pool.query(`update audios set deleted_at = now() - make_interval(days => $2) where slug = $1`, [slug, days]);

test('a deleted audio is hidden everywhere, and is restored as it was', async () => {
  const voice = await createVoice(db);
  const audio = await createAudio(db, { voiceId: voice.id, slug: 'goes', isFree: true });
  const series = await createSeries(db, { voiceId: voice.id, audioIds: [audio.id] });
  const playlist = await createPlaylist(db, { audioIds: [audio.id] });
  const everywhere = async () => ({
    page: await catalogue.findAudio('goes'),
    lists: (await catalogue.listAudios(visitor, { voiceId: voice.id, limit: 10 })).items.length,
    parts: (await catalogue.listSeriesAudios(visitor, series.id, { limit: 10 })).items.length,
    items: (await catalogue.listPlaylistAudios(visitor, playlist.id, { limit: 10 })).items.length,
    ofVoice: (await catalogue.findVoice(voice.id))?.totalAudios,
    inSitemap: (await catalogue.listSitemapEntries('audios', { after: '' })).length,
    hasFeed: await catalogue.hasEpisode({ voiceId: voice.id }),
    isHeard: (await listening.findPlayableFile(visitor, audio.id)).ok,
  });
  const before = await everywhere();
  expect(before).toMatchObject({
    lists: 1,
    parts: 1,
    items: 1,
    ofVoice: 1,
    inSitemap: 1,
    hasFeed: true,
    isHeard: true,
  });

  expect(await deleteAudio(db, 'goes')).toMatchObject({ ok: true, changed: true, audio: { state: 'deleted' } });
  expect(await deleteAudio(db, 'goes')).toMatchObject({ ok: true, changed: false });
  const none = { lists: 0, parts: 0, items: 0, ofVoice: 0, inSitemap: 0, hasFeed: false, isHeard: false };
  expect(await everywhere()).toEqual({ page: undefined, ...none });
  // Creators do not see it in their lists either.
  expect(await findAudioState(db, 'goes')).toBeUndefined();
  expect(await publishAudio(db, 'goes')).toEqual({ ok: false, reason: 'not-found' });
  expect(await findAudioState(db, 'goes', { evenDeleted: true })).toMatchObject({ slug: 'goes', state: 'deleted' });
  await expect(pool.query(`update audios set published_at = now() where slug = 'goes'`)).rejects.toThrow(
    'audios_deleted_is_hidden',
  );

  expect(await restoreAudio(db, 'goes')).toMatchObject({ ok: true, changed: true, audio: { state: 'published' } });
  expect(await restoreAudio(db, 'goes')).toMatchObject({ ok: true, changed: false });
  expect(await everywhere()).toEqual(before);
});

test('a draft comes back as a draft; the preview is not deleted by accident', async () => {
  const draft = await createAudio(db, { publishedAt: null });
  await deleteAudio(db, draft.id);
  expect(await restoreAudio(db, draft.id)).toMatchObject({ ok: true, audio: { state: 'draft' } });
  const preview = await createAudio(db);
  await setPreview(db, preview.id);
  expect(await deleteAudio(db, preview.id)).toEqual({ ok: false, reason: 'is-preview' });
  expect(await deleteAudio(db, preview.id, { evenPreview: true })).toMatchObject({ ok: true });
  expect(await restoreAudio(db, 'no-such')).toEqual({ ok: false, reason: 'not-found' });
});

test('after 30 days an audio goes for good, with all that belongs to it', async () => {
  await createAudio(db, { slug: 'due' });
  await createAudio(db, { slug: 'due-too' });
  await createAudio(db, { slug: 'not-due' });
  for (const slug of ['due', 'due-too', 'not-due']) await deleteAudio(db, slug);
  await age('due', 31);
  await age('due-too', 31);
  await age('not-due', 29);
  expect(await restoreAudio(db, 'due')).toEqual({ ok: false, reason: 'not-found' });

  expect(await purgeDeletedAudios(db)).toBe(2);
  expect(await findAudioState(db, 'due', { evenDeleted: true })).toBeUndefined();
  expect(await restoreAudio(db, 'not-due')).toMatchObject({ ok: true });
  expect(await purgeDeletedAudios(db)).toBe(0);
  const { rowCount } = await db.execute(sql`select from audio_counts where audio_id not in (select id from audios)`);
  expect(rowCount).toBe(0);
});
