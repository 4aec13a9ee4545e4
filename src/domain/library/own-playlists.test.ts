import { asc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createUserPlaylist, createViewer, createVoice } from '#test/support/factories.ts';
import { slow } from '#test/support/tags.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { publishAudio, unpublishAudio } from '../catalogue/editing/publishing.ts';
import { audios } from '../catalogue/tables.ts';
import { newId } from '../kernel/ids.ts';
import { visitor } from '../kernel/viewer.ts';
import { PlaylistForm } from './forms.ts';
import type { Place } from './own-playlists.ts';
import { maxPlaylistItems, maxPlaylists } from './rules.ts';
import { userPlaylistItems, userPlaylists } from './tables.ts';

const { db, pool } = await createTestDatabase();
const { library } = await openTestSite(db);
const voice = await createVoice(db);
const shelf: string[] = [];
for (let index = 0; index < 12; index += 1)
  shelf.push((await createAudio(db, { voiceId: voice.id, durationMs: 60_000 + index * 1000 })).id);

type Viewer = Awaited<ReturnType<typeof createViewer>>;

/** A list of the first audios on the shelf, which are named by their index there. */
async function newList(length: number, overrides: Parameters<typeof createUserPlaylist>[1] = {}) {
  const viewer = await createViewer(db);
  const { id } = await createUserPlaylist(db, {
    isPublic: false,
    audioIds: shelf.slice(0, length),
    ...overrides,
    userId: viewer.id,
  });
  return { viewer, id };
}

async function orderOf(viewer: Viewer, id: string): Promise<number[]> {
  const { items } = await library.listUserPlaylistAudios(
    viewer,
    { id, user: { id: viewer.id, username: '', icon: null, color: '#F29AB0' } },
    { limit: 100 },
  );
  return items.map((item) => shelf.indexOf(item.id));
}

const named = (place: { after?: number | null; before?: number | null }): Place =>
  Object.fromEntries(Object.entries(place).map(([key, at]) => [key, at === null ? null : (shelf[at] ?? newId())]));

test('the owner can create, fill, change and read a list; others cannot see it while it is private', async () => {
  const [viewer, other] = [await createViewer(db, { username: 'nell' }), await createViewer(db)];
  const form = PlaylistForm.parse({
    title: '  Sunday,\n curtains\u202E closed ',
    audioIds: [shelf[1], newId(), shelf[0], shelf[1]],
  });
  const made = await library.createUserPlaylist(viewer.id, form);
  if (!made.ok) throw new Error(made.reason);
  const { playlist } = made;
  expect(playlist).toEqual({
    id: expect.any(String),
    title: 'Sunday, curtains closed',
    background: 'Pink to Blue',
    font: 'Helvetica Neue',
    isPublic: false,
    user: { id: viewer.id, username: 'nell', icon: null, color: '#F29AB0' },
    totalAudios: 2,
    totalDuration: 121,
    plays: 0,
  });
  expect(await orderOf(viewer, playlist.id)).toEqual([1, 0]);
  for (const reader of [other, visitor]) {
    expect(await library.findUserPlaylist(reader, playlist.id)).toBeUndefined();
    expect((await library.listUserPlaylistsOf(reader, viewer.id, { limit: 5 })).items).toEqual([]);
  }
  expect(await library.findUserPlaylist(viewer, playlist.id)).toEqual(playlist);
  const changed = await library.changeUserPlaylist(viewer.id, playlist.id, { font: 'Lora Bold', isPublic: true });
  expect(changed).toEqual({ ...playlist, font: 'Lora Bold', isPublic: true });
  expect(await library.findUserPlaylist(other, playlist.id)).toEqual(changed);
  expect(await library.changeUserPlaylist(viewer.id, playlist.id, {})).toEqual(changed);
  for (const act of [
    () => library.changeUserPlaylist(other.id, playlist.id, { title: 'mine' }),
    () => library.deleteUserPlaylist(other.id, playlist.id),
    () => library.changeUserPlaylist(viewer.id, newId(), { title: 'none' }),
    () => library.changeUserPlaylist(viewer.id, 'no-id', { title: 'none' }),
  ])
    expect(await act()).toBeUndefined();
  expect(await library.addToUserPlaylist(other.id, playlist.id, shelf)).toEqual({ ok: false, reason: 'not-found' });
  expect(await library.removeFromUserPlaylist(other.id, playlist.id, shelf[0] ?? '')).toBe(false);
  expect(await library.moveInUserPlaylist(other.id, playlist.id, shelf[0] ?? '', { after: null })).toEqual({
    ok: false,
    reason: 'not-found',
  });
  expect(await library.findUserPlaylist(visitor, playlist.id)).toEqual(changed);
});

