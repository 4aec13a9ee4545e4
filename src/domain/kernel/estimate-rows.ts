import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';

type Plan = { 'Plan Rows': number; Plans?: Plan[] };

/** Rows of each select by the planner's statistics, which cost no read of the tables. */
export async function estimateRows(db: Db, selects: SQL[]): Promise<number[]> {
  // `offset 0` keeps a select with parts of its own from becoming several parts of the plan.
  const parts = selects.map((select) => sql`(select 1 from (${select}) part offset 0)`);
  const { rows } = await db.execute<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    sql`explain (format json) ${sql.join(parts, sql` union all `)}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  const plans = selects.length === 1 && plan !== undefined ? [plan] : (plan?.Plans ?? []);
  return plans.map((part) => part['Plan Rows']);
}
