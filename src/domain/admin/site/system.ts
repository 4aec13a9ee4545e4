import { desc, eq, inArray, sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { SiteAdminParts } from '../admin-parts.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { cacheChecks } from './cached-checks.ts';
import type { SystemActs, TestName } from '../operations.ts';
import { recordByOperator } from '../record.ts';
import { paymentEvents } from '../../membership/tables.ts';
import { siteBackups, siteStarts, siteTests } from '../tables.ts';

/** Mails that the page shows; there may be thousands after an outage. */
const maxMails = 100;
const keptStarts = 500;

/** Without the address: the log outlives the account. */
export async function recordRetriedMail(db: Db, actor: Actor, name: string, outcome: 'sent' | 'failed'): Promise<void> {
  await recordByOperator(db, actor, {
    action: 'system.retry-mail',
    subject: { type: 'mail', id: name, name: outcome },
  });
}

/** Jobs, mails, storage, backups and starts. Each act is logged. */
export type System = Awaited<ReturnType<ReturnType<typeof openSystem>['findSystem']>>;
export type Connections = Awaited<ReturnType<ReturnType<typeof openSystem>['findConnections']>>;

export function openSystem({ db, operations, search }: Pick<SiteAdminParts, 'db' | 'operations' | 'search'>) {
  /** @throws DomainError `request/not-found` for others, `server/unavailable` outside the site process */
  function system(actor: Actor): SystemActs {
    administratorsOnly(actor);
    if (operations?.system === undefined) throw new DomainError('server/unavailable');
    return operations.system;
  }

  const checks = cacheChecks(async () => (await operations?.system?.check()) ?? []);

  const record = (actor: Actor, action: `system.${string}`, subject: { type: string; id: string; name: string }) =>
    db.transaction((tx) => recordByOperator(tx, actor, { action, subject }));

  return {
    async findSystem(actor: Actor) {
      const acts = system(actor);
      const [jobs, unfinished, mails, storage, index, backups, starts, tests] = await Promise.all([
        acts.listJobs(),
        acts.listUnfinishedJobs(),
        acts.listMails(maxMails),
        acts.storage(),
        search?.state(),
        db.select().from(siteBackups).orderBy(desc(siteBackups.askedAt), desc(siteBackups.id)).limit(20),
        db.select().from(siteStarts).orderBy(desc(siteStarts.startedAt), desc(siteStarts.id)).limit(20),
        db.select().from(siteTests),
      ]);
      return {
        jobs,
        unfinished,
        mails,
        storage,
        index,
        backups,
        canBackUp: acts.startBackup !== undefined,
        starts: starts.map((start) => ({ ...start, state: stateOf(start) })),
        tests,
      };
    },

    /** Connections for Settings: mail, storage, search and payment; undefined outside the site process. */
    async findConnections(actor: Actor) {
      administratorsOnly(actor);
      if (operations?.system === undefined) return undefined;
      const [{ count: mails }, storage, index, tests, [lastEvent]] = await Promise.all([
        operations.system.listMails(0),
        // Unreachable storage is reported by its connection test.
        operations.system.storage().catch(() => undefined),
        search?.state(),
        db.select().from(siteTests),
        db
          .select({ receivedAt: paymentEvents.receivedAt })
          .from(paymentEvents)
          .orderBy(desc(paymentEvents.receivedAt), desc(paymentEvents.eventId))
          .limit(1),
      ]);
      const payment = { mode: operations.system.paymentMode, lastEventAt: lastEvent?.receivedAt };
      return { mails, storage, index, tests, payment };
    },

    /** The quick checks of `doctor`; while the page is in use, at most a minute old. */
    async findChecks(actor: Actor) {
      system(actor);
      return checks.read();
    },

    async checkSystem(actor: Actor) {
      system(actor);
      return checks.runAgain();
    },

    /** @throws DomainError `request/not-found`, `system/job-state` */
    async changeJob(actor: Actor, id: string, change: 'retry' | 'cancel'): Promise<void> {
      const acts = system(actor);
      const job = await acts.findJob(id);
      if (job === undefined) throw new DomainError('request/not-found');
      if (!(await acts.changeJob(job, change))) throw new DomainError('system/job-state');
      await record(actor, `system.${change}-job`, { type: 'job', id, name: job.name });
    },

    /** @throws DomainError `request/not-found`, `system/mail-failed` */
    async retryMail(actor: Actor, name: string): Promise<void> {
      const outcome = await system(actor).retryMail(name);
      if (outcome === 'gone') throw new DomainError('request/not-found');
      await recordRetriedMail(db, actor, name, outcome);
      if (outcome === 'failed') throw new DomainError('system/mail-failed');
    },

    async dropMail(actor: Actor, name: string): Promise<void> {
      if (!(await system(actor).forgetMail(name))) throw new DomainError('request/not-found');
      // Without the address: the log outlives the account.
      await record(actor, 'system.drop-mail', { type: 'mail', id: name, name: 'A mail that was not sent' });
    },

    async rebuildSearch(actor: Actor): Promise<void> {
      administratorsOnly(actor);
      if (search === undefined) throw new DomainError('server/unavailable');
      await search.rebuild();
      await record(actor, 'system.rebuild-search', { type: 'search', id: 'search', name: 'Search index' });
    },

    async findSearchState(actor: Actor) {
      administratorsOnly(actor);
      if (search === undefined) throw new DomainError('server/unavailable');
      return search.state();
    },

    /** Tests a connection and stores the result. */
    async tryOut(actor: Actor, name: TestName): Promise<{ isOk: boolean; message: string }> {
      const acts = system(actor);
      const start = performance.now();
      const { isOk, message } = await acts.tryOut(name);
      const row = { isOk, message: message.slice(0, 500), milliseconds: Math.round(performance.now() - start) };
      await db
        .insert(siteTests)
        .values({ name, ...row })
        .onConflictDoUpdate({ target: siteTests.name, set: { ...row, testedAt: sql`now()` } });
      return { isOk, message };
    },

    /** @throws DomainError `system/no-backup-folder`, `system/backup-running` */
    async startBackup(actor: Actor): Promise<{ id: string }> {
      const { startBackup } = system(actor);
      if (startBackup === undefined) throw new DomainError('system/no-backup-folder');
      const id = newId();
      const folder = `backup-${new Date().toISOString().replaceAll(/[^0-9TZ]/g, '')}`;
      await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('site_backups'))`);
        const isUnderWay = inArray(siteBackups.state, ['waiting', 'running']);
        // A backup that a killed process left does not block further ones.
        const isAlive = sql`${isUnderWay} and ${siteBackups.askedAt} > now() - interval '12 hours'`;
        if ((await tx.$count(siteBackups, isAlive)) > 0) throw new DomainError('system/backup-running');
        await tx.insert(siteBackups).values({ id, folder });
        await recordByOperator(tx, actor, {
          action: 'system.start-backup',
          subject: { type: 'backup', id, name: folder },
        });
      });
      try {
        await startBackup(id);
      } catch (error) {
        const failure = { state: 'failed', failure: 'The job could not be started' } as const;
        await db.update(siteBackups).set(failure).where(eq(siteBackups.id, id));
        throw error;
      }
      return { id };
    },
  };
}

type Start = typeof siteStarts.$inferSelect;

function stateOf({ stoppedAt, failure, seenAt }: Start): 'running' | 'stopped' | 'failed' | 'killed' {
  if (stoppedAt !== null) return failure === null ? 'stopped' : 'failed';
  return Date.now() - seenAt.getTime() < 3 * 60_000 ? 'running' : 'killed';
}

/** Records the start of a process. @returns callbacks for its heartbeat and its stop */
export async function noteStart(db: Db, process: { version: string; host: string; pid: number }) {
  const id = newId();
  await db.insert(siteStarts).values({ id, ...process });
  await db.execute(sql`
    delete from site_starts where id not in (
      select id from site_starts order by started_at desc, id desc limit ${keptStarts})`);
  return {
    async beat(): Promise<void> {
      await db
        .update(siteStarts)
        .set({ seenAt: sql`now()` })
        .where(eq(siteStarts.id, id));
    },
    async stop(failure: string | undefined): Promise<void> {
      const stopped = { stoppedAt: sql`now()`, seenAt: sql`now()`, failure: failure?.slice(0, 500) ?? null };
      await db.update(siteStarts).set(stopped).where(eq(siteStarts.id, id));
    },
  };
}
