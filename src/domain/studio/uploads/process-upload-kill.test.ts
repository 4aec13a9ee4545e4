/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { audios, recordings } from '../../catalogue/tables.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createArrivedUpload, createCreator, findUpload } from '#test/support/sound/sound-site.ts';
import { noise, wavOf } from '#test/support/sound/sounds.ts';

vi.setConfig({ testTimeout: 180_000 });

const { db, url } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-kill-upload-'));
const dataDir = join(folder, 'data');
const blobDir = join(folder, 'blobs');
const blobs = openDiskBlobs({ dir: blobDir });
const program = fileURLToPath(new URL('../../../../test/support/processes/upload-process.ts', import.meta.url));
const isThere = (await openSoundEngine({ blobs, dir: join(folder, 'work') }).version()) !== undefined;
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function startProcess(): Promise<{ child: ChildProcess; ended: Promise<unknown> }> {
  const args = ['--disable-warning=ExperimentalWarning', program, url, dataDir, blobDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return { child, ended };
}

const workFiles = () => {
  const dir = join(dataDir, 'cache', 'sound');
  return existsSync(dir) ? readdirSync(dir) : [];
};

test.skipIf(!isThere)(
  'a process killed at any moment leaves uploads that end right, each as one audio, and no file behind',
  async () => {
    const creator = await createCreator(db);
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1)
      ids.push(await createArrivedUpload({ db, blobs }, wavOf(noise(0.1 + index / 10), { seconds: 5 }), creator));

    const states = new Set<string>();
    for (const delay of [50, 300, 700, 1200, 1800, 2600]) {
      const { child, ended } = await startProcess();
      await wait(delay);
      child.kill('SIGKILL');
      await ended;
      for (const id of ids) {
        const { state, step, audioId } = await findUpload(db, id);
        states.add(`${state} ${step}`);
        // Nothing is half-written: audio and end of upload appear together.
        expect(state === 'ready').toBe(audioId !== null);
      }
    }
    // They were killed during it.
    expect([...states].some((state) => state.startsWith('processing'))).toBe(true);

    const { ended } = await startProcess();
    expect(await ended).toEqual([0, null]);
    const made = await db.select({ id: audios.id }).from(audios).where(eq(audios.voiceId, creator.voiceId));
    const named = await Promise.all(ids.map(async (id) => (await findUpload(db, id)).audioId));
    expect(named.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    for (const id of ids) expect(await findUpload(db, id)).toMatchObject({ state: 'ready', failure: null });
    const rows = await db.select().from(recordings);
    expect(rows).toHaveLength(3);
    for (const { fileKey, smallKey, originalKey } of rows)
      for (const key of [fileKey, smallKey, originalKey]) expect(await blobs.stat(key ?? '')).toBeDefined();
    expect(workFiles()).toEqual([]);
  },
);
