import { randomBytes, randomUUID } from 'node:crypto';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { and, desc, eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Config } from '#config';
import { createBackup } from '#db/backup.ts';
import { readManifest } from '#db/backup-manifest.ts';
import type { Database } from '#db/database.ts';
import type { KeptFinding, SystemActs } from '#domain/admin/operations.ts';
import { siteBackups } from '#domain/admin/tables.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { PlansMissingError } from '#domain/membership/payment-provider.ts';
import { findMembershipSettings, plansOf } from '#domain/membership/settings.ts';
import { checkMailServer } from '#gateways/mail.ts';
import { i18n } from '#i18n';
import { examineRunningSite } from '#doctor/doctor.ts';
import { textOf } from '#doctor/report.ts';
import { changeJob, findJob, listJobs, listUnfinishedJobs } from '../jobs/job-records.ts';
import type { Gateways } from './open-gateways.ts';
import { readStoredSecret } from './site-secret.ts';
import { readVersion } from './site-facts.ts';

type SystemOptions = {
  config: Config;
  database: Database;
  databaseUrl: string;
  gateways: {
    blobs: Gateways['blobs'];
    identity: Pick<Gateways['identity'], 'mail'>;
    payments: Pick<Gateways['payments'], 'provider' | 'mode'>;
  };
  addJobs(name: string, keys: string[]): Promise<void>;
};

/** Facts and acts of Admin's System page from outside the domain. */
export function openSystemActs({ config, database, databaseUrl, gateways, addJobs }: SystemOptions): SystemActs {
  const { pool, db } = database;
  const { blobs, payments } = gateways;
  const { mail } = gateways.identity;

  async function tryStorage(): Promise<string> {
    const key = `doctor/${randomUUID()}`;
    const content = randomBytes(64);
    await blobs.write(key, content);
    try {
      const read = new Uint8Array(await new Response(blobs.read(key)).arrayBuffer());
      if (Buffer.compare(read, content) !== 0)
        throw new Error(i18n._(/*i18n*/ { id: 'system.storage-differs', message: 'it gave back another file' }));
    } finally {
      await blobs.remove(key);
    }
    return i18n._(/*i18n*/ { id: 'system.storage-works', message: 'A file was written, read and removed' });
  }

  async function tryMail(): Promise<string> {
    const { url, from } = config.mail;
    if (url === undefined)
      throw new Error(
        i18n._(/*i18n*/ { id: 'system.no-mail', message: 'MAIL_URL is not set: mails wait in the database' }),
      );
    const refusal = await checkMailServer(url);
    if (refusal !== undefined) throw new Error(refusal);
    const host = URL.parse(url)?.host ?? 'MAIL_URL';
    return i18n._(
      /*i18n*/ { id: 'system.mail-works', message: '{host} takes mail from {from}', values: { host, from } },
    );
  }

  async function tryPayment(): Promise<string> {
    const settings = await findMembershipSettings(db);
    const plans = plansOf(settings, payments.provider.capabilities);
    await payments.provider.checkPlans([...plans]);
    const [month = '', year = ''] = plans.map(({ amount, currency }) => formatMoney(amount, currency));
    return i18n._(
      /*i18n*/ {
        id: 'system.payment-works',
        message: 'It answers, and has the prices {month} each month and {year} each year',
        values: { month, year },
      },
    );
  }

  const tries = { mail: tryMail, payment: tryPayment, storage: tryStorage };

  return {
    listJobs: () => listJobs(pool),
    listUnfinishedJobs: () => listUnfinishedJobs(pool),
    findJob: (id) => findJob(pool, id),
    changeJob: (job, change) => changeJob(databaseUrl, job, change),
    listMails: (max) => mail.listFirst(max),
    retryMail: (name) => mail.retry(name),
    forgetMail: (name) => mail.forget(name),
    paymentMode: payments.mode,
    async storage() {
      if (config.storage !== undefined)
        return { kind: 'object-storage', place: config.storage.bucket, freeBytes: undefined };
      const { bavail, bsize } = await statfs(config.dataDir);
      return { kind: 'disk', place: 'the data folder of the server', freeBytes: bavail * bsize };
    },
    async tryOut(name) {
      try {
        return { isOk: true, message: await tries[name]() };
      } catch (error) {
        const { message } = error as Error;
        const reason = error instanceof PlansMissingError ? message : message.split('\n')[0];
        return {
          isOk: false,
          message: reason || i18n._(/*i18n*/ { id: 'system.no-answer', message: 'It did not answer' }),
        };
      }
    },
    startBackup: config.backups && ((id) => addJobs('make-backup', [id])),
    async check() {
      const findings: KeptFinding[] = [];
      await examineRunningSite({ config, database, url: databaseUrl }, (level, about, message) =>
        findings.push({ level, about, say: () => textOf(message) }),
      );
      return findings;
    },
  };
}

