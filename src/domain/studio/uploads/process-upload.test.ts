import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findWaveform } from '../../catalogue/waveforms.ts';
import { audioCategories, audios, recordings, reviews, unmeasuredRecordings, voices } from '../../catalogue/tables.ts';
import { voiceOwners } from '../../community/tables.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { consents, performers } from '../../verification/tables.ts';
import { DomainError } from '../../kernel/errors.ts';
import { findPlayableFile } from '../../listening/media.ts';
import { openAudioTags } from '#gateways/audio-tags.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory } from '#test/support/factories.ts';
import { createArrivedUpload, createCreator, findAudioRow, findUpload } from '#test/support/sound/sound-site.ts';
import { tone, wavOf } from '#test/support/sound/sounds.ts';
import { slow } from '#test/support/tags.ts';
import { removeAfterTwoDays } from '#test/support/unused-files.ts';
import { measureRecordings } from './measure-recordings.ts';
import { retagRecordings } from './retag-recordings.ts';
import { findWaitingUploads, processUpload } from './process-upload.ts';
import { scriptTimings, uploads } from '../tables.ts';
import { editUpload, listUploads, removeUpload, retryUpload } from './uploads.ts';

// The encoder runs at low priority.
vi.setConfig({ testTimeout: 120_000 });

const { db } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-uploads-'));
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const engine = openSoundEngine({ blobs, dir: join(folder, 'work') });
const tools = { db, blobs, engine };
const isThere = (await engine.version()) !== undefined;

const waitingIds = async () => (await findWaitingUploads(tools)).map(({ id }) => id);

let hertz = 300;
/** Different content each time. */
const recording = (seconds = 1) => wavOf(tone((hertz += 1)), { seconds });

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list('')) keys.push(key);
  return keys;
}

