import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import type { JobPlace, LineTime, Script, SoundEngine, SoundRefusal, SoundWork } from '#domain/gateways.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTranscript } from '../../catalogue/editing/transcripts.ts';
import { audios } from '../../catalogue/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { findEditedAudio } from '../audios/audio-values.ts';
import { saveAudio } from '../audios/drafts.ts';
import { maxWaitingScripts } from '../rules.ts';
import { scriptTimings } from '../tables.ts';
import { timeScript } from './time-script.ts';
import { dropTiming, findTiming, findWaitingTimings, startTiming, takeReadyTimings, takeTiming } from './timings.ts';

const { db } = await createTestDatabase();
const blobs = openDiskBlobs({ dir: mkdtempSync(join(tmpdir(), 'sotto-timings-')) });
const added: string[] = [];
const places: unknown[] = [];
const queue = {
  db,
  async addJobs(_name: string, keys: string[], place?: JobPlace) {
    added.push(...keys);
    places.push(place);
  },
};
const before = [{ start: 0, end: 1, text: 'As it was' }];
const script = 'Come in.\nMAREN: Close the door.\n🔥';
const times: LineTime[] = [
  { start: 1, end: 2, certainty: 'sure' },
  { start: 2, end: 4, certainty: 'check' },
  { start: 4, end: 5, certainty: 'unsure' },
];

beforeEach(() => {
  added.length = 0;
});

async function createTimed(values: Parameters<typeof createAudio>[1] = {}) {
  const audio = await createAudio(db, { durationMs: 10_000, ...values });
  await blobs.write(audio.fileKey, Buffer.from('sound'));
  expect(await startTiming(queue, operator, audio.id, script)).toEqual({ ok: true });
  return { ...audio, timingId: added.at(-1)! };
}

type Outcome = { ok: true; times: LineTime[] } | SoundRefusal;

/** An engine whose work is `act`; the real one is tested in `gateways/timing/`. */
function engineOf(act: (wanted: Script, work: Pick<SoundWork, 'signal'>) => Promise<Outcome> | Outcome): SoundEngine {
  const other = () => Promise.reject(new Error('not asked for'));
  return {
    version: async () => '1',
    process: other,
    measure: other,
    cut: other,
    clip: other,
    time: async (_source, wanted, work = {}) => act(wanted, work),
  };
}

const run = (id: string, act: Parameters<typeof engineOf>[0] = () => ({ ok: true, times })) =>
  timeScript({ db, blobs, engine: engineOf(act) }, id);
const stateOf = async (id: string) => (await findTiming(db, operator, id))?.state;
const waiting = async () => (await findWaitingTimings(db, 1000)).map(({ id }) => id);
const transcriptOf = async (id: string) => (await findEditedAudio(db, operator, id))?.values.transcript;

test('the transcript stays until the result is taken; certainty is for the Studio alone', async () => {
  const { id, timingId } = await createTimed({ cues: before });
  expect(await findTiming(db, operator, id)).toMatchObject({ state: 'waiting', progress: 0, times: null });
  let read: Script | undefined;
  await run(timingId, (wanted) => {
    read = wanted;
    return { ok: true, times };
  });
  expect(read).toEqual({ lines: ['Come in.', 'Close the door.', '🔥'], language: 'en' });
  expect(await findTiming(db, operator, id)).toMatchObject({ state: 'ready', times, isOutdated: false });
  expect(await transcriptOf(id)).toEqual(before);
  const version = (await findEditedAudio(db, operator, id))?.version ?? 0;
  expect(await takeTiming(db, operator, id, version)).toMatchObject({ ok: true });
  expect(await transcriptOf(id)).toEqual([
    { start: 1, end: 2, text: 'Come in.' },
    { start: 2, end: 4, text: 'MAREN: Close the door.', certainty: 'check' },
    { start: 4, end: 5, text: '🔥', certainty: 'unsure' },
  ]);
  expect(JSON.stringify((await findTranscript(db, id))?.cues)).not.toContain('certainty');
  expect(await takeTiming(db, operator, id, version)).toMatchObject({ reason: 'no-timing' });
});

test('the same script goes on; another one drops the work for the former', async () => {
  const { id, timingId } = await createTimed();
  await startTiming(queue, operator, id, script);
  expect(added.at(-1)).toBe(timingId);
  let other = '';
  await run(timingId, async () => {
    await startTiming(queue, operator, id, 'Another one');
    other = added.at(-1)!;
    return { ok: true, times };
  });
  expect(other).not.toBe(timingId);
  expect(await findTiming(db, operator, id)).toMatchObject({ state: 'waiting', lines: ['Another one'] });
  await run(timingId, () => {
    throw new Error('is not wanted any more');
  });
});

test('discarding it ends its program', async () => {
  const { id, timingId } = await createTimed();
  await run(timingId, async (_wanted, { signal }) => {
    expect(await dropTiming(db, operator, id)).toBe(true);
    await vi.waitFor(() => expect(signal?.aborted).toBe(true), { timeout: 5000 });
    throw new Error('killed');
  });
  expect(await stateOf(id)).toBeUndefined();
  expect(await dropTiming(db, operator, id)).toBe(false);
});

test('a recording that is replaced meanwhile is read again; one replaced later makes the result outdated', async () => {
  const { id, timingId } = await createTimed();
  const replace = async (key: string) => {
    await blobs.write(key, Buffer.from('other sound'));
    await db.update(audios).set({ fileKey: key }).where(eq(audios.id, id));
  };
  await expect(
    run(timingId, async () => {
      await replace('audio/second.m4a');
      return { ok: true, times };
    }),
  ).rejects.toThrow('replaced meanwhile');
  expect(await waiting()).toContain(timingId);
  await run(timingId);
  expect(await findTiming(db, operator, id)).toMatchObject({ state: 'ready', isOutdated: false });
  await replace('audio/third.m4a');
  expect(await findTiming(db, operator, id)).toMatchObject({ state: 'ready', isOutdated: true });
  expect(await takeTiming(db, operator, id, 0)).toMatchObject({ reason: 'outdated-timing' });
});

