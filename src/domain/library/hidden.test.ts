import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createPlaylist, createSeries, createViewer, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { operator } from '../kernel/actor.ts';
import { newId } from '../kernel/ids.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { type HiddenKind, maxHidden } from './rules.ts';

const { db, pool } = await createTestDatabase();
const { admin, catalogue, library, search } = await openTestSite(db);

const [wren, iris] = [
  await createVoice(db, { name: 'Wren', imageKey: 'wren' }),
  await createVoice(db, { name: 'Iris' }),
];
const calm = await createAudio(db, { title: 'Calm wave', voiceId: wren.id });
const loud = await createAudio(db, { title: 'Loud wave', voiceId: iris.id });
const draft = await createAudio(db, { publishedAt: null });
const hide = (viewer: { id: string }, kind: HiddenKind, id: string, isHidden = true) =>
  library.setHidden(viewer.id, { kind, id, isHidden });
const ok = { ok: true };
const page = { limit: 50 };
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

test('what is hidden is listed, newest first, until it is shown again', async () => {
  const viewer = await createViewer(db);
  for (const id of [calm.id, loud.id, calm.id]) expect(await hide(viewer, 'audio', id)).toEqual(ok);
  expect(await hide(viewer, 'voice', wren.id)).toEqual(ok);
  await library.setTagHidden(viewer.id, 'none', true);
  await pool.query(`update hidden_audios set created_at = '2026-01-01T00:00Z' where audio_id = $1`, [calm.id]);
  const listed = await library.listHidden(viewer.id);
  expect(idsOf(listed.audios)).toEqual([loud.id, calm.id]);
  expect(listed.audios[1]).toMatchObject({
    title: 'Calm wave',
    voice: { name: 'Wren' },
    hiddenAt: new Date('2026-01-01'),
  });
  expect(listed.voices).toMatchObject([{ id: wren.id, name: 'Wren', imageURL: '/wren', totalAudios: 1 }]);
  expect(listed.tags).toEqual([]);
  const [ofWren, ofLoud, ofIris] = [
    { kind: 'voice', id: wren.id, name: 'Wren' },
    { kind: 'audio', id: loud.id, name: 'Loud wave' },
    { kind: 'voice', id: iris.id, name: 'Iris' },
  ] as const;
  expect(await library.findFirstHidden(viewer, [ofIris, ofWren, ofLoud])).toEqual(ofWren);
  expect(await library.findFirstHidden(viewer, [ofIris, ofLoud])).toEqual(ofLoud);
  expect(await library.findFirstHidden(viewer, [ofIris])).toBeUndefined();
  expect(await library.findFirstHidden(visitor, [ofWren])).toBeUndefined();
  for (const [kind, id] of [
    ['audio', calm.id],
    ['audio', loud.id],
    ['voice', wren.id],
    ['voice', wren.id],
  ] as const)
    expect(await hide(viewer, kind, id, false)).toEqual(ok);
  expect(await library.listHidden(viewer.id)).toEqual({ audios: [], voices: [], tags: [] });
});

test('drafts, hidden creators and unknown ids cannot be hidden; what is withdrawn can be shown again', async () => {
  const viewer = await createViewer(db);
  const gone = await createVoice(db, { hiddenAt: new Date() });
  for (const [kind, id] of [
    ['audio', draft.id],
    ['audio', newId()],
    ['audio', wren.id],
    ['audio', 'calm-wave'],
    ['voice', gone.id],
    ['voice', calm.id],
    ['voice', '\0'],
  ] as const)
    expect([id, await hide(viewer, kind, id)]).toEqual([id, { ok: false, reason: 'not-found' }]);
  const audio = await createAudio(db);
  await hide(viewer, 'audio', audio.id);
  await pool.query('update audios set published_at = null where id = $1', [audio.id]);
  expect((await library.listHidden(viewer.id)).audios).toEqual([]);
  await pool.query('update audios set published_at = now() where id = $1', [audio.id]);
  expect(idsOf((await library.listHidden(viewer.id)).audios)).toEqual([audio.id]);
  await pool.query('update audios set published_at = null where id = $1', [audio.id]);
  expect(await hide(viewer, 'audio', audio.id, false)).toEqual(ok);
  await pool.query('update audios set published_at = now() where id = $1', [audio.id]);
  expect((await library.listHidden(viewer.id)).audios).toEqual([]);
  await hide(viewer, 'audio', audio.id);
  await pool.query('delete from audios where id = $1', [audio.id]);
  expect((await pool.query('select from hidden_audios where audio_id = $1', [audio.id])).rowCount).toBe(0);
});

