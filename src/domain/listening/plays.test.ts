import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { audioCounts } from '../catalogue/tables.ts';
import { newId } from '../kernel/ids.ts';
import { visitor } from '../kernel/viewer.ts';
import { countPlays, purgePlayMarks, hashListener } from './plays.ts';
import { playMarks } from './tables.ts';

const { db } = await createTestDatabase();
const listener = (name: string) => hashListener('secret', visitor, name);
const playsOf = async (audioId: string) =>
  (await db.select().from(audioCounts).where(eq(audioCounts.audioId, audioId)))[0]?.plays;

test('a play counts once within the duration of the audio, and again after it', async () => {
  const { id: audioId } = await createAudio(db, { durationMs: 90_000, plays: 7 });
  const play = { listener: listener('10.0.0.1'), audioId };
  expect(await countPlays(db, [play])).toEqual([{ counted: true, plays: 8 }]);
  expect(await countPlays(db, [play])).toEqual([{ counted: false, plays: 8 }]);
  const age = (seconds: number) => db.update(playMarks).set({ until: sql`until - make_interval(secs => ${seconds})` });
  await age(88);
  expect(await countPlays(db, [play])).toEqual([{ counted: false, plays: 8 }]);
  await age(2);
  expect(await countPlays(db, [play])).toEqual([{ counted: true, plays: 9 }]);
});

test('a play whose answer was lost does not count again, however late it is repeated', async () => {
  const { id: audioId } = await createAudio(db, { durationMs: 90_000 });
  const play = { listener: listener('10.7.0.1'), audioId };
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const pass = (seconds: number) =>
    db
      .update(playMarks)
      .set({ until: sql`until - make_interval(secs => ${seconds})` })
      .where(eq(playMarks.audioId, audioId));
  // The first one may be late, too: it was noted offline.
  expect(await countPlays(db, [{ ...play, notedAt: ago(300) }])).toEqual([{ counted: true, plays: 1 }]);
  await pass(120);
  expect(await countPlays(db, [{ ...play, notedAt: ago(120) }])).toEqual([{ counted: false, plays: 1 }]);
  // With a later play in the same batch, that one counts.
  const later = { ...play, notedAt: ago(10) };
  await countPlays(db, [{ ...play, notedAt: ago(120) }, later]);
  expect(await playsOf(audioId)).toBe(2);
  // A time in the future is now.
  expect(await countPlays(db, [{ ...play, notedAt: ago(-3600) }])).toEqual([{ counted: false, plays: 2 }]);
});

test('in one batch each pair of listener and audio counts once', async () => {
  const { id: one } = await createAudio(db);
  const { id: two } = await createAudio(db, { plays: 5 });
  const [a, b] = [listener('10.1.0.1'), listener('10.1.0.2')];
  const counts = await countPlays(db, [
    { listener: a, audioId: one },
    { listener: a, audioId: one },
    { listener: b, audioId: one },
    { listener: b, audioId: two },
  ]);
  expect(counts).toEqual([
    { counted: true, plays: 2 },
    { counted: false, plays: 2 },
    { counted: true, plays: 2 },
    { counted: true, plays: 6 },
  ]);
});

test('fifty concurrent plays of one listener count once, and of fifty listeners fifty times', async () => {
  const { id: audioId } = await createAudio(db);
  const same = await Promise.all(
    Array.from({ length: 50 }, () => countPlays(db, [{ listener: listener('10.2.0.1'), audioId }])),
  );
  expect(same.flat().filter(({ counted }) => counted)).toHaveLength(1);
  const many = await Promise.all(
    Array.from({ length: 50 }, (_, index) => countPlays(db, [{ listener: listener(`10.3.0.${index}`), audioId }])),
  );
  expect(many.flat().every(({ counted }) => counted)).toBe(true);
  expect(await playsOf(audioId)).toBe(51);
});

test('batches with the same audios in opposite orders do not deadlock', async () => {
  const ids = [(await createAudio(db)).id, (await createAudio(db)).id];
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      countPlays(
        db,
        (index % 2 === 0 ? ids : ids.toReversed()).map((audioId) => ({
          listener: listener(`10.4.0.${index}`),
          audioId,
        })),
      ),
    ),
  );
  expect(await Promise.all(ids.map(playsOf))).toEqual([20, 20]);
});

test('a deleted audio counts nothing', async () => {
  expect(await countPlays(db, [{ listener: listener('10.5.0.1'), audioId: newId() }])).toEqual([
    { counted: false, plays: 0 },
  ]);
});

test('an IPv6 household is one listener, two are two, and spellings of one address are equal', () => {
  const same = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:0db8:0001:0002:0:0:0:5'].map(listener);
  expect(new Set(same).size).toBe(1);
  expect(listener('2001:db8:1:3::1')).not.toBe(same[0]);
  expect(listener('::1')).not.toBe(listener('2001:db8::1'));
  expect(listener('fe80::1%eth0')).toBe(listener('fe80::2'));
  expect(listener('::ffff:192.0.2.7')).toBe(listener('192.0.2.7'));
  expect(listener('192.0.2.8')).not.toBe(listener('192.0.2.7'));
});

test('a user is the same listener everywhere, and the hash does not reveal who it is', () => {
  const user = { kind: 'user', id: newId(), isSubscribed: false, isComplete: true } as const;
  expect(hashListener('secret', user, '192.0.2.1')).toBe(hashListener('secret', user, '192.0.2.2'));
  expect(hashListener('other', user, '192.0.2.1')).not.toBe(hashListener('secret', user, '192.0.2.1'));
});

test('only expired play marks are deleted', async () => {
  await db.delete(playMarks);
  const ids = [(await createAudio(db)).id, (await createAudio(db)).id];
  await countPlays(
    db,
    ids.map((audioId) => ({ listener: listener('10.6.0.1'), audioId })),
  );
  await db
    .update(playMarks)
    .set({ until: sql`now() - interval '1 second'` })
    .where(eq(playMarks.audioId, ids[0] ?? ''));
  expect(await purgePlayMarks(db)).toBe(1);
  expect((await db.select().from(playMarks)).map(({ audioId }) => audioId)).toEqual([ids[1]]);
});
