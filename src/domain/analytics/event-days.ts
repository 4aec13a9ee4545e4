import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';

/** Days created in advance, so that a late job loses nothing. */
const daysAhead = 7;
/** Maximum wait for a lock: other statements queue behind the waiting one. */
const lockMs = 100;

/** PostgreSQL error codes: lock not available, deadlock detected. */
const lockFailures = new Set(['55P03', '40P01']);

/** One table of events. Days without a table are in `event_days.other`, which has no start and end. */
export type EventDay = { name: string; from: Date | null; until: Date | null };

/** The tables that make up `analytics_events`, oldest first (decision 048). */
export async function listEventDays(db: Db): Promise<EventDay[]> {
  const bound = (word: string) =>
    sql`(regexp_match(pg_get_expr(c.relpartbound, c.oid), ${`${word} \\('([^']+)'\\)`}))[1]::timestamptz`;
  const { rows } = await db.execute<{ name: string; from: string | null; until: string | null }>(sql`
    select c.relname as name, ${bound('FROM')} as from, ${bound('TO')} as until
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'analytics_events'::regclass order by until nulls last`);
  const time = (text: string | null) => (text === null ? null : new Date(text));
  return rows.map(({ name, from, until }) => ({ name, from: time(from), until: time(until) }));
}

/** Creates tables for the next days, each from midnight to midnight UTC. */
export async function addEventDays(db: Db): Promise<void> {
  const ends = (await listEventDays(db)).flatMap(({ until }) => until ?? []);
  const { rows } = await db.execute<{ from: string; today: string }>(sql`
    select date_trunc('day', now(), 'UTC') as today,
      date_trunc('day', greatest(now(), (select max(created_at) from event_days.other)), 'UTC') + interval '1 day' as from`);
  const [facts] = rows;
  if (facts === undefined) return;
  // Rows of that day in `event_days.other` would block its table.
  const first = Math.max(new Date(facts.from).getTime(), ...ends.map(Number));
  const dayMs = 24 * 60 * 60 * 1000;
  const last = new Date(facts.today).getTime() + daysAhead * dayMs;
  for (let day = first; day <= last; day += dayMs)
    if (!(await addEventDay(db, new Date(day), new Date(day + dayMs)))) return;
}

function addEventDay(db: Db, from: Date, until: Date): Promise<boolean> {
  const name = `day_${from.toISOString().slice(0, 10).replaceAll('-', '_')}`;
  const bounds = sql.raw(`from ('${from.toISOString()}') to ('${until.toISOString()}')`);
  return unlessLocked(db, async (tx) => {
    // Created alone, then attached: creating it as a partition would lock out all readers.
    await tx.execute(sql`create table event_days.${sql.identifier(name)} (like analytics_events including all)`);
    await tx.execute(
      sql`alter table analytics_events attach partition event_days.${sql.identifier(name)} for values ${bounds}`,
    );
  });
}

/** @returns false while others use the table, such as a backup */
export function dropEventDay(db: Db, { name }: EventDay): Promise<boolean> {
  return unlessLocked(db, async (tx) => {
    await tx.execute(sql`drop table event_days.${sql.identifier(name)}`);
  });
}

/** @returns false, and changes nothing, when a lock is not available at once */
async function unlessLocked(db: Db, work: (tx: Db) => Promise<void>): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = ${sql.raw(String(lockMs))}`);
      await work(tx);
    });
    return true;
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? error) as { code?: string };
    if (lockFailures.has(code)) return false;
    throw error;
  }
}
