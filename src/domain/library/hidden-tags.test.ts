import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createUserPlaylist,
  createViewer,
  createVoice,
} from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audioSorts } from '../catalogue/forms.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { maxHiddenTags } from './rules.ts';

const { db, pool } = await createTestDatabase();
const { catalogue, library, listening, search } = await openTestSite(db);

const voice = await createVoice(db, { name: 'Wren' });
const category = await createCategory(db);
const shared = { voiceId: voice.id, categoryIds: [category.id], plays: 5 };
const calm = await createAudio(db, { ...shared, title: 'Wren’s calm', tagLabels: ['slow'] });
const loud = await createAudio(db, { ...shared, title: 'Wren’s thunder', tagLabels: ['slow', 'Thunder'] });
const other = await createAudio(db, { ...shared, title: 'Wren’s other', tagLabels: [] });
const all = [calm.id, loud.id, other.id];
const playlist = await createPlaylist(db, { audioIds: all });
const series = await createSeries(db, { audioIds: all });
const theirs = await createUserPlaylist(db, { audioIds: all });
const page = { limit: 50 };

const leaveOut = (viewer: { id: string }, slug: string, isHidden = true) =>
  library.setTagHidden(viewer.id, slug, isHidden);

/** Every list of audios made by the site, by name. */
const lists: Record<string, (viewer: Viewer) => Promise<{ id: string }[]>> = {
  ...Object.fromEntries(
    audioSorts.map((sort) => [
      `audios by ${sort}`,
      async (viewer: Viewer) => (await catalogue.listAudios(viewer, { ...page, sort })).items,
    ]),
  ),
  'of a voice': async (viewer) => (await catalogue.listAudios(viewer, { ...page, voiceId: voice.id })).items,
  'in a category': async (viewer) => (await catalogue.listAudios(viewer, { ...page, categoryId: category.id })).items,
  'with another of its tags': async (viewer) => [
    ...(await catalogue.listAudios(viewer, { ...page, filter: { tag: ['slow'] } })).items,
    other,
  ],
  'a playlist of the house': async (viewer) => (await catalogue.listPlaylistAudios(viewer, playlist.id, page)).items,
  'a series': async (viewer) => (await catalogue.listSeriesAudios(viewer, series.id, page)).items,
  'a playlist of another user': async (viewer) =>
    (
      await library.listUserPlaylistAudios(
        viewer,
        { id: theirs.id, user: { id: theirs.userId, username: '', icon: null, color: '#F29AB0' } },
        page,
      )
    ).items,
  search: async (viewer) =>
    (await search.search(viewer, { term: 'wren', page: 0, limit: 10 }, '192.0.2.1')).audios.hits,
  'similar ones': async (viewer) => [
    ...(await catalogue.listRelatedAudios(viewer, (await catalogue.findAudio(calm.id))!, 10)),
    calm,
  ],
};

test.each(Object.entries(lists))('hidden tags are missing from: %s', async (_name, list) => {
  const [viewer, somebody] = [await createViewer(db), await createViewer(db)];
  expect(await leaveOut(viewer, 'thunder')).toEqual({ ok: true });
  const idsFor = async (reader: Viewer) => (await list(reader)).map(({ id }) => id).toSorted();
  expect(await idsFor(viewer)).toEqual([calm.id, other.id].toSorted());
  for (const reader of [visitor, somebody]) expect(await idsFor(reader)).toEqual(all.toSorted());
  await leaveOut(viewer, 'thunder', false);
  expect(await idsFor(viewer)).toEqual(all.toSorted());
});

