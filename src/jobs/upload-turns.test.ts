/** @module-tag slow */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { openMachineSlots } from '#db/machine-slots.ts';
import { queueUpload } from '#domain/studio/uploads/finish-uploads.ts';
import { processUpload } from '#domain/studio/uploads/process-upload.ts';
import { uploads } from '#domain/studio/tables.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createArrivedUpload, createCreator, findUpload } from '#test/support/sound/sound-site.ts';
import { tone, wavOf } from '#test/support/sound/sounds.ts';
import { openJobs } from './open-jobs.ts';
import { type SiteJobsOptions, siteJobs } from './site-jobs.ts';

// The encoder runs at low priority.
vi.setConfig({ testTimeout: 120_000 });

const { db, url } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-turns-'));
const blobs = openDiskBlobs({ dir: join(folder, 'blobs') });
const engine = openSoundEngine({
  blobs,
  dir: join(folder, 'work'),
  inSlot: openMachineSlots({ directUrl: url, machine: 'here', max: 1, pauseMs: 50 }),
  turnMs: 300,
});
const log = pino({ level: 'silent' });
// The other jobs are not run here.
const site = {
  studio: { processUpload: (tools, ...rest) => processUpload({ db, ...tools }, ...rest) },
} as SiteJobsOptions['site'];
const gateways = { blobs, sound: engine, payments: { played: [] as unknown[] } } as SiteJobsOptions['gateways'];
const jobs = openJobs({
  connectionString: url,
  log,
  pace: { cron: 1, poll: 0.5, supervise: 1 },
  jobs: (add) => siteJobs({ site, gateways, log }, add).filter(({ name }) => name === 'process-upload'),
});
afterAll(async () => {
  await jobs.close();
  rmSync(folder, { recursive: true, force: true });
});

const soon = { timeout: 60_000, interval: 50 };
const isThere = (await engine.version()) !== undefined;

/** Its header leaves the length open, as that of a stream does. */
function silenceWithoutLength(minutes: number): Buffer {
  const rate = 8000;
  const head = wavOf(() => 0, { seconds: 0, rate, bits: 8 });
  for (const at of [4, 40]) head.writeUInt32LE(0xffff_ffff, at);
  return Buffer.concat([head, Buffer.alloc(minutes * 60 * rate, 128)]);
}

test.skipIf(!isThere)('silent hours of one creator let the file of another creator go first', async () => {
  await jobs.started;
  const [long, quick] = [await createCreator(db), await createCreator(db)];
  const stateOf = async (id: string) => (await findUpload(db, id)).state;
  async function send(creator: typeof long, content: Buffer): Promise<string> {
    const id = await createArrivedUpload({ db, blobs }, content, creator);
    await queueUpload({ db, addJobs: jobs.add }, id);
    return id;
  }
  const hours = await send(long, silenceWithoutLength(15));
  // Two that wait at the same moment may both be taken by pg-boss.
  await expect.poll(async () => (await findUpload(db, hours)).step, soon).toBe('loudness');
  const following = await send(long, wavOf(tone(301), { seconds: 1 }));
  const others = await send(quick, wavOf(tone(302), { seconds: 1 }));
  await expect.poll(() => stateOf(others), soon).toBe('ready');
  // One file of a creator at a time.
  expect([await stateOf(hours), await stateOf(following)]).toEqual(['processing', 'waiting']);
  await expect.poll(() => stateOf(following), soon).toBe('ready');
  expect(await findUpload(db, hours)).toMatchObject({ state: 'failed', failure: 'silent', attempts: 1 });
});

test.skipIf(!isThere)('a file that is canceled while others have its turn ends at once, with its program', async () => {
  const paused = Promise.withResolvers<void>();
  const stuck = openSoundEngine({
    blobs,
    dir: join(folder, 'stuck'),
    turnMs: 200,
    // The others never end.
    inSlot: (work) =>
      work(async ({ pause, signal }) => {
        pause();
        paused.resolve();
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }),
  });
  const id = await createArrivedUpload({ db, blobs }, silenceWithoutLength(15), await createCreator(db));
  const running = processUpload({ db, blobs, engine: stuck }, id);
  await paused.promise;
  // Each second its progress is written, so by then all that it said before the pause has arrived.
  let last: number | undefined;
  const isStill = async () => last === (last = (await findUpload(db, id)).updatedAt.getTime());
  await expect.poll(isStill, { timeout: 60_000, interval: 1500 }).toBe(true);
  await db.delete(uploads).where(eq(uploads.id, id));
  await running;
  expect(readdirSync(join(folder, 'stuck'))).toEqual([]);
});
