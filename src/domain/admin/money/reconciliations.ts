import { desc, lt } from 'drizzle-orm';
import { z } from 'zod';
import type { AddJobs } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { Page } from '../../kernel/pages.ts';
import { decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { isReconciling, reconcileJob } from '../../membership/sync/reconcile.ts';
import { reconciliationRuns } from '../../membership/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

export type JobParts = { db: Db; addJobs: AddJobs };

export type ReconciliationRun = typeof reconciliationRuns.$inferSelect;

const order = 'reconciliations';

/** Reports of the comparison with the payment provider, newest first. */
export async function listReconciliations(
  db: Db,
  actor: Actor,
  page: { cursor?: string | undefined; limit: number },
): Promise<Page<ReconciliationRun>> {
  administratorsOnly(actor);
  const cursor = decodeCursor(order, page.cursor, z.uuid());
  const rows = await db
    .select()
    .from(reconciliationRuns)
    .where(cursor && lt(reconciliationRuns.id, cursor.id))
    .orderBy(desc(reconciliationRuns.id))
    .limit(page.limit + 1);
  return toPage(
    rows,
    page.limit,
    (row) => row,
    ({ id }) => encodeCursor(order, { value: id, id }),
  );
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
