import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { purgeRows } from '../kernel/purge.ts';
import { dropEventDay, listEventDays } from './event-days.ts';
import type { AnalyticsEvent } from './forms.ts';
import { analyticsEvents } from './tables.ts';

/** An event with its time, and its user if they consented. */
export type TakenEvent = AnalyticsEvent & { id: string; at: Date; userId: string | undefined };

/** Forwards events to a third-party analytics service. Nothing waits for it; failed events are lost. */
export type EventForwarder = {
  forward(events: TakenEvent[]): void;
  /** Consenting users only. */
  identify(user: { id: string; email: string | null }): void;
};

/** @param userId a consenting user; undefined makes the events anonymous */
export function takeEvents(events: AnalyticsEvent[], userId: string | undefined, at: Date): TakenEvent[] {
  return events.map((event) => ({ ...event, id: newId(), at, userId }));
}

/** Writes many events in one statement. Users who withdrew consent or were deleted meanwhile are not recorded. */
export async function recordEvents(db: Db, events: TakenEvent[]): Promise<void> {
  const column = (read: (event: TakenEvent) => unknown) => sql.param(events.map(read));
  const isAnybodys = events.some(({ userId }) => userId !== undefined);
  const owner = isAnybodys
    ? sql`(select c.user_id from analytics_consents c where c.user_id = e.user_id)`
    : sql`null::uuid`;
  await db.execute(sql`
    insert into analytics_events (id, name, source, subject_id, properties, created_at, user_id)
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

/**
 * Drops the tables of complete old days. Deletes in batches from partly old tables, tables in use, and
 * `event_days.other`.
 */
export async function purgeOldEvents(
  db: Db,
  keepDays: number,
  signal?: AbortSignal,
): Promise<{ days: number; events: number }> {
  const isOld = sql`${analyticsEvents.createdAt} < now() - make_interval(days => ${keepDays})`;
  const keptFrom = Date.now() - keepDays * 24 * 60 * 60 * 1000;
  let [days, events] = [0, 0];
  for (const day of await listEventDays(db)) {
    const isAllOld = day.until !== null && day.until.getTime() <= keptFrom;
    if (isAllOld && (await dropEventDay(db, day))) {
      days += 1;
      continue;
    }
    if (day.from !== null && day.from.getTime() > keptFrom) continue;
    const table = sql`event_days.${sql.identifier(day.name)} as ${analyticsEvents}`;
    events += await purgeRows(db, table, isOld, signal, analyticsEvents.createdAt);
  }
  return { days, events };
}
