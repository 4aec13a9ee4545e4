import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createUser,
  createUserPlaylist,
  createViewer,
  createVoice,
} from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import type { AudioFilter } from '../catalogue/forms.ts';
import { audioCounts, audios } from '../catalogue/tables.ts';
import { eraseUser } from '../privacy/personal-data.ts';
import { operator } from '../kernel/actor.ts';
import { newId } from '../kernel/ids.ts';
import { visitor } from '../kernel/viewer.ts';
import { users } from '../identity/tables.ts';
import { type ContentTypeId, type FavoriteSort, maxFavorites } from './rules.ts';
import { audioFavorites, userPlaylists } from './tables.ts';
import { slow } from '#test/support/tags.ts';

const { db, pool } = await createTestDatabase();
const { library, catalogue, community } = await openTestSite(db);
type Viewer = Awaited<ReturnType<typeof createViewer>>;

const favor = (viewer: Viewer, contentTypeId: ContentTypeId, id: string, isFavorite = true) =>
  library.setFavorite(viewer, { contentTypeId, id, isFavorite });
const notFound = { ok: false, reason: 'not-found' };
const nothing = { audios: [], voices: [], categories: [], playlists: [], users: [] };

test('all six kinds are in the groups of the specification, newest favorite first', async () => {
  const viewer = await createViewer(db);
  const [audio, other] = [await createAudio(db), await createAudio(db)];
  const category = await createCategory(db);
  const playlist = await createPlaylist(db);
  const theirs = await createUserPlaylist(db);
  for (const [type, id] of [
    ['audio', audio.id],
    ['audio', other.id],
    ['voice', audio.voiceId],
    ['category', category.id],
    ['playlist', playlist.id],
    ['userPlaylist', theirs.id],
    ['user', theirs.userId],
  ] as const)
    expect(await favor(viewer, type, id)).toEqual({
      ok: true,
      totalFavorite: type === 'audio' || type === 'voice' ? 1 : null,
    });
  expect(await library.findFavoriteIds(viewer.id)).toEqual({
    audios: [other.id, audio.id],
    voices: [audio.voiceId],
    categories: [category.id],
    playlists: [theirs.id, playlist.id],
    users: [theirs.userId],
  });
  const groups = await library.findFavorites(viewer, 24);
  expect(groups.audios.map(({ title, totalFavorite }) => [title, totalFavorite])).toEqual([
    [other.title, 1],
    [audio.title, 1],
  ]);
  expect(groups.playlists.map(({ contentTypeId, title }) => [contentTypeId, title])).toEqual([
    ['userPlaylist', theirs.title],
    ['playlist', playlist.title],
  ]);
  expect([groups.voices[0]?.id, groups.categories[0]?.id, groups.users[0]?.id]).toEqual([
    audio.voiceId,
    category.id,
    theirs.userId,
  ]);
  expect(await library.countFavorites(viewer)).toEqual({
    audios: 2,
    voices: 1,
    categories: 1,
    playlists: 2,
    users: 1,
    ownPlaylists: 0,
    mixes: 0,
  });
  expect(await library.findFavoritesAmong(viewer, 'audio', [audio.id, newId()])).toEqual([audio.id]);
  expect(await library.findFavoritesAmong(visitor, 'audio', [audio.id])).toEqual([]);
  expect(await library.findFavoriteIds((await createUser(db)).id)).toEqual(nothing);
});

test('repeating it changes neither the total nor the order', async () => {
  const viewer = await createViewer(db);
  const [first, second] = [await createAudio(db), await createAudio(db)];
  await favor(viewer, 'audio', first.id);
  await favor(viewer, 'audio', second.id);
  expect(await favor(viewer, 'audio', first.id)).toEqual({ ok: true, totalFavorite: 1 });
  expect((await library.findFavoriteIds(viewer.id)).audios).toEqual([second.id, first.id]);
  for (let time = 0; time < 2; time += 1)
    expect(await favor(viewer, 'audio', first.id, false)).toEqual({ ok: true, totalFavorite: 0 });
  expect((await library.findFavoriteIds(viewer.id)).audios).toEqual([second.id]);
});