beforeEach(async () => {
  for (const key of await storedKeys()) await blobs.remove(key);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isThere)('a file that has arrived', () => {
  test('takes who may comment and the language from its voice, where nothing else was chosen', slow, async () => {
    const creator = await createCreator(db);
    await db.update(voices).set({ commenters: 'subscribers', language: 'fr' }).where(eq(voices.id, creator.voiceId));
    const id = await createArrivedUpload(tools, recording(), { ...creator, title: 'For some' });
    await processUpload(tools, id);
    const { audioId } = await findUpload(db, id);
    expect(await findAudioRow(db, audioId)).toMatchObject({
      commentsDisabled: false,
      commentsForSubscribers: true,
      language: 'fr',
    });
  });

  test('has a tag of its voice, which follows the audio, while answers to its sound stay', async () => {
    const creator = await createCreator(db);
    const choices = { syntheticVoice: 'partly' as const };
    const id = await createArrivedUpload(tools, recording(), { ...creator, title: 'Whose voice', choices });
    await processUpload(tools, id);
    const { audioId } = await findUpload(db, id);
    const tagOf = async (key: string) => {
      const read = await openAudioTags().read(join(folder, 'blobs', key));
      return read.ok ? read.file.syntheticVoice : read.reason;
    };
    const before = await findAudioRow(db, audioId);
    expect(await tagOf(before.fileKey)).toBe('partly');
    expect(await retagRecordings(tools)).toEqual({ retagged: 0, failed: 0 });

    const performerId = newId();
    await db.insert(performers).values({ id: performerId, voiceId: creator.voiceId });
    const given = { recorded: true, published: true, state: 'given', sound: before.fileKey } as const;
    await db.insert(consents).values({ audioId: before.id, performerId, ...given, answeredAt: new Date() });
    await db.insert(reviews).values({ id: newId(), audioId: before.id, cause: 'all', sound: before.fileKey });
    for (const syntheticVoice of ['wholly', 'none'] as const) {
      await db.update(audios).set({ syntheticVoice }).where(eq(audios.id, before.id));
      expect(await retagRecordings(tools)).toEqual({ retagged: 1, failed: 0 });
      const { fileKey, durationMs } = await findAudioRow(db, audioId);
      expect([await tagOf(fileKey), durationMs]).toEqual([
        syntheticVoice === 'none' ? undefined : syntheticVoice,
        before.durationMs,
      ]);
      const [row] = await db.select().from(recordings).where(eq(recordings.audioId, before.id));
      expect(row).toMatchObject({ fileKey, taggedAs: syntheticVoice, originalName: expect.any(String) });
      expect(await db.select({ sound: consents.sound }).from(consents)).toEqual([{ sound: fileKey }]);
      expect(await db.select({ sound: reviews.sound }).from(reviews)).toEqual([{ sound: fileKey }]);
    }
    expect(await retagRecordings(tools)).toEqual({ retagged: 0, failed: 0 });
  });

  test('becomes a draft with its choices, its recording, an audit entry and three files', async () => {
    const creator = await createCreator(db);
    const category = await createCategory(db);
    const content = recording();
    const id = await createArrivedUpload(tools, content, {
      ...creator,
      title: 'Night Letter',
      choices: {
        categoryId: category.id,
        isFree: true,
        commenters: 'nobody',
        language: 'de',
        syntheticVoice: 'partly',
      },
    });
    const actor = { kind: 'user', id: creator.userId, isSubscribed: false, isComplete: true } as const;
    const owner = { ...actor, voiceRoles: { [creator.voiceId]: 'owner' as const } };
    expect(await editUpload(db, owner, id, { script: '[hums]' })).toMatchObject({ ok: false, why: 'empty' });
    expect(await editUpload(db, owner, id, { script: 'Dear you,\n[sighs] it rains.' })).toEqual({ ok: true });
    expect((await listUploads(db, owner, creator.voiceId, { limit: 1 }))?.items[0]).toMatchObject({
      scriptLines: 2,
      choices: { language: 'de' },
    });
    expect(await waitingIds()).toContain(id);
    await processUpload(tools, id);

    const upload = await findUpload(db, id);
    expect(upload).toMatchObject({
      state: 'ready',
      progress: 100,
      step: null,
      facts: { format: 'WAV', durationMs: 1000 },
    });
    expect(await waitingIds()).not.toContain(id);
    const audio = await findAudioRow(db, upload.audioId);
    expect(await db.select().from(scriptTimings).where(eq(scriptTimings.audioId, audio.id))).toMatchObject([
      { state: 'waiting', source: 'script', lines: ['Dear you,', 'it rains.'] },
    ]);
    expect(upload.choices).not.toHaveProperty('script');
    const log = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id));
    expect(JSON.stringify(log)).toContain('"scriptLines":2');
    expect(JSON.stringify(log)).not.toContain('it rains');
    expect(audio).toMatchObject({
      slug: 'night-letter',
      title: 'Night Letter',
      sortTitle: 'night letter',
      voiceId: creator.voiceId,
      isFree: true,
      commentsDisabled: true,
      language: 'de',
      syntheticVoice: 'partly',
      publishedAt: null,
      fileMime: 'audio/mp4',
      durationMs: 1000,
    });
    expect(await db.select().from(audioCategories).where(eq(audioCategories.audioId, audio.id))).toMatchObject([
      { categoryId: category.id, position: 0 },
    ]);
    const [row] = await db.select().from(recordings).where(eq(recordings.audioId, audio.id));
    expect(row).toMatchObject({
      fileKey: audio.fileKey,
      originalKey: upload.originalKey,
      originalName: 'recording.wav',
      originalBytes: content.length,
      smallMime: 'audio/ogg',
    });
    expect(row?.peaks).toHaveLength(2400);
    expect((await blobs.stat(audio.fileKey))?.bytes).toBe(audio.fileBytes);
    expect((await blobs.stat(row?.smallKey ?? ''))?.bytes).toBe(row?.smallBytes);
    expect(await db.select().from(auditEntries).where(eq(auditEntries.subjectId, audio.id))).toMatchObject([
      { action: 'audio.create', actorId: creator.userId, actorRole: 'owner', voiceId: creator.voiceId },
    ]);
  });

  test('is one audio, however often its job runs, and when two processes are at it', slow, async () => {
    const creator = await createCreator(db);
    const id = await createArrivedUpload(tools, recording(), creator);
    await Promise.all([processUpload(tools, id), processUpload(tools, id)]);
    await processUpload(tools, id);
    const made = await db.select({ id: audios.id }).from(audios).where(eq(audios.voiceId, creator.voiceId));
    expect(made).toEqual([{ id: (await findUpload(db, id)).audioId }]);
  });

  test('is refused beyond the hours of its uploader’s day, and can be tried again', slow, async () => {
    const creator = await createCreator(db);
    const limited = { ...tools, hoursPerDay: 4.5 / 3600 };
    const ids: string[] = [];
    for (const seconds of [3, 2, 1]) {
      const id = await createArrivedUpload(tools, recording(seconds), { ...creator, title: 'Long' });
      ids.push(id);
      await processUpload(limited, id);
    }
    const states = await Promise.all(ids.map(async (id) => (await findUpload(db, id)).state));
    expect(states).toEqual(['ready', 'failed', 'ready']);
    expect(await findUpload(db, ids[1] ?? '')).toMatchObject({ failure: 'daily-limit' });
    await db.execute(
      sql`update uploads set updated_at = now() - interval '25 hours' where user_id = ${creator.userId}`,
    );
    expect(await retryUpload({ db, addJobs: async () => {} }, operator, ids[1] ?? '')).toEqual({ ok: true });
    await processUpload(limited, ids[1] ?? '');
    expect((await findUpload(db, ids[1] ?? '')).state).toBe('ready');
  });

  test('takes the place of an audio’s file, whose own files go, and keeps everything else of it', slow, async () => {
    const creator = await createCreator(db);
    const first = await createArrivedUpload(tools, recording(), { ...creator, choices: { isFree: true } });
    await processUpload(tools, first);
    const before = await findAudioRow(db, (await findUpload(db, first)).audioId);
    await db.update(audios).set({ publishedAt: new Date() }).where(eq(audios.id, before.id));
    const formerFiles = (await storedKeys()).filter((key) => key.startsWith('audio/'));

    const second = await createArrivedUpload(tools, recording(2), { ...creator, replaces: true, audioId: before.id });
    await processUpload(tools, second);
    const after = await findAudioRow(db, before.id);
    expect(after).toMatchObject({ slug: before.slug, title: before.title, durationMs: 2000 });
    expect(after.fileKey).not.toBe(before.fileKey);
    await removeAfterTwoDays(tools);
    const kept = await storedKeys();
    expect(formerFiles).toHaveLength(2);
    expect(kept.filter((key) => formerFiles.includes(key))).toEqual([]);
    const [entry] = await db.select().from(auditEntries).where(eq(auditEntries.action, 'audio.replace-file'));
    expect(entry).toMatchObject({ before: { durationMs: 1000 }, after: { durationMs: 2000 }, actorId: creator.userId });

    // Listeners who save data get the small file.
    const found = await findPlayableFile(db, { kind: 'visitor' }, after.id);
    if (!found.ok) throw new Error(found.reason);
    expect(found.file.small).toMatchObject({ mime: 'audio/ogg', key: expect.stringMatching(/^audio\/.*\.opus$/) });
    expect(found.file.small?.etag).not.toBe(found.file.etag);
    expect(await findWaveform(db, after.id)).toMatch(/^[0-9a-z]{150}$/);
  });

  test('that cannot be heard is failed with the reason, and holds nobody up', slow, async () => {
    const creator = await createCreator(db);
    const bad = await createArrivedUpload(tools, Buffer.from('once upon a time'), creator);
    const gone = await createArrivedUpload(tools, recording(), creator);
    await blobs.remove((await findUpload(db, gone)).originalKey ?? '');
    const good = await createArrivedUpload(tools, recording(), creator);
    for (const id of [bad, gone, good]) await processUpload(tools, id);
    expect(await findUpload(db, bad)).toMatchObject({
      state: 'failed',
      failure: 'not-sound',
      failureDetail: 'is not a sound file',
      audioId: null,
    });
    expect(await findUpload(db, gone)).toMatchObject({ state: 'failed', failure: 'failed' });
    expect(await findUpload(db, good)).toMatchObject({ state: 'ready' });
  });

  test('by someone who may no longer change the voice changes nothing', slow, async () => {
    const creator = await createCreator(db);
    const audio = await createAudio(db, { voiceId: creator.voiceId });
    const ids = [
      await createArrivedUpload(tools, recording(), creator),
      await createArrivedUpload(tools, recording(), { ...creator, replaces: true, audioId: audio.id }),
    ];
    await db.delete(voiceOwners).where(eq(voiceOwners.userId, creator.userId));
    for (const id of ids) await processUpload(tools, id);
    for (const id of ids) expect(await findUpload(db, id)).toMatchObject({ state: 'failed', failure: 'failed' });
    expect(await findAudioRow(db, audio.id)).toMatchObject({ fileKey: audio.fileKey });
    expect(await db.$count(audios, eq(audios.voiceId, creator.voiceId))).toBe(1);
    await removeAfterTwoDays(tools);
    expect((await storedKeys()).filter((key) => key.startsWith('audio/'))).toEqual([]);
  });

  test('for an audio of another voice, or a deleted one, changes nothing', slow, async () => {
    const creator = await createCreator(db);
    const other = await createAudio(db);
    const deleted = await createAudio(db, { voiceId: creator.voiceId, deletedAt: new Date(), publishedAt: null });
    for (const audio of [other, deleted]) {
      const id = await createArrivedUpload(tools, recording(), { ...creator, replaces: true, audioId: audio.id });
      await processUpload(tools, id);
      expect(await findUpload(db, id)).toMatchObject({
        state: 'failed',
        failureDetail: 'belongs to an audio that was deleted',
      });
      expect(await findAudioRow(db, audio.id)).toMatchObject({ fileKey: audio.fileKey });
    }
  });

  test('goes back to the queue when its process stops', slow, async () => {
    const creator = await createCreator(db);
    const id = await createArrivedUpload(tools, recording(30), creator);
    const stop = new AbortController();
    const running = processUpload(tools, id, stop.signal);
    setTimeout(() => stop.abort(new Error('the process stops')), 300);
    await expect(running).rejects.toThrow('the process stops');
    expect(await waitingIds()).toContain(id);
    await db.delete(uploads).where(eq(uploads.id, id));
  });

  test('reports each step with what is known by then, at most once a second', slow, async () => {
    const creator = await createCreator(db);
    const id = await createArrivedUpload(tools, recording(60), creator);
    const seen = new Set<string>();
    const running = processUpload(tools, id).then(() => true);
    while (!(await Promise.race([running, new Promise<false>((resolve) => setTimeout(resolve, 30, false))]))) {
      const { step, facts, updatedAt } = await findUpload(db, id);
      if (step !== null) seen.add(`${step} ${facts.format ?? ''} ${updatedAt.getTime()}`);
    }
    const steps = [...seen].map((one) => one.split(' ')[0]);
    expect(steps).toContain('encoding');
    expect([...seen].find((one) => one.startsWith('encoding'))).toContain('WAV');
    const times = [...seen].map((one) => Number(one.split(' ')[2])).slice(1);
    for (const [index, time] of times.entries())
      if (index > 0) expect(time - (times[index - 1] ?? 0)).toBeGreaterThan(700);
  });
});

