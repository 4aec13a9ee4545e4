import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { newId } from '../kernel/ids.ts';
import { purgeOldReports } from './counters.ts';
import type { SecondsReport } from './ledger.ts';
import { addSeconds } from './seconds.ts';
import { clearHistory } from './history.ts';
import { listenedParts, listenedSeconds, listeningHistory, voiceListening } from './tables.ts';

const { db, pool } = await createTestDatabase();

async function createListener({ isSubscribed = true } = {}) {
  const { id } = await createUser(db);
  const viewer = { kind: 'user', id, isSubscribed, isComplete: true } as const;
  return {
    id,
    report: (key: string, seconds: number, more: Partial<SecondsReport> = {}): SecondsReport => ({
      kind: 'audioListenedSeconds',
      viewer,
      key,
      milliseconds: seconds * 1000,
      reportId: undefined,
      positionMs: undefined,
      ...more,
    }),
  };
}

/** Moves the user's clock back, as if the last report had come earlier. */
async function letPass(userId: string, seconds: number): Promise<void> {
  await pool.query(
    `update listening_clocks set audio_until = audio_until - $2 * interval '1 s', voice_until = voice_until - $2 * interval '1 s'
     where user_id = $1`,
    [userId, seconds],
  );
}

async function count(...reports: SecondsReport[]): Promise<(number | string)[]> {
  return (await addSeconds(db, reports)).map((outcome) => (outcome.ok ? outcome.counted : outcome.reason));
}

async function ledgerOf(audioId: string) {
  return db.select().from(listenedSeconds).where(eq(listenedSeconds.audioId, audioId));
}

test('seconds are in the ledger by day, audio and voice, without the listener', async () => {
  const voice = await createVoice(db);
  const audio = await createAudio(db, { voiceId: voice.id, durationMs: 100_000 });
  const [one, two] = [await createListener(), await createListener()];
  expect(await count(one.report(audio.id, 40), two.report(audio.id, 12.5))).toEqual([40, 12.5]);
  await letPass(one.id, 60);
  expect(await count(one.report(audio.id, 50))).toEqual([50]);
  const now = new Date();
  expect(await ledgerOf(audio.id)).toEqual([
    {
      day: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())),
      audioId: audio.id,
      voiceId: voice.id,
      milliseconds: 102_500,
      trialMs: 0,
      freeMs: 0,
      reports: 3,
    },
  ]);
  const own = await db.select().from(listeningHistory).where(eq(listeningHistory.userId, one.id));
  expect(own).toMatchObject([{ audioId: audio.id, listenedMs: 90_000, listens: 0 }]);
});

test('the first reports of a member of some hours, all sent at once, count within these hours', async () => {
  const audios = [await createAudio(db, { durationMs: 100_000 }), await createAudio(db, { durationMs: 100_000 })];
  const listener = await createListener();
  await pool.query(`update users set created_at = now() - interval '100 s' where id = $1`, [listener.id]);
  expect(await count(...audios.map(({ id }) => listener.report(id, 40)))).toEqual([40, 40]);
  const [first] = audios;
  const [rest] = await count(listener.report(first?.id ?? '', 40));
  expect(rest).toBeGreaterThanOrEqual(20);
  expect(rest).toBeLessThan(30);
});

test('the ledger sets apart what was heard in a trial, and without a subscription', async () => {
  const audio = await createAudio(db, { isFree: true, durationMs: 100_000 });
  const [trial, paying, free] = [
    await createListener(),
    await createListener(),
    await createListener({ isSubscribed: false }),
  ];
  for (const { id } of [trial, paying])
    await pool.query(
      `insert into subscriptions (user_id, subscription_id, status, period, amount, currency, started_at, period_ends_at)
       values ($1::uuid, 'sub ' || $1, 'trialing', 'month', 799, 'usd', now(), now() + interval '7 days')`,
      [id],
    );
  // Paid before: the gift only moved the next charge.
  await pool.query(
    `insert into invoices (id, user_id, invoice_id, status, currency, subtotal, discount, credit, total, amount_due, amount_paid, period_start, period_end, created_at, lines)
     values ($1::uuid, $2, 'in ' || $1, 'paid', 'usd', 799, 0, 0, 799, 799, 799, now(), now(), now(), '[]')`,
    [newId(), paying.id],
  );
  await count(trial.report(audio.id, 10), paying.report(audio.id, 20), free.report(audio.id, 40));
  expect(await ledgerOf(audio.id)).toMatchObject([{ milliseconds: 70_000, trialMs: 10_000, freeMs: 40_000 }]);
  await letPass(trial.id, 60);
  await count(trial.report(audio.id, 5));
  expect(await ledgerOf(audio.id)).toMatchObject([{ milliseconds: 75_000, trialMs: 15_000, freeMs: 40_000 }]);
});

test('a report counts at most twice the duration', async () => {
  const audio = await createAudio(db, { durationMs: 20_000 });
  const { id, report } = await createListener();
  expect(await count(report(audio.id, 172_800))).toEqual([40]);
  await letPass(id, 3600);
  expect(await count(report(audio.id, 172_800))).toEqual([40]);
});

test('all reports of a user together count no more seconds than have passed', async () => {
  const [first, second] = [await createAudio(db, { durationMs: 600_000 }), await createAudio(db)];
  const { id, report } = await createListener();
  expect(await count(report(first.id, 30))).toEqual([30]);
  // Almost no time has passed between the two.
  expect((await count(report(second.id, 30)))[0]).toBeLessThan(5);
  await letPass(id, 100);
  const [a, b, c] = (await count(report(first.id, 40), report(second.id, 40), report(first.id, 40))) as number[];
  expect([a, b]).toEqual([40, 40]);
  expect(c).toBeGreaterThanOrEqual(20);
  expect(c).toBeLessThan(25);
  // Credit is capped at 12 h.
  await letPass(id, 10 * 24 * 3600);
  const hours = await Promise.all(Array.from({ length: 60 }, () => count(report(first.id, 1200))));
  expect(hours.flat().reduce<number>((sum, seconds) => sum + Number(seconds), 0)).toBeLessThan(12 * 3600 + 60);
});

