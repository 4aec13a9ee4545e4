import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { readDemoRecordings } from '#test/support/sound/demo-recordings.ts';
import { operator } from '../../kernel/actor.ts';
import { timeScript } from './time-script.ts';
import { findTiming, findWaitingTimings, startTiming } from './timings.ts';

// The programs run at low priority.
vi.setConfig({ testTimeout: 120_000 });

const { db } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-restart-'));
const dir = join(folder, 'work');
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const engine = openSoundEngine({ blobs, dir });
const isThere = (await engine.version()) !== undefined;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!isThere)(
  'a process that stops in the middle leaves the work to the next one, and no file behind',
  async () => {
    const recording = (await readDemoRecordings()).find(({ slug }) => slug === 'bright-star')!;
    const audio = await createAudio(db, { durationMs: recording.seconds * 1000 });
    await blobs.write(audio.fileKey, readFileSync(recording.path));
    const script = recording.cues.map(({ text }) => text).join('\n');
    await startTiming({ db, addJobs: async () => undefined }, operator, audio.id, script);
    const [{ id } = { id: '' }] = await findWaitingTimings(db);
    const run = (signal?: AbortSignal) => timeScript({ db, blobs, engine }, id, signal);

    await expect(run(AbortSignal.timeout(500))).rejects.toThrow();
    expect(await findTiming(db, operator, audio.id)).toMatchObject({ state: 'running', times: null });
    expect(await findWaitingTimings(db)).toEqual([{ id, voiceId: audio.voiceId }]);
    await run();
    const timing = await findTiming(db, operator, audio.id);
    expect(timing).toMatchObject({ state: 'ready', progress: 100 });
    const errors = timing?.times?.map(({ start }, index) => Math.abs(start - recording.cues[index]!.start)) ?? [];
    expect(Math.max(...errors)).toBeLessThan(1);
    expect(await findWaitingTimings(db)).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  },
);