/** @returns the id of the program that this process runs (proc(5), "children") */
function findEncoder(): number {
  const ids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  return Number(ids.find((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('sound/program.ts')));
}

describe.skipIf(!isThere || process.platform !== 'linux')('a file that is processed', () => {
  /** Calls back once the encoder runs, with the id of its process. */
  const whileItRuns = (act: (pid: number) => unknown): typeof tools => ({
    ...tools,
    engine: {
      ...engine,
      process: (source, work, keep) => {
        let isFirst = true;
        const onProgress: typeof work.onProgress = (...progress) => {
          work.onProgress?.(...progress);
          if (isFirst) act(findEncoder());
          isFirst = false;
        };
        return engine.process(source, { ...work, onProgress }, keep);
      },
    },
  });

  test('is tried again when its program was killed from outside', slow, async () => {
    const creator = await createCreator(db);
    const id = await createArrivedUpload(tools, recording(), creator);
    const killed = processUpload(
      whileItRuns((pid) => process.kill(pid, 'SIGKILL')),
      id,
    );
    await expect(killed).rejects.toThrow('its program was ended');
    expect(await findUpload(db, id)).toMatchObject({ state: 'processing', failure: null });
    expect(await waitingIds()).toContain(id);
    await processUpload(tools, id);
    expect(await findUpload(db, id)).toMatchObject({ state: 'ready', failure: null });
  });

  test('can be cancelled meanwhile, which ends its program and makes no audio', slow, async () => {
    const creator = await createCreator(db);
    const id = await createArrivedUpload(tools, recording(60), creator);
    let pid = 0;
    let removed: Promise<unknown> | undefined;
    const act = (one: number) => {
      pid = one;
      removed = removeUpload(db, operator, id);
    };
    await processUpload(whileItRuns(act), id);
    expect(await removed).toEqual({ ok: true });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await findUpload(db, id)).toMatchObject({ state: 'failed', failure: 'removed', audioId: null });
    expect(await db.$count(audios, eq(audios.voiceId, creator.voiceId))).toBe(0);
  });
});