test('adding appends new audios and skips existing and unknown ones', async () => {
  const { viewer, id } = await newList(2);
  const draft = await createAudio(db, { publishedAt: null });
  expect(await library.addToUserPlaylist(viewer.id, id, [shelf[3] ?? '', shelf[0] ?? '', newId(), draft.id])).toEqual({
    ok: true,
    added: 1,
    totalAudios: 3,
  });
  expect(await library.addToUserPlaylist(viewer.id, id, [shelf[3] ?? ''])).toEqual({
    ok: true,
    added: 0,
    totalAudios: 3,
  });
  expect(await library.addToUserPlaylist(viewer.id, id, [newId(), draft.id])).toEqual({
    ok: false,
    reason: 'not-found',
  });
  expect(await orderOf(viewer, id)).toEqual([0, 1, 3]);
  for (let time = 0; time < 2; time += 1)
    expect(await library.removeFromUserPlaylist(viewer.id, id, shelf[0] ?? '')).toBe(true);
  expect(await orderOf(viewer, id)).toEqual([1, 3]);
  expect(await library.findUserPlaylist(viewer, id)).toMatchObject({ totalAudios: 2, totalDuration: 124 });
});

test.each([
  ['to the beginning', 3, { after: null }, [3, 0, 1, 2, 4]],
  ['to the end', 1, { before: null }, [0, 2, 3, 4, 1]],
  ['to the end, behind the last', 1, { after: 4, before: null }, [0, 2, 3, 4, 1]],
  ['between two', 4, { after: 0, before: 1 }, [0, 4, 1, 2, 3]],
  ['down', 0, { after: 2, before: 3 }, [1, 2, 0, 3, 4]],
  ['to where it is', 2, { after: 1, before: 3 }, [0, 1, 2, 3, 4]],
  ['before one, where the other is gone', 4, { after: 9, before: 2 }, [0, 1, 4, 2, 3]],
  ['behind one, where the other is gone', 4, { after: 1, before: 9 }, [0, 1, 4, 2, 3]],
  ['behind the first named, where another now stands between', 4, { after: 0, before: 3 }, [0, 4, 1, 2, 3]],
])('an audio is moved %s', async (_where, moved, place, expected) => {
  const { viewer, id } = await newList(5);
  expect(await library.moveInUserPlaylist(viewer.id, id, shelf[moved] ?? '', named(place))).toEqual({ ok: true });
  expect(await orderOf(viewer, id)).toEqual(expected);
});

test('a removed audio is not moved, and without both neighbors the list does not change', async () => {
  const { viewer, id } = await newList(3);
  const move = (audioId: string, place: Place) => library.moveInUserPlaylist(viewer.id, id, audioId, place);
  expect(await move(shelf[7] ?? '', { after: null })).toEqual({ ok: false, reason: 'not-found' });
  expect(await move(shelf[0] ?? '', named({ after: 8, before: 9 }))).toEqual({ ok: false, reason: 'changed' });
  expect(await move(shelf[0] ?? '', named({ after: 8 }))).toEqual({ ok: false, reason: 'changed' });
  expect(await orderOf(viewer, id)).toEqual([0, 1, 2]);
});

test('positions never run out: dozens of moves into the same gap, and at the end of the range', async () => {
  const { viewer, id } = await newList(6);
  let order = [0, 1, 2, 3, 4, 5];
  for (let time = 0; time < 60; time += 1) {
    const moved = order.at(-1) ?? 0;
    await library.moveInUserPlaylist(viewer.id, id, shelf[moved] ?? '', named({ after: order[0] ?? 0 }));
    order = [order[0] ?? 0, moved, ...order.slice(1, -1)];
  }
  expect(await orderOf(viewer, id)).toEqual(order);
  await pool.query(
    'update user_playlist_items set position = 1999999999 where user_playlist_id = $1 and audio_id = $2',
    [id, shelf[order.at(-1) ?? 0]],
  );
  expect(await library.addToUserPlaylist(viewer.id, id, [shelf[8] ?? '', shelf[9] ?? ''])).toMatchObject({ ok: true });
  expect(await orderOf(viewer, id)).toEqual([...order, 8, 9]);
});

