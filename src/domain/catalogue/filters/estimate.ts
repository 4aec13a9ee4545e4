import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { audioFilterKeys } from '../tables.ts';
import { type Condition, isFound } from './read-filter.ts';

type Explained = { 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] };

/**
 * How many audios the planner expects to meet the conditions, by its statistics of keys; nothing is read. Far off where
 * keys depend on one another, so it only chooses between two right ways.
 */
export async function estimateAudios(db: Db, conditions: Condition[]): Promise<number> {
  const { rows } = await db.execute<Explained>(
    sql`explain (format json) select from ${audioFilterKeys} where ${isFound(conditions)}`,
  );
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}