test('without a sound engine, uploads wait with a message, and nothing is measured', async () => {
  const missing = {
    version: async () => undefined,
    process: async () => ({ ok: false, reason: 'engine-missing', detail: 'cannot be processed' }) as const,
    measure: async () => ({ ok: false, reason: 'engine-missing', detail: 'cannot be processed' }) as const,
    time: async () => ({ ok: false, reason: 'engine-missing', detail: 'cannot be processed' }) as const,
    cut: async () => ({ ok: false, reason: 'engine-missing', detail: 'cannot be processed' }) as const,
    clip: async () => ({ ok: false, reason: 'engine-missing', detail: 'cannot be processed' }) as const,
  };
  const creator = await createCreator(db);
  const id = await createArrivedUpload(tools, recording(), creator);
  await processUpload({ ...tools, engine: missing }, id);
  expect(await findUpload(db, id)).toMatchObject({
    state: 'waiting',
    failure: null,
    failureDetail: expect.stringContaining('not installed'),
  });
  // Not retried at all.
  await db.update(uploads).set({ failureDetail: null }).where(eq(uploads.id, id));
  expect(await findWaitingUploads({ db, engine: missing })).toEqual([]);
  expect(await findUpload(db, id)).toMatchObject({
    state: 'waiting',
    failureDetail: expect.stringContaining('not installed'),
  });
  expect(await measureRecordings({ ...tools, engine: missing })).toEqual({ measured: 0, failed: 0 });
});