test('concurrent moves, additions and removals in two tabs lose and duplicate nothing', async () => {
  const { viewer, id } = await newList(8);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const pick = () => shelf[random(8)] ?? '';
  const acts = Array.from({ length: 60 }, (_, index) => () => {
    if (index % 10 === 8) return library.addToUserPlaylist(viewer.id, id, [shelf[8 + random(3)] ?? '']);
    if (index % 10 === 9) return library.removeFromUserPlaylist(viewer.id, id, shelf[8 + random(3)] ?? '');
    return library.moveInUserPlaylist(viewer.id, id, pick(), { after: pick(), before: pick() });
  });
  const tab = async (own: (() => Promise<unknown>)[]) => {
    for (const act of own) await act();
  };
  await Promise.all([tab(acts.slice(0, 30)), tab(acts.slice(30))]);
  const order = await orderOf(viewer, id);
  expect(order.filter((place) => place < 8).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(new Set(order).size).toBe(order.length);
  expect((await library.findUserPlaylist(viewer, id))?.totalAudios).toBe(order.length);
  const rows = await db.select().from(userPlaylistItems).where(eq(userPlaylistItems.userPlaylistId, id));
  expect(rows).toHaveLength(order.length);
});

test('a page continues after its last audio even when the list was renumbered meanwhile', async () => {
  const { viewer, id } = await newList(6);
  const playlist = { id, user: { id: viewer.id, username: '', icon: null, color: '#F29AB0' } } as const;
  const first = await library.listUserPlaylistAudios(viewer, playlist, { limit: 3 });
  // No position is left between the last two: the list is renumbered.
  await library.moveInUserPlaylist(viewer.id, id, shelf[0] ?? '', named({ after: 4, before: 5 }));
  const [moved] = await db
    .select()
    .from(userPlaylistItems)
    .where(eq(userPlaylistItems.userPlaylistId, id))
    .orderBy(asc(userPlaylistItems.position));
  expect(moved?.position).toBe(1024);
  const second = await library.listUserPlaylistAudios(viewer, playlist, { limit: 3, cursor: first.nextCursor });
  expect(second.items.map((item) => shelf.indexOf(item.id))).toEqual([3, 4, 0]);
});

test('a deleted list is hidden, can be restored unchanged, and is purged after a while', async () => {
  const { viewer, id } = await newList(3, { isPublic: true });
  const before = await library.findUserPlaylist(viewer, id);
  const until = await library.deleteUserPlaylist(viewer.id, id);
  expect(until?.getTime()).toBeGreaterThan(Date.now() + 9 * 60_000);
  for (const reader of [viewer, visitor]) {
    expect(await library.findUserPlaylist(reader, id)).toBeUndefined();
    expect((await library.listTopUserPlaylists(reader, { limit: 100 })).items.map((one) => one.id)).not.toContain(id);
  }
  expect(await library.listOwnUserPlaylists(viewer.id)).toEqual([]);
  expect(await library.addToUserPlaylist(viewer.id, id, [shelf[5] ?? ''])).toEqual({ ok: false, reason: 'not-found' });
  expect(await library.deleteUserPlaylist(viewer.id, id)).toBeUndefined();
  const stranger = await createUser(db);
  expect(await library.restoreUserPlaylist(stranger.id, id)).toEqual({ ok: false, reason: 'not-found' });
  for (let time = 0; time < 2; time += 1)
    expect(await library.restoreUserPlaylist(viewer.id, id)).toEqual({ ok: true, playlist: before });
  expect(await orderOf(viewer, id)).toEqual([0, 1, 2]);

  await library.deleteUserPlaylist(viewer.id, id);
  expect(await library.purgeDeletedUserPlaylists()).toBe(0);
  await db
    .update(userPlaylists)
    .set({ deletedAt: new Date(Date.now() - 11 * 60_000) })
    .where(eq(userPlaylists.id, id));
  expect(await library.restoreUserPlaylist(viewer.id, id)).toEqual({ ok: false, reason: 'not-found' });
  expect(await library.purgeDeletedUserPlaylists()).toBe(1);
  expect(await db.$count(userPlaylistItems, eq(userPlaylistItems.userPlaylistId, id))).toBe(0);
});

test('caches are notified of content that becomes hidden, and of no other listener activity', async () => {
  const heard: string[] = [];
  const client = await pool.connect();
  client.on('notification', ({ channel, payload }) => heard.push(payload === '' ? channel : String(payload)));
  await client.query('listen catalogue_changed');
  await client.query('listen done');
  const after = async (name: string, act: () => Promise<unknown>) => {
    await act();
    // Notifications arrive in order, so our own marks the end of the earlier ones.
    await client.query('select pg_notify($1, $2)', ['done', name]);
    await client.query('select 1');
  };
  const { viewer, id } = await newList(2);
  const audioId = shelf[0] ?? '';
  await after('made', () => library.createUserPlaylist(viewer.id, PlaylistForm.parse({ title: 'a', isPublic: true })));
  await after('changed', () => library.changeUserPlaylist(viewer.id, id, { title: 'b' }));
  await after('shared', () => library.changeUserPlaylist(viewer.id, id, { isPublic: true }));
  await after('moved', () => library.moveInUserPlaylist(viewer.id, id, audioId, { before: null }));
  await after('removed', () => library.removeFromUserPlaylist(viewer.id, id, audioId));
  await after('favoured', () => library.setFavorite(viewer, { contentTypeId: 'audio', id: audioId, isFavorite: true }));
  await after('played', () => library.playUserPlaylist(visitor, id, '192.0.2.1'));
  await after('hidden', () => library.changeUserPlaylist(viewer.id, id, { isPublic: false }));
  await after('deleted in private', () => library.deleteUserPlaylist(viewer.id, id));
  await after('restored', () => library.restoreUserPlaylist(viewer.id, id));
  await library.changeUserPlaylist(viewer.id, id, { isPublic: true });
  await after('deleted', () => library.deleteUserPlaylist(viewer.id, id));
  client.release(true);
  expect(heard.join(', ')).toBe(
    'made, changed, shared, moved, removed, favoured, played, ' +
      'user_playlists, hidden, deleted in private, restored, user_playlists, deleted',
  );
});

test('own lists are sorted by last change and tell whether they have an audio', async () => {
  const viewer = await createViewer(db);
  const made = [];
  for (const title of ['one', 'two', 'three'])
    made.push(await createUserPlaylist(db, { userId: viewer.id, title, isPublic: title === 'two' }));
  await createUserPlaylist(db);
  const audioId = shelf[4] ?? '';
  await library.addToUserPlaylist(viewer.id, made[0]?.id ?? '', [audioId]);
  expect(
    (await library.listOwnUserPlaylists(viewer.id, audioId)).map(({ title, hasAudio }) => [title, hasAudio]),
  ).toEqual([
    ['one', true],
    ['three', false],
    ['two', false],
  ]);
  expect((await library.listOwnUserPlaylists(viewer.id)).every(({ hasAudio }) => !hasAudio)).toBe(true);
});

test('the number of lists is limited, also under concurrency and for restores', async () => {
  const viewer = await createViewer(db);
  await pool.query(
    `insert into user_playlists (id, user_id, title, background, font) select gen_random_uuid(), $1, 'x', 'Pink to Blue', 'Lora Bold' from generate_series(1, $2::int)`,
    [viewer.id, maxPlaylists - 3],
  );
  const form = PlaylistForm.parse({ title: 'One more' });
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => library.createUserPlaylist(viewer.id, form)));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3);
  const [own] = await library.listOwnUserPlaylists(viewer.id);
  await library.deleteUserPlaylist(viewer.id, own?.id ?? '');
  expect(await library.createUserPlaylist(viewer.id, form)).toMatchObject({ ok: true });
  expect(await library.restoreUserPlaylist(viewer.id, own?.id ?? '')).toEqual({ ok: false, reason: 'full' });
});