test('after fifty concurrent toggles the total matches the rows', slow, async () => {
  const audio = await createAudio(db, { plays: 3 });
  // As in the demo: the count exists before any rows.
  await db.update(audioCounts).set({ favorites: 1000 }).where(eq(audioCounts.audioId, audio.id));
  const viewers = await Promise.all(Array.from({ length: 50 }, () => createViewer(db)));
  await Promise.all(viewers.map((viewer) => favor(viewer, 'audio', audio.id)));
  expect((await catalogue.findAudio(audio.id))?.totalFavorite).toBe(1050);
  const [one] = viewers;
  if (one === undefined) throw new Error('nobody');
  const presses = Array.from({ length: 50 }, (_, index) => index % 2 === 0);
  await Promise.all([
    ...presses.map((isFavorite) => favor(one, 'audio', audio.id, isFavorite)),
    ...viewers.slice(1, 21).map((viewer) => favor(viewer, 'audio', audio.id, false)),
    ...viewers.slice(21).map((viewer) => favor(viewer, 'voice', audio.voiceId)),
  ]);
  const rows = await db.$count(audioFavorites, eq(audioFavorites.contentId, audio.id));
  expect(rows === 29 || rows === 30).toBe(true);
  expect((await catalogue.findAudio(audio.id))?.totalFavorite).toBe(1000 + rows);
  expect((await catalogue.findVoice(audio.voiceId))?.totalFavorite).toBe(29);
});

test('content that the viewer cannot see is not found and cannot become a favorite', async () => {
  const viewer = await createViewer(db);
  const draft = await createAudio(db, { publishedAt: null });
  const later = await createAudio(db, { publishedAt: new Date(Date.now() + 3_600_000) });
  const secret = await createUserPlaylist(db, { isPublic: false });
  const deleted = await createUserPlaylist(db);
  await library.deleteUserPlaylist(deleted.userId, deleted.id);
  const blocked = await createUserPlaylist(db);
  await community.setBlocked(viewer, blocked.userId, true);
  const nameless = await createUser(db, { username: null });
  const suspended = await createUser(db, { suspendedAt: new Date() });
  const published = await createAudio(db);
  for (const [type, id] of [
    ['audio', draft.id],
    ['audio', later.id],
    ['audio', newId()],
    ['audio', 'bright-star'],
    // Id of another content type.
    ['voice', published.id],
    ['audio', published.voiceId],
    ['userPlaylist', secret.id],
    ['userPlaylist', deleted.id],
    ['userPlaylist', blocked.id],
    ['user', blocked.userId],
    ['user', nameless.id],
    ['user', suspended.id],
    ['category', newId()],
    ['playlist', newId()],
  ] as const)
    for (const isFavorite of [true, false])
      expect([type, id, await favor(viewer, type, id, isFavorite)]).toEqual([type, id, notFound]);
  expect(await library.findFavoriteIds(viewer.id)).toEqual(nothing);
  const own = await createUserPlaylist(db, { userId: viewer.id, isPublic: false });
  expect(await favor(viewer, 'userPlaylist', own.id)).toMatchObject({ ok: true });
});

