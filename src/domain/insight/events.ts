import { lt, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { newId } from '../ids.ts';
import type { InsightEvent } from './forms.ts';
import { insightEvents } from './tables.ts';

/** Keeps what happened, never who did it (product.md, "Events"). */
export async function recordEvents(db: Db, events: InsightEvent[]): Promise<void> {
  await db.insert(insightEvents).values(
    events.map((event) => ({
      id: newId(),
      name: event.name,
      source: event.source ?? null,
      subjectId: event.subjectId ?? null,
      properties: event.properties ?? {},
    })),
  );
}

/** @returns how many were forgotten */
export async function forgetOldEvents(db: Db, keepDays: number): Promise<number> {
  const result = await db
    .delete(insightEvents)
    .where(lt(insightEvents.createdAt, sql`now() - make_interval(days => ${keepDays})`));
  return result.rowCount ?? 0;
}