test('totals of lists count published audios and their length', async () => {
  const audio = await createAudio(db, { voiceId: voice.id, durationMs: 10_000 });
  const lists = [await newList(1), await newList(0)];
  for (const { viewer, id } of lists) await library.addToUserPlaylist(viewer.id, id, [audio.id]);
  const totals = () =>
    Promise.all(
      lists.map(async ({ viewer, id }) => {
        const found = await library.findUserPlaylist(viewer, id);
        return [found?.totalAudios, found?.totalDuration];
      }),
    );
  expect(await totals()).toEqual([
    [2, 70],
    [1, 10],
  ]);
  await db.update(audios).set({ durationMs: 30_000 }).where(eq(audios.id, audio.id));
  expect(await totals()).toEqual([
    [2, 90],
    [1, 30],
  ]);
  await unpublishAudio(db, audio.id);
  expect(await totals()).toEqual([
    [1, 60],
    [0, 0],
  ]);
  await publishAudio(db, audio.id);
  expect(await totals()).toEqual([
    [2, 90],
    [1, 30],
  ]);
  await db.delete(audios).where(eq(audios.id, audio.id));
  expect(await totals()).toEqual([
    [1, 60],
    [0, 0],
  ]);
});

test('a list takes 5,000 audios and no more', slow, async () => {
  const { viewer, id } = await newList(0);
  await db.execute(sql`
    insert into audios (id, slug, title, sort_title, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
    select gen_random_uuid(), 'full-' || n, 'Full', 'full', ${voice.id}, 'audio/x.mp3', 'audio/mpeg', 1, 1, now()
    from generate_series(1, ${maxPlaylistItems + 1}::int) n`);
  const { rows } = await db.execute<{ id: string }>(sql`select id from audios where title = 'Full'`);
  const ids = rows.map((row) => row.id);
  const add = (from: number, to: number) => library.addToUserPlaylist(viewer.id, id, ids.slice(from, to));
  expect(await add(0, maxPlaylistItems - 1)).toMatchObject({ added: maxPlaylistItems - 1 });
  expect(await add(maxPlaylistItems - 1, maxPlaylistItems)).toMatchObject({ totalAudios: maxPlaylistItems });
  expect(await add(maxPlaylistItems, maxPlaylistItems + 1)).toEqual({ ok: false, reason: 'full' });
});

