import { getTableColumns } from 'drizzle-orm';
import type { AddJobs } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { type Page, type PageQuery, pageIn } from '../../kernel/pages.ts';
import { isReconciling, reconcileJob } from '../../membership/sync/reconcile.ts';
import { reconciliationRuns } from '../../membership/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

export type JobParts = { db: Db; addJobs: AddJobs };

export type ReconciliationRun = typeof reconciliationRuns.$inferSelect;

/** Reports of the comparison with the payment provider, newest first. */
export async function listReconciliations(db: Db, actor: Actor, query: PageQuery): Promise<Page<ReconciliationRun>> {
  administratorsOnly(actor);
  const page = pageIn('reconciliations', query, { direction: 'desc', id: reconciliationRuns.id });
  const rows = await db
    .select({ ...getTableColumns(reconciliationRuns), ...page.columns })
    .from(reconciliationRuns)
    .where(page.after)
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}

export async function isReconciliationRunning(db: Db, actor: Actor): Promise<boolean> {
  administratorsOnly(actor);
  return isReconciling(db);
}

/** Requests a run and logs it. @returns false while one is running */
export async function requestReconciliation({ db, addJobs }: JobParts, actor: Actor): Promise<boolean> {
  administratorsOnly(actor);
  if (await isReconciling(db)) return false;
  return db.transaction(async (tx) => {
    await recordByOperator(tx, actor, {
      action: 'reconciliation.request',
      subject: { type: 'reconciliation', id: 'now', name: 'a comparison with the payment provider' },
    });
    await addJobs(reconcileJob, ['now']);
    return true;
  });
}