test('content hidden later is in no list or count, returns when shown again, and can be removed', async () => {
  const viewer = await createViewer(db);
  const audio = await createAudio(db);
  const list = await createUserPlaylist(db);
  await favor(viewer, 'audio', audio.id);
  await favor(viewer, 'userPlaylist', list.id);
  await favor(viewer, 'user', list.userId);
  const seen = async () => {
    const { audios: ofAudios, playlists, users: ofUsers } = await library.countFavorites(viewer);
    const groups = await library.findFavorites(viewer, 24);
    expect([groups.audios.length, groups.playlists.length, groups.users.length]).toEqual([
      ofAudios,
      playlists,
      ofUsers,
    ]);
    return [ofAudios, playlists, ofUsers];
  };
  expect(await seen()).toEqual([1, 1, 1]);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, audio.id));
  await db.update(userPlaylists).set({ isPublic: false }).where(eq(userPlaylists.id, list.id));
  expect(await seen()).toEqual([0, 0, 1]);
  await db.update(userPlaylists).set({ isPublic: true }).where(eq(userPlaylists.id, list.id));
  await community.setBlocked(viewer, list.userId, true);
  expect(await seen()).toEqual([0, 0, 0]);
  await community.setBlocked(viewer, list.userId, false);
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, list.userId));
  expect(await seen()).toEqual([0, 0, 0]);
  expect(await favor(viewer, 'userPlaylist', list.id, false)).toMatchObject({ ok: true });
  expect(await favor(viewer, 'audio', audio.id, false)).toEqual({ ok: true, totalFavorite: 0 });
  await db.update(users).set({ suspendedAt: null }).where(eq(users.id, list.userId));
  expect(await seen()).toEqual([0, 0, 1]);
});

test('favorites are deleted with their content and with their user', async () => {
  const [gone, stays] = [await createViewer(db), await createViewer(db)];
  const [audio, removed] = [await createAudio(db), await createAudio(db)];
  for (const viewer of [gone, stays])
    for (const id of [audio.id, removed.id]) expect(await favor(viewer, 'audio', id)).toMatchObject({ ok: true });
  await favor(stays, 'user', gone.id);
  await favor(gone, 'voice', audio.voiceId);
  await db.delete(audios).where(eq(audios.id, removed.id));
  expect((await library.findFavoriteIds(stays.id)).audios).toEqual([audio.id]);
  await eraseUser(db, gone.id);
  expect((await catalogue.findAudio(audio.id))?.totalFavorite).toBe(1);
  expect((await catalogue.findVoice(audio.voiceId))?.totalFavorite).toBe(0);
  expect(await library.findFavoriteIds(stays.id)).toEqual({ ...nothing, audios: [audio.id] });
});