test('totals of lists leave scheduled audios out until they are published', async () => {
  const [audio, same] = [
    await createAudio(db, { voiceId: voice.id, durationMs: 10_000 }),
    await createAudio(db, { voiceId: voice.id, durationMs: 10_000 }),
  ];
  const { viewer, id } = await newList(1);
  await library.addToUserPlaylist(viewer.id, id, [audio.id, same.id]);
  const totals = async () => {
    const [listed] = await library.listOwnUserPlaylists(viewer.id);
    const found = await library.findUserPlaylist(viewer, id);
    expect([listed?.totalAudios, listed?.totalDuration]).toEqual([found?.totalAudios, found?.totalDuration]);
    if (found === undefined) throw new Error('the list is gone');
    const { items } = await library.listUserPlaylistAudios(viewer, found, { limit: 9 });
    expect(items).toHaveLength(found.totalAudios);
    return [found.totalAudios, found.totalDuration];
  };
  const later = new Date(Date.now() + 3_600_000);
  await publishAudio(db, audio.id, later);
  expect(await totals()).toEqual([2, 70]);
  // By way of a draft, and when the list changes afterwards.
  await unpublishAudio(db, same.id);
  await publishAudio(db, same.id, later);
  expect(await totals()).toEqual([1, 60]);
  const another = await createAudio(db, { voiceId: voice.id, durationMs: 5000 });
  await library.addToUserPlaylist(viewer.id, id, [another.id]);
  expect(await totals()).toEqual([2, 65]);
  await publishAudio(db, audio.id, new Date(Date.now() + 500));
  await publishAudio(db, same.id);
  expect((await totals())[0]).toBeGreaterThanOrEqual(3);
  await expect.poll(totals, { timeout: 10_000 }).toEqual([4, 85]);
});

test('plays of shared lists count once per listener and hour, except those of the owner', async () => {
  const { viewer, id } = await newList(2, { isPublic: true });
  const other = await createViewer(db);
  const play = (by: Viewer | typeof visitor, address = '192.0.2.7') => library.playUserPlaylist(by, id, address);
  expect(await play(other)).toEqual({ counted: true, plays: 1 });
  expect(await play(other, '192.0.2.8')).toEqual({ counted: false, plays: 1 });
  expect(await play(visitor)).toEqual({ counted: true, plays: 2 });
  expect(await play(viewer)).toEqual({ counted: false, plays: 2 });
  const crowd = await Promise.all(Array.from({ length: 20 }, () => play(visitor, '192.0.2.9')));
  expect(crowd.filter((one) => one?.counted)).toHaveLength(1);
  await pool.query(`update user_playlist_play_marks set until = now() where user_playlist_id = $1`, [id]);
  expect(await play(visitor, '192.0.2.9')).toEqual({ counted: true, plays: 4 });
  await library.changeUserPlaylist(viewer.id, id, { isPublic: false });
  expect(await play(other)).toBeUndefined();
  expect(await play(viewer)).toEqual({ counted: false, plays: 4 });
  expect((await library.listTopUserPlaylists(visitor, { limit: 100 })).items.map((one) => one.id)).not.toContain(id);
});

test.each(['', '   ', '\u200B\u200D', '\u3164', '\u202E\u2066', 'x'.repeat(101), '😀'.repeat(101), 7, null])(
  'a list cannot be called %j',
  (title) => {
    expect(PlaylistForm.safeParse({ title }).success).toBe(false);
  },
);

test.each([
  ['😀'.repeat(100), '😀'.repeat(100)],
  ['<b>bold</b>', '<b>bold</b>'],
  ['e\u0301te\u0301', 'été'],
  ['לילה טוב', 'לילה טוב'],
])('a list can be called %j', (title, kept) => {
  expect(PlaylistForm.parse({ title }).title).toBe(kept);
});
