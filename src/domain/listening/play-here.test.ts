import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { clearHistory } from './history.ts';
import { findPlayingElsewhere, notePlaying, takeOverPlaying } from './play-here.ts';
import { saveProgress } from './progress.ts';
import { playingSessions } from './tables.ts';

const { db } = await createTestDatabase();

async function createListener() {
  const { id: userId } = await createUser(db);
  const { id: audioId } = await createAudio(db);
  const [phone, laptop] = [(await createSession(db, userId)).id, (await createSession(db, userId)).id];
  const report = async (
    sessionId: string,
    { isPlaying = true, notedAt }: { isPlaying?: boolean; notedAt?: Date } = {},
  ) => (await notePlaying(db, [{ userId, sessionId, audioId, isPlaying, notedAt }]))[0];
  return { userId, audioId, phone, laptop, report };
}

test('a device sees that another one plays, and takes it over at its saved second', async () => {
  const { userId, audioId, phone, laptop, report } = await createListener();
  expect(await report(phone)).toBe(false);
  // Another listener's place in it, and this one's in another audio.
  const other = await createListener();
  await saveProgress(db, [{ userId: other.userId, audioId, positionMs: 7000 }]);
  await saveProgress(db, [{ userId, audioId: other.audioId, positionMs: 9000 }]);
  await saveProgress(db, [{ userId, audioId, positionMs: 42_000 }]);
  expect(await findPlayingElsewhere(db, userId, phone)).toBeUndefined();
  expect(await findPlayingElsewhere(db, userId, laptop)).toMatchObject({ audioId });
  expect(await takeOverPlaying(db, userId, laptop)).toEqual({ audioId, seconds: 42 });
  expect(await takeOverPlaying(db, userId, laptop)).toBeUndefined();
  expect(await findPlayingElsewhere(db, userId, phone)).toMatchObject({ audioId });
});

test('an audio heard to its end has no second: the device plays the next one, and has not reported it yet', async () => {
  const { userId, audioId, phone, laptop, report } = await createListener();
  await report(phone);
  await saveProgress(db, [{ userId, audioId, positionMs: null }]);
  expect(await takeOverPlaying(db, userId, laptop)).toEqual({ audioId, seconds: null });
});

test('the device that lost playback is told once, and may play again afterwards', async () => {
  const { userId, phone, laptop, report } = await createListener();
  await report(phone);
  await takeOverPlaying(db, userId, laptop);
  expect(await report(laptop)).toBe(false);
  expect(await report(phone)).toBe(true);
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeUndefined();
  expect(await report(phone)).toBe(false);
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeDefined();
});

test('a paused device that was taken over is not told, and may play again afterwards', async () => {
  const { userId, phone, laptop, report } = await createListener();
  await report(phone);
  await takeOverPlaying(db, userId, laptop);
  expect(await report(phone, { isPlaying: false })).toBe(false);
  expect(await findPlayingElsewhere(db, userId, phone)).toBeDefined();
  expect(await report(phone)).toBe(false);
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeDefined();
});

test('a device that lost playback is told even after a third one started', async () => {
  const { userId, phone, laptop, report } = await createListener();
  const { id: tablet } = await createSession(db, userId);
  await report(phone);
  await takeOverPlaying(db, userId, laptop);
  expect(await report(tablet)).toBe(false);
  expect(await report(phone)).toBe(true);
  expect(await findPlayingElsewhere(db, userId, tablet)).toBeUndefined();
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeDefined();
});

test('a pause ends the offer, and a pause on another device does not', async () => {
  const { userId, phone, laptop, report } = await createListener();
  await report(phone);
  await report(laptop, { isPlaying: false });
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeDefined();
  await report(phone, { isPlaying: false });
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeUndefined();
});

test('a device that was offline, or no longer reports, is not offered', async () => {
  const { userId, phone, laptop, report } = await createListener();
  await report(phone, { notedAt: new Date(Date.now() - 60_000) });
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeUndefined();
  await report(phone);
  const letPass = (seconds: number) =>
    db
      .update(playingSessions)
      .set({ notedAt: sql`noted_at - make_interval(secs => ${seconds})` })
      .where(eq(playingSessions.userId, userId));
  await letPass(18);
  // Offered for a little longer, with the age of its last report, because it may have lost its connection briefly.
  expect(await findPlayingElsewhere(db, userId, laptop)).toMatchObject({ secondsAgo: 18 });
  await letPass(8);
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeUndefined();
  expect(await takeOverPlaying(db, userId, laptop)).toBeUndefined();
});

test('a report that is older than two missed ones changes nothing', async () => {
  const { userId, phone, laptop, report } = await createListener();
  await report(phone, { notedAt: new Date(Date.now() - 26_000) });
  expect(await db.$count(playingSessions, eq(playingSessions.userId, userId))).toBe(0);
  await report(phone, { notedAt: new Date(Date.now() - 20_000) });
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeDefined();
});

test('clearing the history forgets what plays', async () => {
  const { userId, phone, laptop, report } = await createListener();
  await report(phone);
  await clearHistory(db, userId);
  expect(await findPlayingElsewhere(db, userId, laptop)).toBeUndefined();
});

test('listeners in one batch do not hear of each other', async () => {
  const [one, two] = [await createListener(), await createListener()];
  await one.report(one.phone);
  await takeOverPlaying(db, one.userId, one.laptop);
  const reports = [two, one].map(({ userId, phone, audioId }) => ({
    userId,
    sessionId: phone,
    audioId,
    isPlaying: true,
  }));
  expect(await notePlaying(db, reports)).toEqual([false, true]);
  expect(await findPlayingElsewhere(db, two.userId, two.laptop)).toBeDefined();
});
