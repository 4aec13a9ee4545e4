import { sql } from 'drizzle-orm';
import { allowLongStatements } from '../kernel/db.ts';
import type { Db } from '../kernel/db.ts';
import { addToMonth } from './rules.ts';

/**
 * Keeps the sums of open months per creator and audio, for payouts. A day is summed an hour after its end, when every
 * transaction that wrote it without noting it as late has ended: the limits of sessions are seconds.
 */
export async function sumLedger(
  db: Db,
  signal?: AbortSignal,
  now: Date = new Date(),
): Promise<{ summedMonths: number }> {
  const over = new Date(now.getTime() - 60 * 60_000).toISOString().slice(0, 10);
  const { rows } = await db.execute<{ month: string }>(sql`
    with recursive heard as (
      (select to_char(day at time zone 'UTC', 'YYYY-MM') as month from listened_seconds order by day desc limit 1)
      union all
      select (select to_char(l.day at time zone 'UTC', 'YYYY-MM') from listened_seconds l
        where l.day < (heard.month || '-01')::timestamp at time zone 'UTC' order by l.day desc limit 1)
      from heard where heard.month is not null
    )
    select month from heard where month is not null
    union select to_char(month, 'YYYY-MM') from summed_months
    except select to_char(month, 'YYYY-MM') from payout_months where locked_at is not null
    order by month desc`);
  for (const { month } of rows) {
    signal?.throwIfAborted();
    const end = `${addToMonth(month, 1)}-01`;
    await sumMonth(db, { first: `${month}-01`, until: over < end ? over : end });
  }
  // Locked months have their shares.
  await db.execute(sql`
    delete from summed_months s using payout_months m where m.month = s.month and m.locked_at is not null`);
  await db.execute(sql`
    delete from late_seconds l using payout_months m
    where m.locked_at is not null and l.day >= m.month::timestamp at time zone 'UTC'
      and l.day < (m.month + interval '1 month') at time zone 'UTC'`);
  return { summedMonths: rows.length };
}

/** @param first the month's first day; days before `until` are over */
async function sumMonth(db: Db, { first, until }: { first: string; until: string }): Promise<void> {
  if (until <= first) return;
  const start = sql`${first}::timestamp at time zone 'UTC'`;
  const end = sql`${until}::timestamp at time zone 'UTC'`;
  const columns = sql`voice_id, audio_id, milliseconds, free_ms, trial_ms`;
  await db.transaction(
    async (tx) => {
      await allowLongStatements(tx);
      const { rows } = await tx.execute<{ before: string | null; late: boolean }>(sql`
        select (select summed_until::text from summed_months where month = ${first}) as before,
          exists (select from late_seconds where day >= ${start} and day < ${end}) as late`);
      const before = sql`coalesce(${rows[0]?.before ?? null}::timestamptz, ${start})`;
      const { rowCount } = await tx.execute(sql`
        insert into summed_months as s values (${first}, ${end})
        on conflict (month) do update set summed_until = excluded.summed_until where s.summed_until < excluded.summed_until`);
      if (rowCount === 0 && rows[0]?.late !== true) return;
      await tx.execute(sql`
        insert into summed_audio_seconds as s
        select ${first}, voice_id, audio_id, sum(milliseconds), sum(free_ms), sum(trial_ms) from (
          select ${columns} from listened_seconds where day >= ${before} and day < ${end}
          union all select ${columns} from late_seconds where day >= ${start} and day < ${before}) seconds
        group by voice_id, audio_id
        on conflict (month, voice_id, audio_id) do update set milliseconds = s.milliseconds + excluded.milliseconds,
          free_ms = s.free_ms + excluded.free_ms, trial_ms = s.trial_ms + excluded.trial_ms`);
      // Those of days that were summed just now are in the ledger that was read.
      await tx.execute(sql`delete from late_seconds where day >= ${start} and day < ${end}`);
      await tx.execute(sql`delete from summed_voice_seconds where month = ${first}`);
      await tx.execute(sql`
        insert into summed_voice_seconds
        select month, voice_id, sum(milliseconds), sum(free_ms), sum(trial_ms),
          count(*) filter (where milliseconds > free_ms), count(*) filter (where milliseconds > free_ms + trial_ms)
        from summed_audio_seconds where month = ${first} group by month, voice_id`);
    },
    // In one snapshot, a late change is seen in both places or in none.
    { isolationLevel: 'repeatable read' },
  );
}