test('that of a deleted audio waits', async () => {
  const { id, timingId } = await createTimed();
  await db.update(audios).set({ deletedAt: new Date(), publishedAt: null }).where(eq(audios.id, id));
  await run(timingId, () => {
    throw new Error('is deleted');
  });
  expect(await waiting()).not.toContain(timingId);
  expect(await db.$count(scriptTimings, eq(scriptTimings.id, timingId))).toBe(1);
});

test.each([
  ['takes-too-much', 'takes-too-much'],
  ['damaged', 'unreadable'],
  ['failed', 'failed'],
] as const)('a program that ends with %s fails it', async (reason, failure) => {
  const { id, timingId } = await createTimed();
  await run(timingId, () => ({ ok: false, reason, detail: '' }));
  expect(await findTiming(db, operator, id)).toMatchObject({ state: 'failed', failure });
  expect(await takeTiming(db, operator, id, 0)).toMatchObject({ reason: 'timing-not-ready' });
  // The same script again starts over.
  await startTiming(queue, operator, id, script);
  expect(await stateOf(id)).toBe('waiting');
});

test('a killed program is tried again, and in the end given up; without the module it waits', async () => {
  const { id, timingId } = await createTimed();
  for (let attempt = 0; attempt < 5; attempt += 1)
    await expect(run(timingId, () => ({ ok: false, reason: 'killed', detail: 'was ended' }))).rejects.toThrow(
      'was ended',
    );
  expect(await waiting()).toContain(timingId);
  await run(timingId);
  expect(await stateOf(id)).toBe('failed');
  const other = await createTimed();
  await run(other.timingId, () => ({ ok: false, reason: 'engine-missing', detail: '' }));
  expect(await stateOf(other.id)).toBe('waiting');
});

test('many are taken at once, where there is no transcript', async () => {
  const [empty, full] = [await createTimed(), await createTimed({ cues: before })];
  await run(empty.timingId);
  await run(full.timingId);
  const { taken, left } = await takeReadyTimings(db, operator);
  expect(taken).toBeGreaterThan(0);
  expect(left).toContain(full.slug);
  expect(await transcriptOf(empty.id)).toHaveLength(3);
  expect(await transcriptOf(full.id)).toEqual(before);
});

test('a transcript that is written before the results are taken stays, also in a draft', async () => {
  const live = await createTimed({ publishedAt: new Date() });
  await run(live.timingId);
  await saveAudio(db, operator, live.id, { version: 0, change: { transcript: before } });
  const writing = await createTimed({ publishedAt: null });
  await run(writing.timingId);
  let taking: ReturnType<typeof takeReadyTimings> | undefined;
  await db.transaction(async (tx) => {
    await saveAudio(tx, operator, writing.id, { version: 0, change: { transcript: before } });
    taking = takeReadyTimings(db, operator);
    await vi.waitFor(async () => {
      const { rows } = await db.execute(sql`select from pg_stat_activity where wait_event_type = 'Lock'`);
      expect(rows).not.toHaveLength(0);
    });
  });
  expect((await taking)?.left).toEqual(expect.arrayContaining([live.slug, writing.slug]));
  for (const { id } of [live, writing]) expect(await transcriptOf(id)).toEqual(before);
  await dropTiming(db, operator, live.id);
  await dropTiming(db, operator, writing.id);
});

test('creators take turns, and one of them has so many scripts that wait', async () => {
  const [one, other] = [await createTimed(), await createTimed()];
  const { id: userId } = await createUser(db);
  const owner = {
    kind: 'user',
    id: userId,
    isSubscribed: false,
    isComplete: true,
    voiceRoles: { [one.voiceId]: 'owner' },
  } as const;
  const audios = await Promise.all(
    Array.from({ length: maxWaitingScripts }, () => createAudio(db, { voiceId: one.voiceId })),
  );
  const started = [];
  for (const { id } of audios) started.push(await startTiming(queue, owner, id, script));
  expect(started.filter(({ ok }) => ok)).toHaveLength(maxWaitingScripts - 1);
  expect(started.at(-1)).toEqual({ ok: false, reason: 'too-many-scripts' });
  expect(places.at(-1)).toEqual({ turn: maxWaitingScripts - 1, group: one.voiceId });
  // The same one goes on, another one may take its place, and the command line has no limit.
  expect(await startTiming(queue, owner, one.id, script)).toEqual({ ok: true });
  expect(await startTiming(queue, owner, one.id, 'Another one')).toEqual({ ok: true });
  expect(await startTiming(queue, operator, audios.at(-1)!.id, script)).toEqual({ ok: true });
  const found = (await findWaitingTimings(db, 1000)).map(({ voiceId }) => voiceId);
  const second = found.indexOf(one.voiceId, found.indexOf(one.voiceId) + 1);
  expect(found.indexOf(other.voiceId)).toBeLessThan(second);
});

test('a script that waits or is ready stays, where that is asked for', async () => {
  const { id, timingId } = await createTimed();
  const keep = () => startTiming(queue, operator, id, 'Another one', { keepsFormer: true });
  expect(await keep()).toEqual({ ok: false, reason: 'has-timing' });
  await run(timingId);
  expect(await keep()).toEqual({ ok: false, reason: 'has-timing' });
  await db.update(scriptTimings).set({ state: 'failed', failure: 'failed', times: null, timedFile: null });
  expect(await keep()).toEqual({ ok: true });
});