test('a file that fails at each attempt ends as failed; the storage’s failures do not count', slow, async () => {
  const creator = await createCreator(db);
  const id = await createArrivedUpload(tools, recording(), creator);
  const process = vi.fn<() => Promise<never>>();
  const fails = { ...tools, engine: { ...engine, process } };
  const outcomes = async (times: number) => {
    for (let time = 0; time < times; time += 1) await processUpload(fails, id).catch(() => undefined);
    return findUpload(db, id);
  };
  process.mockRejectedValue(new DomainError('server/unavailable'));
  expect(await outcomes(12)).toMatchObject({ state: 'processing', attempts: 0 });
  process.mockRejectedValue(new Error('the process ends'));
  expect(await outcomes(10)).toMatchObject({ state: 'processing' });
  expect(await outcomes(1)).toMatchObject({ state: 'failed', failure: 'failed' });
  expect(process).toHaveBeenCalledTimes(22);
  expect(await waitingIds()).not.toContain(id);
});

describe.skipIf(!isThere)('audios from before', () => {
  test('are measured once, also the one that is silent; what cannot be measured is not tried again', slow, async () => {
    await db.delete(recordings);
    await db.update(audios).set({ deletedAt: new Date(), publishedAt: null });
    const fine = await createAudio(db, { fileKey: 'audio/fine.wav' });
    const silent = await createAudio(db, { fileKey: 'audio/silent.wav' });
    const broken = await createAudio(db, { fileKey: 'audio/broken.wav' });
    const absent = await createAudio(db, { fileKey: 'audio/absent.wav' });
    await blobs.write('audio/fine.wav', recording());
    await blobs.write(
      'audio/silent.wav',
      wavOf(() => 0, { seconds: 1 }),
    );
    await blobs.write('audio/broken.wav', Buffer.from('no sound'));
    expect(await measureRecordings(tools)).toEqual({ measured: 2, failed: 2 });
    expect(await measureRecordings(tools)).toEqual({ measured: 0, failed: 0 });
    expect(await findWaveform(db, fine.id)).toContain('z');
    expect(await findWaveform(db, silent.id)).toBe('0'.repeat(150));
    const failed = await db.select().from(unmeasuredRecordings).orderBy(unmeasuredRecordings.audioId);
    expect(failed).toMatchObject([
      { audioId: broken.id, reason: 'is not a sound file' },
      { audioId: absent.id, reason: 'is not in the storage' },
    ]);
    // Another file is tried again.
    await db.update(audios).set({ fileKey: 'audio/fine.wav' }).where(eq(audios.id, broken.id));
    expect(await measureRecordings(tools)).toEqual({ measured: 1, failed: 0 });
  });
});

test('creators take turns: the first file of each, then the second of each', async () => {
  await db.update(uploads).set({ state: 'failed', failure: 'failed' });
  const [many, few] = [await createCreator(db), await createCreator(db)];
  const ofMany = await Promise.all(
    Array.from({ length: 5 }, () => createArrivedUpload(tools, recording(), { ...many, title: 'Many' })),
  );
  const ofFew = await createArrivedUpload(tools, recording(), { ...few, title: 'Few' });
  const withSound = { db, engine: { ...engine, version: async () => '1' } };
  const order = (await findWaitingUploads(withSound)).map(({ id }) => id);
  expect(order.slice(0, 2).toSorted()).toEqual([ofMany.toSorted()[0], ofFew].toSorted());
  expect(order.slice(2)).toEqual(ofMany.toSorted().slice(1));
});
