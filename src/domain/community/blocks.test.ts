import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser, createUserPlaylist, createViewer } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { newId } from '../kernel/ids.ts';
import { visitor } from '../kernel/viewer.ts';
import { setSuspended } from '../identity/operators.ts';
import { maxBlocks } from './rules.ts';

const { db, pool } = await createTestDatabase();
const { community, identity, library } = await openTestSite(db);

test('blocks and unblocks are idempotent and show in the user’s own data, newest first', async () => {
  const viewer = await createViewer(db);
  const [first, second] = [await createUser(db), await createUser(db)];
  expect(await identity.findMe(viewer.id)).toMatchObject({ hasBlockedUsers: false, blockedUsers: [] });
  for (const { id } of [first, second, first])
    expect(await community.setBlocked(viewer, id, true)).toEqual({ ok: true });
  expect(await identity.findMe(viewer.id)).toMatchObject({
    hasBlockedUsers: true,
    blockedUsers: [second.id, first.id],
  });
  expect([await community.hasBlocked(viewer, first.id), await community.hasBlocked(viewer, viewer.id)]).toEqual([
    true,
    false,
  ]);
  expect([await community.hasBlocked(visitor, first.id), await community.hasBlocked(viewer, 'x')]).toEqual([
    false,
    false,
  ]);
  const page = await community.listBlockedUsers(viewer.id, { limit: 1 });
  expect(page.items).toEqual([
    { id: second.id, username: second.username, icon: null, color: '#F29AB0', blockedAt: expect.any(Date) },
  ]);
  const rest = await community.listBlockedUsers(viewer.id, { limit: 1, cursor: page.nextCursor });
  expect([rest.items[0]?.id, rest.nextCursor]).toEqual([first.id, undefined]);
  for (let time = 0; time < 2; time += 1)
    expect(await community.setBlocked(viewer, second.id, false)).toEqual({ ok: true });
  expect(await identity.findMe(viewer.id)).toMatchObject({ hasBlockedUsers: true, blockedUsers: [first.id] });
});

test('users cannot block themselves or unknown users; a suspended user can be unblocked', async () => {
  const viewer = await createViewer(db);
  expect(await community.setBlocked(viewer, viewer.id, true)).toEqual({ ok: false, reason: 'oneself' });
  const nameless = await createUser(db, { username: null });
  for (const id of [newId(), nameless.id, 'ada', ''])
    for (const isBlocked of [true, false])
      expect(await community.setBlocked(viewer, id, isBlocked)).toEqual({ ok: false, reason: 'not-found' });
  const other = await createUser(db);
  await community.setBlocked(viewer, other.id, true);
  await setSuspended(db, other.id, true);
  expect(await community.setBlocked(viewer, other.id, false)).toEqual({ ok: true });
  expect(await community.setBlocked(viewer, other.id, true)).toEqual({ ok: false, reason: 'not-found' });
});

test('the number of blocks is limited, also under concurrency', async () => {
  const viewer = await createViewer(db);
  await pool.query(
    `with made as (insert into users (id, username) select gen_random_uuid(), 'many-' || n from generate_series(1, $2::int) n returning id)
     insert into user_blocks (user_id, blocked_id) select $1, id from made`,
    [viewer.id, maxBlocks - 2],
  );
  const others = await Promise.all(Array.from({ length: 6 }, () => createUser(db)));
  const outcomes = await Promise.all(others.map(({ id }) => community.setBlocked(viewer, id, true)));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2);
  expect(outcomes.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'full' });
});

test('playlists of a blocked user are hidden everywhere for the blocking user only', async () => {
  const [viewer, other] = [await createViewer(db), await createViewer(db)];
  const theirs = await createUserPlaylist(db);
  const seenBy = async (reader: typeof viewer | typeof visitor) => [
    (await library.listTopUserPlaylists(reader, { limit: 100 })).items.some(({ id }) => id === theirs.id),
    (await library.listUserPlaylistsOf(reader, theirs.userId, { limit: 100 })).items.length === 1,
    (await library.findUserPlaylist(reader, theirs.id)) !== undefined,
    (await library.playUserPlaylist(reader, theirs.id, '192.0.2.1')) !== undefined,
  ];
  const everywhere = [true, true, true, true];
  expect(await seenBy(viewer)).toEqual(everywhere);
  await community.setBlocked(viewer, theirs.userId, true);
  expect(await seenBy(viewer)).toEqual([false, false, false, false]);
  const owner = { kind: 'user', id: theirs.userId, isSubscribed: false, isComplete: true } as const;
  for (const reader of [other, visitor, owner]) expect(await seenBy(reader)).toEqual(everywhere);
  // Blocks are one-sided: the blocked user notices nothing.
  const mine = await createUserPlaylist(db, { userId: viewer.id });
  expect(await library.findUserPlaylist(owner, mine.id)).toMatchObject({ id: mine.id });
  expect(await identity.findPublicProfile(theirs.userId)).toMatchObject({ id: theirs.userId });
  await community.setBlocked(viewer, theirs.userId, false);
  expect(await seenBy(viewer)).toEqual(everywhere);
});
