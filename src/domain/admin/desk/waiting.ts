import type { Db } from '../../kernel/db.ts';
import { countOpenReports } from '../people/report-queue.ts';

/**
 * Counts of the desk, by tab. A further tab has its count here and its line in `web/admin/desk/desk-tabs.ts`; the side
 * bar adds them up.
 */
export async function countWaiting(db: Db) {
  return { notices: await countOpenReports(db) };
}
export type DeskWaiting = Awaited<ReturnType<typeof countWaiting>>;