test('clearing the history does not reset the clock', async () => {
  const audio = await createAudio(db, { durationMs: 600_000 });
  const { id, report } = await createListener();
  await count(report(audio.id, 1200));
  await clearHistory(db, id);
  expect((await count(report(audio.id, 1200)))[0]).toBeLessThan(5);
});

test('a duplicate report counts once: later, in the same batch, or in fifty concurrent requests', async () => {
  const audio = await createAudio(db, { durationMs: 600_000 });
  const { id, report } = await createListener();
  const again = (reportId: string) => report(audio.id, 10, { reportId });
  expect(await count(again('r1'))).toEqual([10]);
  await letPass(id, 3600);
  expect(await count(again('r1'), again('r2'), again('r2'))).toEqual([0, 10, 0]);
  const many = await Promise.all(Array.from({ length: 50 }, () => count(again('r3'))));
  expect(many.flat().toSorted()).toEqual([...Array.from({ length: 49 }, () => 0), 10]);
  expect(await ledgerOf(audio.id)).toMatchObject([{ milliseconds: 30_000, reports: 3 }]);
  // Report ids are per user.
  const other = await createListener();
  expect(await count(other.report(audio.id, 10, { reportId: 'r1' }))).toEqual([10]);
});

test('listening to a locked audio does not count; listening to a free one does', async () => {
  const [locked, free] = [await createAudio(db), await createAudio(db, { isFree: true })];
  const { id, report } = await createListener({ isSubscribed: false });
  expect(await count(report(locked.id, 20), report(free.id, 20))).toEqual([0, 20]);
  expect(await ledgerOf(locked.id)).toEqual([]);
  expect(await db.select().from(listeningHistory).where(eq(listeningHistory.userId, id))).toHaveLength(1);
});

test('an unknown audio is reported and does not block the others', async () => {
  const [audio, draft] = [await createAudio(db), await createAudio(db, { publishedAt: null })];
  const { report } = await createListener();
  const gone = await createListener();
  await pool.query('delete from users where id = $1', [gone.id]);
  expect(
    await count(
      report(newId(), 5),
      report(draft.id, 5),
      gone.report(audio.id, 5, { reportId: 'r' }),
      report(audio.id, 5),
    ),
  ).toEqual(['not-found', 'not-found', 0, 5]);
});

test('seconds of a voice count for the listener only, not in the ledger', async () => {
  const voice = await createVoice(db);
  const audio = await createAudio(db, { voiceId: voice.id, durationMs: 50_000 });
  const silent = await createVoice(db);
  const { id, report } = await createListener();
  const ofVoice = (key: string, seconds: number) => report(key, seconds, { kind: 'voiceListenedSeconds' });
  expect(await count(report(audio.id, 40), ofVoice(voice.id, 40), ofVoice(silent.id, 40), ofVoice(newId(), 1))).toEqual(
    [40, 40, 0, 'not-found'],
  );
  await letPass(id, 3600);
  expect(await count(ofVoice(voice.id, 172_800))).toEqual([100]);
  expect(await ledgerOf(audio.id)).toMatchObject([{ milliseconds: 40_000, reports: 1 }]);
  expect(await db.select().from(voiceListening).where(eq(voiceListening.userId, id))).toEqual([
    { userId: id, voiceId: voice.id, listenedMs: 140_000 },
  ]);
});

test('heard positions are stored in twentieths of the audio', async () => {
  const audio = await createAudio(db, { durationMs: 100_000 });
  const [one, two] = [await createListener(), await createListener()];
  await count(one.report(audio.id, 7, { positionMs: 7000 }), two.report(audio.id, 4, { positionMs: 99_999_999 }));
  await letPass(one.id, 60);
  await count(one.report(audio.id, 3, { positionMs: 10_000 }));
  const parts = await db.select().from(listenedParts).where(eq(listenedParts.audioId, audio.id));
  expect(parts.map(({ part, milliseconds }) => [part, milliseconds]).toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
    [0, 5000],
    [1, 5000],
    [19, 4000],
  ]);
});

test('many concurrent listeners of the same audios are all counted', async () => {
  const list = [await createAudio(db), await createAudio(db)];
  const listeners = await Promise.all(Array.from({ length: 30 }, () => createListener()));
  await Promise.all(
    listeners.map(({ report }, index) =>
      count(...(index % 2 === 0 ? list : list.toReversed()).map(({ id }) => report(id, 5, { positionMs: 60_000 }))),
    ),
  );
  const sums = (await Promise.all(list.map(({ id }) => ledgerOf(id)))).flat();
  // A listener's first report needs no credit, the second has none left.
  expect(sums.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBe(30 * 5000);
});

test('old report ids are deleted', async () => {
  const audio = await createAudio(db);
  const { id, report } = await createListener();
  await count(report(audio.id, 1, { reportId: 'old' }), report(audio.id, 1, { reportId: 'new' }));
  await pool.query(`update listening_reports set created_at = now() - interval '31 days' where report_id = 'old'`);
  expect(await purgeOldReports(db, 30)).toBe(1);
  const { rows } = await pool.query('select report_id from listening_reports where user_id = $1', [id]);
  expect(rows).toEqual([{ report_id: 'new' }]);
});
