import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '#config';
import { readManifest, verifyBackup } from '#db/backup-manifest.ts';
import { openSiteAdmin } from '#domain/admin/site/open-site-admin.ts';
import { noteStart } from '#domain/admin/site/system.ts';
import { audios } from '#domain/catalogue/tables.ts';
import { siteBackups } from '#domain/admin/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import { openMail } from '#gateways/mail.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { paymentEvents } from '#domain/membership/tables.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { createLog } from './log.ts';
import { openBackupJob, openSystemActs } from './open-system.ts';
import { slow } from '#test/support/tags.ts';

const folder = await mkdtemp(join(tmpdir(), 'sotto-system-'));
const database = await createTestDatabase();
const { db } = database;
const backupDir = join(folder, 'backups');
const config = parseConfig({
  DATA_DIR: join(folder, 'data'),
  BACKUP_DIR: backupDir,
  BACKUPS_KEPT: '2',
});
const blobs = openDiskBlobs({ dir: join(folder, 'data', 'blobs') });
await blobs.write('audio/one.mp3', new Uint8Array([1, 2, 3]));
await createAudio(db, { fileKey: 'audio/one.mp3' });
const mail = await openMail({
  url: undefined,
  from: () => 'site@example.org',
  db,
  log: createLog('silent'),
});
const { provider } = openPlainPayments();
const options = {
  config,
  database: database as never,
  databaseUrl: database.url,
  gateways: { blobs, identity: { mail }, payments: { provider, mode: 'test' as const } },
};
const logged: string[] = [];
const log = createLog('error', {
  write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg),
});
const added: string[] = [];
const system = openSystemActs({ ...options, addJobs: async (name, keys) => void added.push(name, ...keys) });
const admin = openSiteAdmin({
  db,
  operations: { version: '1', readJobs: async () => ({}) as never, system },
  membership: { payments: provider },
} as never);
// Each test has its own backups.
beforeEach(async () => {
  await rm(backupDir, { recursive: true, force: true });
  await db.delete(siteBackups);
  added.length = 0;
});
afterAll(async () => {
  await mail.close();
  await rm(folder, { recursive: true, force: true });
});

test(
  'a backup is started once, made by its job, whole, and the oldest goes when there are too many',
  slow,
  async () => {
    const make = openBackupJob({ ...options, log });
    for (let count = 0; count < 3; count += 1) {
      const { id } = await admin.startBackup(operator);
      expect(added.splice(0)).toEqual(['make-backup', id]);
      await expect(admin.startBackup(operator)).rejects.toMatchObject({ code: 'system/backup-running' });
      await make?.(id);
      // A job that runs twice creates nothing twice.
      await make?.(id);
    }
    const { backups } = await admin.findSystem(operator);
    expect(backups.map(({ state, fileCount }) => [state, fileCount])).toEqual([
      ['done', 1],
      ['done', 1],
      ['removed', 1],
    ]);
    const there = await readdir(backupDir);
    expect(there.toSorted()).toEqual(
      backups
        .slice(0, 2)
        .map((backup) => backup.folder)
        .toSorted(),
    );
    for (const name of there) {
      const path = join(backupDir, name);
      await verifyBackup(path, await readManifest(path));
    }
  },
);

test('a backup without a file that the site lost says so, and does not push out the last whole one', slow, async () => {
  const make = openBackupJob({ ...options, log });
  const backUp = async () => {
    const { id } = await admin.startBackup(operator);
    await make?.(id);
  };
  await backUp();
  const { id: lost } = await createAudio(db, { fileKey: 'audio/lost.mp3' });
  for (let count = 0; count < 3; count += 1) await backUp();
  const failure = '1 file is missing on the site: audio/lost.mp3';
  const { backups } = await admin.findSystem(operator);
  expect(backups.map((backup) => [backup.state, backup.failure])).toEqual([
    ['done', failure],
    ['done', failure],
    ['removed', failure],
    ['done', null],
  ]);
  expect(await readdir(backupDir)).toHaveLength(3);
  expect(logged).toEqual(Array(3).fill(`A backup is incomplete: ${failure}`));
  expect((await admin.findOverview(operator)).health.backup).toMatchObject({ isIncomplete: true, hasFailed: false });
  await db.delete(audios).where(eq(audios.id, lost));
});

