import { lt, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { newId } from '../ids.ts';
import type { InsightEvent } from './forms.ts';
import { insightEvents } from './tables.ts';

/** An event with its time, and with whose it is where they asked for that. */
export type TakenEvent = InsightEvent & { id: string; at: Date; userId: string | undefined };

/** @param userId of somebody who consented; what is not anybody's stays so */
export function takeEvents(events: InsightEvent[], userId: string | undefined, at: Date): TakenEvent[] {
  return events.map((event) => ({ ...event, id: newId(), at, userId }));
}

/** Many at once, in one statement. Whoever has taken their consent back meanwhile, or deleted their account, is not named. */
export async function recordEvents(db: Db, events: TakenEvent[]): Promise<void> {
  const column = (read: (event: TakenEvent) => unknown) => sql.param(events.map(read));
  const isAnybodys = events.some(({ userId }) => userId !== undefined);
  const owner = isAnybodys
    ? sql`(select c.user_id from insight_consents c where c.user_id = e.user_id)`
    : sql`null::uuid`;
  await db.execute(sql`
    insert into insight_events (id, name, source, subject_id, properties, created_at, user_id)
    select e.id, e.name, e.source, e.subject_id, e.properties::jsonb, e.created_at, ${owner}
    from unnest(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ name }) => name)}::text[],
      ${column(({ source }) => source ?? null)}::text[],
      ${column(({ subjectId }) => subjectId ?? null)}::uuid[],
      ${column(({ properties }) => (properties === undefined ? '{}' : JSON.stringify(properties)))}::text[],
      ${column(({ at }) => at.toISOString())}::timestamptz[],
      ${column(({ userId }) => userId ?? null)}::uuid[]
    ) as e (id, name, source, subject_id, properties, created_at, user_id)`);
}

/** @returns how many were forgotten */
export async function forgetOldEvents(db: Db, keepDays: number): Promise<number> {
  const result = await db
    .delete(insightEvents)
    .where(lt(insightEvents.createdAt, sql`now() - make_interval(days => ${keepDays})`));
  return result.rowCount ?? 0;
}
