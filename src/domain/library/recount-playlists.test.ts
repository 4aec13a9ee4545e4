import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createUserPlaylist } from '#test/support/factories.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { audios } from '../catalogue/tables.ts';
import { addToUserPlaylist } from './own-playlists.ts';
import { recountPlaylists } from './recount-playlists.ts';
import { userPlaylists } from './tables.ts';

const { db } = await createTestDatabase();
const audio = await createAudio(db);
const other = await createAudio(db);

async function putInLists(lists: number): Promise<void> {
  const { id } = await createUser(db);
  await db.execute(sql`
    with made as (
      insert into ${userPlaylists} (id, user_id, title, background, font)
      select gen_random_uuid(), ${id}, 'List ' || n, 'Pink to Blue', 'Lora Bold' from generate_series(1, ${lists}) n returning id)
    insert into user_playlist_items (user_playlist_id, audio_id, position)
    select made.id, one.id, one.position from made cross join (values (${audio.id}::uuid, 0), (${other.id}::uuid, 1)) one (id, position)`);
}

const publish = (publishedAt: Date | null) => db.update(audios).set({ publishedAt }).where(eq(audios.id, audio.id));

async function counts(): Promise<Record<string, number>> {
  const { rows } = await db.execute<{ audios: number; lists: number }>(
    sql`select audios, count(*)::int as lists from user_playlist_counts group by audios`,
  );
  return Object.fromEntries(rows.map((row) => [row.audios, row.lists]));
}

test('few lists are counted at once, many by the job, also when the audio changes while it runs', async () => {
  await putInLists(200);
  await publish(null);
  expect(await counts()).toEqual({ 1: 200 });
  await publish(new Date());
  expect(await counts()).toEqual({ 2: 200 });
  expect(await recountPlaylists(db)).toBe(0);

  await putInLists(1200);
  await publish(null);
  expect(await counts(), 'publishing did not wait for 1,400 lists').toEqual({ 2: 1400 });
  // Stopped after the first batch; meanwhile the audio is published again.
  let batches = 0;
  const signal = {
    throwIfAborted() {
      if (batches++ === 1) throw new Error('stopped');
    },
  } as AbortSignal;
  await expect(recountPlaylists(db, signal)).rejects.toThrow('stopped');
  expect(await counts()).toEqual({ 1: 500, 2: 900 });
  await publish(new Date());
  expect(await recountPlaylists(db)).toBe(1400);
  expect(await counts()).toEqual({ 2: 1400 });
  expect(await recountPlaylists(db)).toBe(0);
});

test('a list that gets an audio while it is being unpublished does not count it', async () => {
  const user = await createUser(db);
  const changing = await createAudio(db);
  const list = await createUserPlaylist(db, { userId: user.id });
  const [, added] = await meanwhile(
    db,
    (tx) => tx.update(audios).set({ publishedAt: null }).where(eq(audios.id, changing.id)),
    () => addToUserPlaylist(db, user.id, list.id, [changing.id]),
  );
  expect(added).toMatchObject({ ok: true });
  const { rows } = await db.execute(sql`select audios from user_playlist_counts where user_playlist_id = ${list.id}`);
  expect(rows).toEqual([{ audios: 0 }]);
});
