/** @module-tag slow */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { uploads } from '#domain/studio/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { testSecret } from '#test/support/identity.ts';
import { createUpload, newUploader, sendHalf, sendTus } from '#test/support/tus.ts';
import { nextPart } from '#web/studio/uploads/upload-parts.ts';
import { type SiteProcess, startSite } from '../../../bench/site-process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
/** Without it Vitest waits for one second, in which the processes of a busy machine may not get their turn. */
const patience = { timeout: 30_000 };

const { db, url } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-uploads-'));
let sites: [SiteProcess, SiteProcess];

const settings = { DATABASE_URL: url, DATA_DIR: dataDir, DEMO: 'false', SECRET: testSecret };

beforeAll(async () => {
  sites = await Promise.all([startSite(settings), startSite(settings)]);
});
afterAll(async () => {
  await Promise.all(sites.map((site) => site.stop()));
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts an upload at the first process, whose request stays open after the first part. */
async function begin(file: Buffer) {
  const by = await newUploader(db);
  const path = await createUpload(sites[0].url, by, file.length);
  const open = sendHalf(sites[0].url + path, by, file.length, file.subarray(0, 400_000));
  await vi.waitFor(async () => expect((await stat(join(dataDir, path))).size).toBe(400_000), patience);
  return { by, path, open };
}

async function expectKept(path: string, file: Buffer): Promise<void> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(eq(uploads.id, path.replace('/uploads/', '')));
  const key = `originals/${createHash('sha256').update(file).digest('hex').slice(0, 20)}.wav`;
  expect(row).toMatchObject({ state: 'waiting', originalKey: key });
  expect((await readFile(join(dataDir, 'blobs', key))).equals(file)).toBe(true);
}

test('a request at one process stops for the next one at another, and nothing is written twice', async () => {
  const file = randomBytes(900_000);
  const { by, path, open } = await begin(file);
  const head = await sendTus(sites[1].url + path, by, 'HEAD');
  expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '400000']);
  const rest = { 'upload-offset': '400000' };
  expect((await sendTus(sites[1].url + path, by, 'PATCH', rest, file.subarray(400_000))).status).toBe(204);
  await expectKept(path, file);
  open.destroy();
});

test('two processes that get the same part at once write it once', async () => {
  const file = randomBytes(2_000_000);
  const by = await newUploader(db);
  const path = await createUpload(sites[0].url, by, file.length);
  const statuses = await Promise.all(
    sites.map(async (site) => (await sendTus(site.url + path, by, 'PATCH', { 'upload-offset': '0' }, file)).status),
  );
  expect(statuses.toSorted()).toEqual([204, 409]);
  await expectKept(path, file);
});

test('after kill -9 the upload continues at another process from the byte where it stopped', async () => {
  const file = randomBytes(900_000);
  const { by, path } = await begin(file);
  await sites[0].kill();
  // Seconds pass: the lease of the dead process ends.
  await db.execute(sql`update upload_locks set until = now() - interval '1 second'`);
  // A connection with a refused, half-read part closes meanwhile, so the first try may fail.
  await vi.waitFor(async () => {
    const head = await sendTus(sites[1].url + path, by, 'HEAD');
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '400000']);
  }, patience);
  const rest = { 'upload-offset': '400000' };
  expect((await sendTus(sites[1].url + path, by, 'PATCH', rest, file.subarray(400_000))).status).toBe(204);
  await expectKept(path, file);
});

test('a client sends a part at most again after kill -9, of 41 MB', async () => {
  const [file, by] = [randomBytes(41_000_000), await newUploader(db)];
  const options = {
    metadata: { voiceId: by.voice.id, fileName: 'one.wav' },
    headers: { authorization: `Bearer ${by.token}` },
    // As in `web/studio/uploads/upload-manager.ts`.
    chunkSize: nextPart(41_000_000, 0.05),
    retryDelays: null,
    storeFingerprintForResuming: false,
  };
  const [dies, next] = [sites[1], await startSite(settings)];
  let sent = 0;
  const { promise: isLost, resolve: lose } = Promise.withResolvers<void>();
  const upload = new Upload(file, {
    ...options,
    endpoint: `${dies.url}/uploads`,
    onProgress(bytes) {
      sent = bytes;
      // Between two parts and within one, by the machine's own pace.
      if (bytes > 25_000_000)
        void dies
          .kill()
          .then(() => upload.abort())
          .then(lose, lose);
    },
    onError: () => lose(),
  });
  upload.start();
  await isLost;
  const path = new URL(upload.url ?? '').pathname;
  await db.execute(sql`update upload_locks set until = now() - interval '1 second'`);
  await vi.waitFor(async () => expect((await sendTus(next.url + path, by, 'HEAD')).status).toBe(200), patience);
  let resumedAt: number | undefined;
  await new Promise<void>((resolve, reject) => {
    const rest = new Upload(file, {
      ...options,
      uploadUrl: next.url + path,
      onProgress: (bytes) => (resumedAt ??= bytes),
      onError: reject,
      onSuccess: () => resolve(),
    });
    rest.start();
  });
  await expectKept(path, file);
  await next.stop();
  expect(sent).toBeGreaterThan(25_000_000);
  expect(sent - (resumedAt ?? 0)).toBeLessThanOrEqual(4 * 1024 * 1024);
});