/** Titles from all pages, each fetched by its own call. */
async function readAll(viewer: Viewer, query: { sort?: FavoriteSort; filter?: string }, limit = 2): Promise<string[]> {
  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await library.listFavorites(viewer, 'audios', { ...query, limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    titles.push(...page.items.map(({ title }) => title));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return titles;
}

test('the library is sorted in any order, in pages, and filtered by text', async () => {
  const viewer = await createViewer(db);
  const voice = await createVoice(db, { name: 'Tomás Ferrer', sortName: 'tomas ferrer' });
  for (const [title, durationMs, plays] of [
    ['The Garden', 3000, 5],
    ['Écho', 1000, 5],
    ['100% Rain_fall', 2000, 9],
    ['a Red, Red Rose', 4000, 1],
    ['Bright Star', 5000, 0],
  ] as const) {
    const audio = await createAudio(db, { title, durationMs, plays, ...(title === 'Écho' && { voiceId: voice.id }) });
    await favor(viewer, 'audio', audio.id);
  }
  const made = ['The Garden', 'Écho', '100% Rain_fall', 'a Red, Red Rose', 'Bright Star'];
  expect(await readAll(viewer, {})).toEqual(made.toReversed());
  expect(await readAll(viewer, { sort: 'oldest' })).toEqual(made);
  expect(await readAll(viewer, { sort: 'title' })).toEqual([
    '100% Rain_fall',
    'a Red, Red Rose',
    'Bright Star',
    'Écho',
    'The Garden',
  ]);
  expect(await readAll(viewer, { sort: 'shortest' }, 1)).toEqual([
    'Écho',
    '100% Rain_fall',
    'The Garden',
    'a Red, Red Rose',
    'Bright Star',
  ]);
  expect((await readAll(viewer, { sort: 'longest' }))[0]).toBe('Bright Star');
  expect((await readAll(viewer, { sort: 'popular' }))[0]).toBe('100% Rain_fall');
  for (const [filter, titles] of [
    ['echo', ['Écho']],
    ['ÉCHO', ['Écho']],
    ['  tomas F', ['Écho']],
    ['the gar', ['The Garden']],
    ['red, red', ['a Red, Red Rose']],
    ['RED red', ['a Red, Red Rose']],
    ['%', ['100% Rain_fall']],
    ['_', ['100% Rain_fall']],
    ['\\', []],
    ['nothing like it', []],
    ['!', []],
    ['   ', made.toReversed()],
  ] as const)
    expect([filter, await readAll(viewer, { filter })]).toEqual([filter, titles]);
  expect(await readAll(viewer, { filter: 'r', sort: 'title' }, 1)).toEqual([
    '100% Rain_fall',
    'a Red, Red Rose',
    'Bright Star',
    // Matches by voice.
    'Écho',
    'The Garden',
  ]);
});

test('both kinds of playlists share one order; users, voices and categories are sorted and filtered too', async () => {
  const viewer = await createViewer(db);
  const owner = await createUser(db, { username: 'Zoë' });
  const house = [await createPlaylist(db, { title: 'Ärger' }), await createPlaylist(db, { title: 'Cold' })];
  const theirs = await createUserPlaylist(db, { title: 'bold', userId: owner.id });
  const category = await createCategory(db, { label: 'Über alles' });
  for (const [type, id] of [
    ['playlist', house[0]?.id ?? ''],
    ['userPlaylist', theirs.id],
    ['playlist', house[1]?.id ?? ''],
    ['user', owner.id],
    ['category', category.id],
  ] as const)
    await favor(viewer, type, id);
  const first = await library.listFavorites(viewer, 'playlists', { limit: 2 });
  const second = await library.listFavorites(viewer, 'playlists', { limit: 2, cursor: first.nextCursor });
  expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(['Cold', 'bold', 'Ärger']);
  expect(second.nextCursor).toBeUndefined();
  const sorted = await library.listFavorites(viewer, 'playlists', { limit: 2, sort: 'title' });
  expect(sorted.items.map(({ title }) => title)).toEqual(['bold', 'Cold']);
  const rest = await library.listFavorites(viewer, 'playlists', { limit: 2, sort: 'title', cursor: sorted.nextCursor });
  expect(rest.items.map(({ title }) => title)).toEqual(['Ärger']);
  const narrowed = async (group: 'playlists' | 'users' | 'categories', filter: string) =>
    (await library.listFavorites(viewer, group, { limit: 5, filter })).items.map(({ id }) => id);
  expect(await narrowed('playlists', 'OLD')).toEqual([house[1]?.id, theirs.id]);
  expect(await narrowed('playlists', 'arg')).toEqual([house[0]?.id]);
  expect(await narrowed('users', 'zoe')).toEqual([owner.id]);
  expect(await narrowed('categories', 'uber')).toEqual([category.id]);
  expect(await narrowed('categories', 'x')).toEqual([]);
  // Only audios have plays: other groups ignore this sort.
  const odd = await library.listFavorites(viewer, 'users', { limit: 5, sort: 'popular' });
  expect(odd.items.map(({ id }) => id)).toEqual([owner.id]);
});

test('filters of favorite audios count these alone, hidden ones too, beside a text', async () => {
  const viewer = await createViewer(db);
  const make = (title: string, tagLabels: string[], isFree: boolean) =>
    createAudio(db, { title, tagLabels, isFree, durationMs: 300_000 });
  for (const one of [await make('Heron', ['Reed'], true), await make('Heron night', ['Reed', 'Mud'], false)])
    await favor(viewer, 'audio', one.id);
  await favor(viewer, 'audio', (await make('Crane', ['Mud'], true)).id);
  await make('Heron day', ['Reed'], true);
  await library.setTagHidden(viewer.id, 'mud', true);
  const count = async (text: string, filter: AudioFilter) => {
    const { total, of, free, facets: groups } = await library.countFavoriteFilters(viewer, text, filter);
    const tags = groups.flatMap((group) => group.tags.map(({ slug, audios: count }) => [slug, count]));
    return [total, of, free, Object.fromEntries(tags)];
  };
  expect(await count('', {})).toEqual([3, 3, 2, { reed: 2 }]);
  expect(await count('heron', {})).toEqual([2, 2, 1, { reed: 2 }]);
  expect(await count('', { tag: ['reed'], free: 'true' })).toEqual([1, 3, 1, { reed: 1 }]);
  expect(await count('heron', { length: ['long'] })).toEqual([0, 2, 0, { reed: 0 }]);
});

test('cursors of another order or group, or with unusable values, are refused', async () => {
  const viewer = await createViewer(db);
  for (let index = 0; index < 2; index += 1) await favor(viewer, 'audio', (await createAudio(db)).id);
  const { nextCursor } = await library.listFavorites(viewer, 'audios', { limit: 1 });
  expect(nextCursor).toBeTypeOf('string');
  const forged = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
  for (const [sort, cursor] of [
    ['title', nextCursor],
    ['recent', forged(['favorites.audios.recent', '0000-01-01T00:00:00Z', newId()])],
    ['title', forged(['favorites.audios.title', 'a\0', newId()])],
    ['popular', forged(['favorites.audios.popular', 1e300, newId()])],
    ['popular', forged(['favorites.audios.popular', 1.5, newId()])],
  ] as const)
    await expect(library.listFavorites(viewer, 'audios', { sort, limit: 1, cursor })).rejects.toMatchObject({
      code: 'request/bad-cursor',
    });
  await expect(library.listFavorites(viewer, 'voices', { limit: 1, cursor: nextCursor })).rejects.toMatchObject({
    code: 'request/bad-cursor',
  });
});

test('a full library refuses new favorites but accepts existing ones again', slow, async () => {
  const viewer = await createViewer(db);
  const { voiceId } = await createAudio(db, { title: 'The first of all' });
  await pool.query('alter table audios disable trigger user');
  await pool.query(
    `insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
     select gen_random_uuid(), 'many-' || n, 'Many', 'many', $1, 'audio/x.mp3', 'audio/mpeg', 1, 1, now() from generate_series(1, $2::int) n`,
    [voiceId, maxFavorites - 1],
  );
  await pool.query('alter table audios enable trigger user');
  await pool.query(`insert into audio_favorites (user_id, content_id) select $1, id from audios where title = 'Many'`, [
    viewer.id,
  ]);
  const [last, more] = [await createAudio(db), await createAudio(db)];
  expect(await favor(viewer, 'audio', last.id)).toMatchObject({ ok: true });
  expect(await favor(viewer, 'audio', more.id)).toEqual({ ok: false, reason: 'full' });
  const [one] = (await library.findFavoriteIds(viewer.id)).audios;
  expect(await favor(viewer, 'audio', one ?? '')).toMatchObject({ ok: true });
  expect(await favor(viewer, 'audio', one ?? '', false)).toMatchObject({ ok: true });
  expect(await favor(viewer, 'audio', more.id)).toMatchObject({ ok: true });
  expect(await favor(viewer, 'voice', voiceId)).toMatchObject({ ok: true });
});

test('with listeners’ playlists turned off, only own ones stay listed and counted', async () => {
  const off = await openTestSite(db);
  const viewer = await createViewer(db);
  const [theirs, own] = [await createUserPlaylist(db), await createUserPlaylist(db, { userId: viewer.id })];
  for (const { id } of [theirs, own]) await favor(viewer, 'userPlaylist', id);
  const { value, revision } = (await off.admin.site.findSiteSettings(operator)).features;
  await off.admin.site.changeSection(operator, 'features', { value: { ...value, userPlaylists: false }, revision });
  expect(await off.library.countFavorites(viewer)).toMatchObject({ playlists: 1 });
  for (const playlists of [
    (await off.library.findFavorites(viewer, 5)).playlists,
    (await off.library.listFavorites(viewer, 'playlists', { limit: 5 })).items,
  ])
    expect(playlists.map(({ id }) => id)).toEqual([own.id]);
});
