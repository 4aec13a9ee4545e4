import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser, createUserPlaylist } from '#test/support/factories.ts';
import { visitor } from '../kernel/viewer.ts';
import { users } from '../identity/tables.ts';
import { listTopUserPlaylists, listUserPlaylistsOf } from './user-playlists.ts';

const { db } = await createTestDatabase();
const { id: userId, username } = await createUser(db);
const made: string[] = [];
for (const isPublic of [true, true, false, true, true, true]) {
  const { id } = await createUserPlaylist(db, { userId, isPublic });
  if (isPublic) made.unshift(id);
}
await createUserPlaylist(db);

test('the playlists of a user are their public ones, newest first, in pages', async () => {
  const first = await listUserPlaylistsOf(db, visitor, userId, { limit: 3 });
  expect(first.items.map(({ id, user }) => [id, user.username])).toEqual(made.slice(0, 3).map((id) => [id, username]));
  const second = await listUserPlaylistsOf(db, visitor, userId, { limit: 3, cursor: first.nextCursor });
  expect(second.items.map(({ id }) => id)).toEqual(made.slice(3));
  expect(second.nextCursor).toBeUndefined();
});

test('an unknown user and an invalid id have no playlists', async () => {
  const nothing = { items: [], nextCursor: undefined };
  expect(await listUserPlaylistsOf(db, visitor, '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b', { limit: 3 })).toEqual(nothing);
  expect(await listUserPlaylistsOf(db, visitor, 'ada', { limit: 3 })).toEqual(nothing);
});

test('a cursor of another list and an invalid cursor are refused', async () => {
  const { nextCursor } = await listTopUserPlaylists(db, visitor, { limit: 1 });
  expect(nextCursor).toBeTypeOf('string');
  for (const cursor of [nextCursor, '', 'e30', Buffer.from('["user-playlists.of","x","y"]').toString('base64url')])
    await expect(listUserPlaylistsOf(db, visitor, userId, { limit: 3, cursor })).rejects.toMatchObject({
      code: 'request/bad-cursor',
    });
});

test('a suspended user shows no playlists', async () => {
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, userId));
  expect((await listUserPlaylistsOf(db, visitor, userId, { limit: 3 })).items).toEqual([]);
});
