import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { audios } from '../catalogue/tables.ts';
import { newId } from '../kernel/ids.ts';
import { visitor } from '../kernel/viewer.ts';
import { findHistory } from './history.ts';
import { findContinueListening, saveProgress } from './progress.ts';

const { db, pool } = await createTestDatabase();
const viewerOf = (id: string) => ({ kind: 'user', id, isSubscribed: false, isComplete: true }) as const;
const placesOf = async (userId: string) => (await findHistory(db, userId)).currentlyListening;

test('many positions are saved at once, capped at the duration, and unknown audios are skipped', async () => {
  const [one, two] = [await createUser(db), await createUser(db)];
  const short = await createAudio(db, { durationMs: 30_000 });
  const long = await createAudio(db, { durationMs: 3_600_000 });
  const draft = await createAudio(db, { publishedAt: null });
  const saved = await saveProgress(db, [
    { userId: one.id, audioId: short.id, positionMs: 45_000 },
    { userId: two.id, audioId: long.id, positionMs: 45_678 },
    { userId: one.id, audioId: newId(), positionMs: 1 },
    { userId: newId(), audioId: short.id, positionMs: 1 },
    { userId: two.id, audioId: draft.id, positionMs: 1 },
  ]);
  expect(saved).toEqual([30_000, 45_678, undefined, undefined, undefined]);
  expect(await placesOf(one.id)).toEqual({ [short.id]: 30 });
  expect(await placesOf(two.id)).toEqual({ [long.id]: 45.678 });
});

test('several changes to one audio: the last one wins, position or end', async () => {
  const { id: userId } = await createUser(db);
  const { id: audioId } = await createAudio(db);
  const change = (positionMs: number | null) => ({ userId, audioId, positionMs });
  expect(await saveProgress(db, [change(9000), change(3000), change(5000)])).toEqual([9000, 3000, 5000]);
  expect(await placesOf(userId)).toEqual({ [audioId]: 5 });
  expect(await saveProgress(db, [change(6000), change(null)])).toEqual([undefined, null]);
  expect(await placesOf(userId)).toEqual({});
  expect(await saveProgress(db, [change(null), change(7000)])).toEqual([null, 7000]);
  expect(await placesOf(userId)).toEqual({ [audioId]: 7 });
});

test('a position or end noted earlier than the stored one changes nothing; a later one does', async () => {
  const { id: userId } = await createUser(db);
  const { id: audioId } = await createAudio(db);
  const now = Date.now();
  const save = (positionMs: number | null, secondsAgo: number) =>
    saveProgress(db, [{ userId, audioId, positionMs, notedAt: new Date(now - secondsAgo * 1000) }]);
  await save(60_000, 30);
  await save(10_000, 40);
  expect(await placesOf(userId)).toEqual({ [audioId]: 60 });
  await save(null, 31);
  expect(await placesOf(userId)).toEqual({ [audioId]: 60 });
  await save(20_000, 30);
  expect(await placesOf(userId)).toEqual({ [audioId]: 20 });
  await save(null, 20);
  expect(await placesOf(userId)).toEqual({});
  await save(50_000, 25);
  expect(await placesOf(userId)).toEqual({});
  await save(5000, -3600);
  expect(await placesOf(userId)).toEqual({ [audioId]: 5 });
  // A position from the future counts as noted now, or nothing could be saved for an hour.
  await save(6000, 0);
  await saveProgress(db, [{ userId, audioId, positionMs: 7000 }]);
  expect(await placesOf(userId)).toEqual({ [audioId]: 7 });
});

test('several changes that arrive together: the one noted last wins', async () => {
  const { id: userId } = await createUser(db);
  const { id: audioId } = await createAudio(db);
  const change = (positionMs: number, secondsAgo: number) => ({
    userId,
    audioId,
    positionMs,
    notedAt: new Date(Date.now() - secondsAgo * 1000),
  });
  await saveProgress(db, [change(60_000, 1), change(10_000, 20)]);
  expect(await placesOf(userId)).toEqual({ [audioId]: 60 });
});

test('batches with the same rows in opposite orders do not deadlock', async () => {
  const users = await Promise.all(Array.from({ length: 5 }, () => createUser(db)));
  const { id: audioId } = await createAudio(db);
  const changes = users.map(({ id }) => ({ userId: id, audioId, positionMs: 1000 }));
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => saveProgress(db, index % 2 === 0 ? changes : changes.toReversed())),
  );
  expect(outcomes.flat().every((saved) => saved === 1000)).toBe(true);
});

test('continue listening has audios that were started and not finished, last heard first', async () => {
  const { id: userId } = await createUser(db);
  const list = [];
  for (let index = 0; index < 6; index += 1) list.push(await createAudio(db, { durationMs: 60_000 }));
  for (const [index, { id: audioId }] of list.entries()) {
    const positionMs = [20_000, 59_500, 0, 30_000, 10_000, 5000][index] ?? 0;
    await saveProgress(db, [{ userId, audioId, positionMs }]);
    await pool.query(
      `update listening_progress set updated_at = now() + $1 * interval '1 s' where user_id = $2 and audio_id = $3`,
      [index, userId, audioId],
    );
  }
  await db
    .update(audios)
    .set({ publishedAt: null })
    .where(eq(audios.id, list[4]?.id ?? ''));
  const found = await findContinueListening(db, viewerOf(userId), 12);
  expect(found.map(({ audio, seconds }) => [audio.id, seconds])).toEqual([
    [list[5]?.id, 5],
    [list[3]?.id, 30],
    [list[0]?.id, 20],
  ]);
  expect(await findContinueListening(db, viewerOf(userId), 2)).toHaveLength(2);
  expect(await findContinueListening(db, visitor, 12)).toEqual([]);
});
