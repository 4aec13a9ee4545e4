import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '#domain/identity/tables.ts';
import { createUser, createUserPlaylist } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite();

async function get(path: string) {
  const response = await fetch(`${url}/v1/api${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('the playlists of a user come in pages, the newest first, the private ones not at all', async () => {
  const { id: userId } = await createUser(db, { username: 'ada.m', color: '#93B7EA' });
  const older = await createUserPlaylist(db, { userId, title: 'Slow evenings' });
  await createUserPlaylist(db, { userId, isPublic: false });
  const newer = await createUserPlaylist(db, { userId, title: 'Rain' });

  const first = await get(`/users/${userId}/playlists?limit=1`);
  expect(first).toEqual({
    status: 200,
    body: {
      items: [
        {
          id: newer.id,
          title: 'Rain',
          background: 'Pink to Blue',
          font: 'Lora Bold',
          isPublic: true,
          user: { id: userId, username: 'ada.m', icon: null, color: '#93B7EA' },
          totalAudios: 0,
          totalDuration: 0,
          plays: 0,
        },
      ],
      nextCursor: expect.any(String),
    },
  });
  const second = await get(`/users/${userId}/playlists?limit=1&cursor=${String(first.body.nextCursor)}`);
  expect(second.body).toMatchObject({ items: [{ id: older.id }] });
  expect(second.body.nextCursor).toBeNull();
});

test('a user without public playlists has an empty list', async () => {
  const { id } = await createUser(db);
  expect(await get(`/users/${id}/playlists`)).toEqual({ status: 200, body: { items: [], nextCursor: null } });
});

test('unknown, unnamed and suspended users are not found', async () => {
  const nameless = await createUser(db, { username: null });
  const suspended = await createUser(db);
  await createUserPlaylist(db, { userId: suspended.id });
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.id));
  for (const id of [nameless.id, suspended.id, '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b', 'ada', '%00'])
    expect(await get(`/users/${id}/playlists`)).toMatchObject({
      status: 404,
      body: { error: { code: 'request/not-found' } },
    });
});

test.each(['limit=0', 'limit=101', 'cursor=e30'])('%s is a 400', async (query) => {
  const { id } = await createUser(db);
  const { status, body } = await get(`/users/${id}/playlists?${query}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { code: expect.stringMatching(/^request\/(invalid|bad-cursor)$/) } });
});