/** One sentence without its end, such as `2 files are missing on the site: audio/a.m4a, audio/b.m4a`. */
function describeMissing({ missing, missingBlobs }: { missing: number; missingBlobs: string[] }): string {
  const named = missingBlobs.slice(0, 5).join(', ');
  const more = missing > 5 ? ` and ${missing - 5} more` : '';
  return `${countOf(missing, 'file')} ${missing === 1 ? 'is' : 'are'} missing on the site: ${named}${more}`;
}

/** The job `make-backup`. @returns undefined when BACKUP_DIR is not set */
export function openBackupJob({
  config,
  database,
  databaseUrl,
  gateways,
  log,
}: Omit<SystemOptions, 'addJobs'> & { log: Pick<Logger, 'error'> }) {
  const { backups } = config;
  const { db } = database;
  if (backups === undefined) return undefined;
  return async (id: string): Promise<void> => {
    const [backup] = await db.select().from(siteBackups).where(eq(siteBackups.id, id));
    if (backup === undefined || backup.state === 'done') return;
    const folder = join(backups.dir, backup.folder);
    await db.update(siteBackups).set({ state: 'running', failure: null }).where(eq(siteBackups.id, id));
    try {
      const summary = await createBackup({
        url: databaseUrl,
        blobs: gateways.blobs,
        folder,
        secret: config.secret === undefined ? await readStoredSecret(config.dataDir) : undefined,
        siteVersion: readVersion(),
        now: new Date(),
      });
      const failure = summary.missing === 0 ? null : describeMissing(summary);
      if (failure !== null) log.error({ folder: backup.folder }, `A backup is incomplete: ${failure}`);
      await db
        .update(siteBackups)
        .set({
          state: 'done',
          failure,
          finishedAt: new Date(),
          rowCount: summary.rows,
          fileCount: summary.blobs,
          fileBytes: summary.blobBytes,
        })
        .where(eq(siteBackups.id, id));
    } catch (error) {
      const failure = (error as Error).message.slice(0, 500);
      await db
        .update(siteBackups)
        .set({ state: 'failed', finishedAt: new Date(), failure })
        .where(eq(siteBackups.id, id));
      // Nothing restores or deletes an unfinished copy, and on a full disk it would keep the next one from finishing.
      const finished = await readManifest(folder).catch(() => undefined);
      if (finished === undefined) await rm(folder, { recursive: true, force: true });
      throw error;
    }
    // The new backup is complete, so old ones may be deleted now.
    const done = await db
      .select({ id: siteBackups.id, folder: siteBackups.folder, failure: siteBackups.failure })
      .from(siteBackups)
      .where(and(eq(siteBackups.state, 'done')))
      .orderBy(desc(siteBackups.askedAt));
    // The newest one with every file stays: it may be the only copy of what is missing now.
    const whole = done.find(({ failure }) => failure === null);
    for (const old of done.slice(backups.kept)) {
      if (old === whole) continue;
      await rm(join(backups.dir, old.folder), { recursive: true, force: true });
      await db.update(siteBackups).set({ state: 'removed' }).where(eq(siteBackups.id, old.id));
    }
  };
}