test('hidden tags also apply to continue listening on home, to totals and to tag chips', async () => {
  const viewer = await createViewer(db);
  for (const id of all) await listening.saveProgress(viewer.id, id, 5);
  const onHome = async () => [
    (await listening.findContinueListening(viewer)).length,
    (await listening.listRecentActivity(viewer)).length,
    (await catalogue.sumAudios(viewer, {})).total,
    (await catalogue.listTags(viewer, { limit: 9 })).map(({ slug }) => slug),
  ];
  expect(await onHome()).toEqual([3, 3, 3, ['slow', 'thunder']]);
  await leaveOut(viewer, 'thunder');
  expect(await onHome()).toEqual([2, 2, 2, ['slow']]);
  await leaveOut(viewer, 'slow');
  expect(await onHome()).toEqual([1, 1, 1, []]);
});

test('favorites, own lists, the queue, the history and the audio’s page ignore hidden tags', async () => {
  const viewer = await createViewer(db);
  await library.setFavorite(viewer, { contentTypeId: 'audio', id: loud.id, isFavorite: true });
  const own = await createUserPlaylist(db, { userId: viewer.id, audioIds: [loud.id], isPublic: false });
  await listening.saveProgress(viewer.id, loud.id, 5);
  await leaveOut(viewer, 'thunder');
  expect((await library.listFavorites(viewer, 'audios', page)).items).toHaveLength(1);
  const found = await library.findUserPlaylist(viewer, own.id);
  if (found === undefined) throw new Error('it is not there');
  expect((await library.listUserPlaylistAudios(viewer, found, page)).items).toHaveLength(1);
  expect((await listening.listHistory(viewer.id, page)).items).toHaveLength(1);
  expect(await catalogue.findAudio(loud.slug)).toMatchObject({ id: loud.id });
});

test('tags are hidden by slug, listed A–Z, and limited in number', async () => {
  const viewer = await createViewer(db);
  for (const slug of ['thunder', 'slow', 'thunder']) expect(await leaveOut(viewer, slug)).toEqual({ ok: true });
  expect(await library.listHiddenTags(viewer.id)).toEqual([
    { slug: 'slow', label: 'slow' },
    { slug: 'thunder', label: 'Thunder' },
  ]);
  for (const slug of ['no-such-tag', 'Thunder', '%', '\0', ''])
    for (const isHidden of [true, false])
      expect(await leaveOut(viewer, slug, isHidden)).toEqual({ ok: false, reason: 'not-found' });
  await pool.query(
    `with made as (insert into tags (id, slug, label) select gen_random_uuid(), 'many-' || n, 'many ' || n from generate_series(1, $2::int) n returning id)
     insert into hidden_tags (user_id, tag_id) select $1, id from made`,
    [viewer.id, maxHiddenTags - 2],
  );
  await pool.query(`insert into tags (id, slug, label) values (gen_random_uuid(), 'one-more', 'one more')`);
  expect(await leaveOut(viewer, 'one-more')).toEqual({ ok: false, reason: 'full' });
  expect(await leaveOut(viewer, 'slow')).toEqual({ ok: true });
  await leaveOut(viewer, 'slow', false);
  expect(await leaveOut(viewer, 'one-more')).toEqual({ ok: true });
});

test('totals of hand-ordered lists count only what the viewer sees', async () => {
  const viewer = await createViewer(db);
  const sums = async () => [
    await catalogue.sumPlaylistAudios(viewer, playlist.id),
    await catalogue.sumSeriesAudios(viewer, series.id),
    await library.sumUserPlaylistAudios(viewer, { id: theirs.id, user: { id: theirs.userId } }),
  ];
  const three = { totalAudios: 3, totalDuration: 180 };
  expect(await sums()).toEqual([three, three, three]);
  await leaveOut(viewer, 'thunder');
  const two = { totalAudios: 2, totalDuration: 120 };
  expect(await sums()).toEqual([two, two, two]);
  const later = await createAudio(db, { ...shared, publishedAt: new Date(Date.now() + 3_600_000) });
  const own = await createUserPlaylist(db, { userId: viewer.id, audioIds: [...all, later.id] });
  expect(await library.sumUserPlaylistAudios(viewer, { id: own.id, user: viewer })).toEqual(three);
});