test('a backup that fails says why and leaves no files, and the next one can be started', async () => {
  const { id } = await admin.startBackup(operator);
  const broken = {
    ...blobs,
    read: () => {
      throw new Error('the disk is gone');
    },
  };
  const make = openBackupJob({ ...options, log, gateways: { ...options.gateways, blobs: broken } });
  await expect(make?.(id)).rejects.toThrow('the disk is gone');
  const [first] = (await admin.findSystem(operator)).backups;
  expect(first).toMatchObject({ state: 'failed', failure: 'the disk is gone' });
  expect(await readdir(backupDir)).toEqual([]);
  const { id: second } = await admin.startBackup(operator);
  expect(second).not.toBe(id);
  // A killed process left it.
  await db.update(siteBackups).set({ askedAt: sql`now() - interval '11 hours 59 minutes'` });
  await expect(admin.startBackup(operator)).rejects.toMatchObject({ code: 'system/backup-running' });
  await db.update(siteBackups).set({ askedAt: sql`now() - interval '12 hours 1 minute'` });
  expect((await admin.startBackup(operator)).id).not.toBe(second);
});

test('storage and payment are tried, mail says that no server is set, and each outcome stays', async () => {
  expect(await admin.tryOut(operator, 'storage')).toMatchObject({ isOk: true });
  expect(await admin.tryOut(operator, 'payment')).toMatchObject({ isOk: true });
  expect(await admin.tryOut(operator, 'mail')).toMatchObject({ isOk: false });
  provider.checkPlans = async () => {
    throw new Error('the provider is away');
  };
  expect(await admin.tryOut(operator, 'payment')).toEqual({ isOk: false, message: 'the provider is away' });
  const { tests, storage } = await admin.findSystem(operator);
  expect(Object.fromEntries(tests.map(({ name, isOk }) => [name, isOk]))).toEqual({
    storage: true,
    payment: false,
    mail: false,
  });
  expect(storage.kind).toBe('disk');
  const left: string[] = [];
  for await (const { key } of blobs.list('')) left.push(key);
  expect(left).toEqual(['audio/one.mp3']);
});

test('Settings say whose cards are charged, and when the provider last sent an event', async () => {
  expect((await admin.findConnections(operator))?.payment).toEqual({ mode: 'test', lastEventAt: undefined });
  const event = { type: 'invoice.paid', createdAt: new Date('2026-01-01Z') };
  await db.insert(paymentEvents).values([
    { ...event, eventId: 'evt_new', receivedAt: new Date('2026-01-03Z') },
    { ...event, eventId: 'evt_old', receivedAt: new Date('2026-01-02Z') },
  ]);
  expect((await admin.findConnections(operator))?.payment.lastEventAt).toEqual(new Date('2026-01-03Z'));
});

test('a mail that waits is dropped once, and the log does not name its recipient', async () => {
  await mail.send({ to: 'nora@example.org', subject: 'Hello', text: 'Hi', html: '<p>Hi</p>' });
  const [waiting] = (await admin.findSystem(operator)).mails.items;
  expect(waiting?.to).toBe('nora@example.org');
  await admin.dropMail(operator, waiting?.name ?? '');
  await expect(admin.dropMail(operator, waiting?.name ?? '')).rejects.toMatchObject({ code: 'request/not-found' });
  expect((await admin.findSystem(operator)).mails.count).toBe(0);
  const { rows } = await database.pool.query(`select * from audit_entries where action = 'system.drop-mail'`);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('nora@');
});

test('starts say how they ended: asked to stop, failed, still running, or killed', async () => {
  const here = { version: '1.2.3', host: 'a-host', pid: 7 };
  await (await noteStart(db, here)).stop(undefined);
  await (await noteStart(db, here)).stop('the disk is full');
  await noteStart(db, here);
  await noteStart(db, here);
  const seen = async (before: string) => {
    await database.pool.query(
      `update site_starts set seen_at = now() - $1::interval where id = (select max(id::text)::uuid from site_starts)`,
      [before],
    );
    return (await admin.findSystem(operator)).starts.map(({ state }) => state).toSorted();
  };
  expect(await seen('2 minutes 50 seconds')).toEqual(['failed', 'running', 'running', 'stopped']);
  expect(await seen('3 minutes 1 second')).toEqual(['failed', 'killed', 'running', 'stopped']);
});

test('nobody but operators sees or does anything of it', async () => {
  const { id } = await createUser(db);
  const viewer = { kind: 'user', id, isSubscribed: false, isComplete: true } as const;
  const acts = [
    async () => admin.findSystem(viewer),
    async () => admin.checkSystem(viewer),
    async () => admin.findChecks(viewer),
    async () => admin.changeJob(viewer, id, 'retry'),
    async () => admin.retryMail(viewer, id),
    async () => admin.dropMail(viewer, id),
    async () => admin.rebuildSearch(viewer),
    async () => admin.tryOut(viewer, 'storage'),
    async () => admin.startBackup(viewer),
  ];
  for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'request/not-found' });
  expect(await db.select().from(siteBackups)).toEqual([]);
});