test.each(['audio', 'voice'] as const)(
  'hides of kind %s are limited in number, also by calls at once',
  async (kind) => {
    const viewer = await createViewer(db);
    const table = `hidden_${kind}s`;
    await pool.query(
      kind === 'voice'
        ? `with made as (insert into voices (id, slug, name, sort_name, voice_type_label)
          select gen_random_uuid(), 'many-' || n, 'many', 'many', 'Female voice' from generate_series(1, $2::int) n returning id)
        insert into hidden_voices (user_id, voice_id) select $1, id from made`
        : `with made as (insert into audios (id, slug, title, sort_title, file_key, file_mime, file_bytes, duration_ms, voice_id)
          select gen_random_uuid(), 'many-' || n, 'many', 'many', 'many', 'audio/mpeg', 1, 1, $3 from generate_series(1, $2::int) n returning id)
        insert into hidden_audios (user_id, audio_id) select $1, id from made`,
      [viewer.id, maxHidden[kind] - 1, ...(kind === 'audio' ? [wren.id] : [])],
    );
    const [one, other] = kind === 'audio' ? [calm, loud] : [wren, iris];
    const outcomes = await Promise.all([hide(viewer, kind, one.id), hide(viewer, kind, other.id)]);
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(outcomes.find((outcome) => !outcome.ok)).toEqual({ ok: false, reason: 'full' });
    expect((await pool.query(`select from ${table} where user_id = $1`, [viewer.id])).rowCount).toBe(maxHidden[kind]);
    const [hidden, refused] = outcomes[0].ok ? [one, other] : [other, one];
    expect(await hide(viewer, kind, hidden.id)).toEqual(ok);
    await hide(viewer, kind, hidden.id, false);
    expect(await hide(viewer, kind, refused.id)).toEqual(ok);
  },
);

test('a hidden creator leaves lists of creators, series and playlists, and the covers of playlists with others', async () => {
  const viewer = await createViewer(db);
  const ofWren = await createSeries(db, { title: 'Wave series', voiceId: wren.id, audioIds: [calm.id] });
  const ofNobody = await createSeries(db, { title: 'Wave site' });
  const alone = await createPlaylist(db, { title: 'Wave alone', audioIds: [calm.id], position: 1 });
  const both = await createPlaylist(db, { title: 'Wave both', audioIds: [calm.id, loud.id], position: 2 });
  const empty = await createPlaylist(db, { title: 'Wave empty', position: 3 });
  const seen = async (reader: Viewer) => ({
    voices: idsOf((await catalogue.listVoices(reader, { ...page, named: 'Wren' })).items).includes(wren.id),
    popular: idsOf(await catalogue.listPopularVoices(reader, 50)).includes(wren.id),
    series: idsOf((await catalogue.listSeries(reader, page)).items),
    playlists: (await catalogue.listPlaylists(reader, page)).items.map(({ id, voices, voiceImages, totalAudios }) => [
      id,
      voices.includes(wren.id),
      voiceImages,
      totalAudios,
    ]),
    found: (await search.search(reader, { term: 'wave', page: 0, limit: 50 }, '')).playlists.hits.map(
      ({ id, voices, voiceImages, totalAudios }) => [id, voices.includes(wren.id), voiceImages, totalAudios],
    ),
    named: (await search.search(reader, { term: 'wren', page: 0, limit: 50 }, '')).voices.total,
  });
  const all = {
    voices: true,
    popular: true,
    series: [ofWren.id, ofNobody.id],
    playlists: [
      [alone.id, true, ['/wren'], 1],
      [both.id, true, ['/wren'], 2],
      [empty.id, false, [], 0],
    ],
    found: expect.arrayContaining([[alone.id, true, ['/wren'], 1]]),
    named: 1,
  };
  expect(await seen(viewer)).toEqual(all);
  await hide(viewer, 'voice', wren.id);
  expect(await seen(viewer)).toEqual({
    voices: false,
    popular: false,
    series: [ofNobody.id],
    playlists: [
      [both.id, false, [], 1],
      [empty.id, false, [], 0],
    ],
    found: [[both.id, false, [], 1]],
    named: 0,
  });
  expect(await seen(visitor)).toEqual(all);
  // By their own addresses everything is still there.
  expect(await catalogue.findVoice(wren.slug)).toMatchObject({ id: wren.id });
  expect(await catalogue.findSeries(ofWren.slug)).toMatchObject({ id: ofWren.id });
  expect(await catalogue.findAudio(calm.slug)).toMatchObject({ id: calm.id });
});

test('a creator who is merged into another stays hidden with them', async () => {
  const [old, kept] = [await createVoice(db, { name: 'Old' }), await createVoice(db)];
  const [one, both] = [await createViewer(db), await createViewer(db)];
  await hide(one, 'voice', old.id);
  for (const { id } of [old, kept]) await hide(both, 'voice', id);
  expect(await admin.content.mergeVoice(operator, old.id, { into: kept.id, name: 'Old' })).toMatchObject(ok);
  for (const viewer of [one, both]) expect(idsOf((await library.listHidden(viewer.id)).voices)).toEqual([kept.id]);
  expect((await pool.query('select from hidden_voices where voice_id = $1', [old.id])).rowCount).toBe(0);
});
