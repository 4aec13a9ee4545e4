import { sql } from 'drizzle-orm';
import { writeLockedMonth } from '#domain/admin/money/payout-changes.ts';
import { payoutMonths } from '#domain/admin/tables.ts';
import { addToMonth, lockableFrom } from '#domain/admin/rules.ts';
import type { Db } from '#domain/kernel/db.ts';
import { findMembershipSettings } from '#domain/membership/settings.ts';

/** Cents to share in each of the months before this one, the latest first; null: not entered yet. */
const pools = [14_200, 12_650, 9_800];

/**
 * Gives the demo's audios seconds per day since the first of these months, if they have none yet; months before the
 * last are locked.
 * @returns the months with a pool, as `2026-10`
 */
export async function addDemoLedger(tx: Db, now: Date): Promise<string[]> {
  const current = now.toISOString().slice(0, 7);
  const first = addToMonth(current, -pools.length);
  await tx.execute(sql`
    with days as (
      select d as day from generate_series(${`${first}-01`}::timestamp, ${now.toISOString().slice(0, 10)}::timestamp, interval '1 day') d
    ),
    heard as (
      select (d.day at time zone 'UTC') as day, a.id as audio_id, a.voice_id, a.is_free,
        -- About two thirds of each play is heard, more lately, and the same at every start.
        (c.plays * a.duration_ms * 0.66 / greatest(150, now()::date - a.published_at::date)
          * (0.7 + abs(hashtext(a.slug || d.day::date::text)) % 600 / 1000.0)
          * (1 - 0.25 * (${now.toISOString()}::date - d.day::date) / 120.0))::bigint as ms
      from audios a join audio_counts c on c.audio_id = a.id cross join days d
      where a.published_at at time zone 'UTC' <= d.day and a.deleted_at is null
    )
    insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports, trial_ms, free_ms)
    select day, audio_id, voice_id, ms, greatest(1, ms / 30000), ms * 7 / 100, case when is_free then ms * 30 / 100 else 0 end
    from heard where ms > 0
    on conflict do nothing`);
  // Without statistics, the next statement would be planned for an empty table.
  await tx.execute(sql`analyze listened_seconds`);
  await addPlays(tx);
  const { currency } = await findMembershipSettings(tx);
  const months: string[] = [];
  for (const [index, pool] of pools.entries()) {
    const month = addToMonth(current, -1 - index);
    await tx.insert(payoutMonths).values({ month: `${month}-01`, pool, currency });
    months.push(month);
    const lockedAt = new Date(lockableFrom(month).getTime() + 10 * 3_600_000);
    if (index > 0) await writeLockedMonth(tx, month, lockedAt);
  }
  return months;
}

/**
 * Figures per day, matching the ledger, for audios without any (`figures.ts` makes those of one voice). Listener
 * counts are copied from that voice's days, because a sketch cannot be derived from a number.
 */
async function addPlays(tx: Db): Promise<void> {
  await tx.execute(sql`
    with sketches as materialized (
      select listeners, members, row_number() over (order by plays, audio_id, day) as rank
      from audio_days where listeners is not null and members is not null
    ),
    days as (
      select l.audio_id, (l.day at time zone 'UTC')::date as day, c.plays as total, l.milliseconds as ms,
        greatest(1, round(l.milliseconds / (a.duration_ms * 0.66)))::int as plays
      from listened_seconds l join audios a on a.id = l.audio_id join audio_counts c on c.audio_id = a.id
      where not exists (select from audio_days d where d.audio_id = l.audio_id and d.plays > 0)
    )
    insert into audio_days (audio_id, day, plays, member_plays, ends, heard_ms, plays_total, listeners, members)
    select d.audio_id, d.day, d.plays, d.plays * 2 / 3, d.plays * 2 / 5, d.ms,
      greatest(0, d.total - coalesce(sum(d.plays) over (partition by d.audio_id order by d.day desc
        rows between unbounded preceding and 1 preceding), 0)),
      s.listeners, s.members
    from days d left join sketches s on s.rank = least((select max(rank) from sketches), 1 + d.plays)
    -- Favorites have their days already.
    on conflict (audio_id, day) do update set plays = excluded.plays, member_plays = excluded.member_plays,
      ends = excluded.ends, heard_ms = excluded.heard_ms, plays_total = excluded.plays_total,
      listeners = excluded.listeners, members = excluded.members`);
  await tx.execute(sql`
    insert into voice_days (voice_id, day, plays, member_plays, ends, heard_ms, listeners, members)
    select a.voice_id, d.day, sum(d.plays), sum(d.member_plays), sum(d.ends), sum(d.heard_ms),
      (array_agg(d.listeners order by d.plays desc))[1], (array_agg(d.members order by d.plays desc))[1]
    from audio_days d join audios a on a.id = d.audio_id
    where not exists (select from voice_days v where v.voice_id = a.voice_id and v.plays > 0)
    group by a.voice_id, d.day
    on conflict (voice_id, day) do update set plays = excluded.plays, member_plays = excluded.member_plays,
      ends = excluded.ends, heard_ms = excluded.heard_ms, listeners = excluded.listeners, members = excluded.members`);
}

/** Tables of locked months with the triggers that protect them, in the order of deletion. */
const kept = [
  ['payout_statements', 'payout_statements_kept'],
  ['payout_payments', 'payout_payments_kept'],
  ['payout_corrections', 'payout_corrections_kept'],
  ['payout_earnings', 'payout_earnings_kept'],
  ['payout_splits', 'payout_splits_kept'],
  ['payout_nodes', 'payout_nodes_kept'],
  ['payout_lines', 'payout_lines_kept'],
  ['payout_amounts', 'payout_amounts_kept'],
  ['payout_shares', 'payout_shares_kept'],
  ['payout_pools', 'payout_pools_kept'],
  ['payout_months', 'payout_months_kept'],
] as const;

/** Deletes the ledger of the demo's audios, including locked months, which a trigger otherwise protects. */
export async function removeDemoLedger(tx: Db, months: string[]): Promise<void> {
  if (months.length === 0) return;
  const days = sql`any(${sql.param(months.map((month) => `${month}-01`))}::date[])`;
  for (const [table, trigger] of kept) await tx.execute(sql.raw(`alter table ${table} disable trigger ${trigger}`));
  await tx.execute(sql`
    delete from payment_payees where payment_id in (select id from payout_payments where month = ${days})`);
  for (const [table] of kept) await tx.execute(sql`delete from ${sql.raw(table)} where month = ${days}`);
  for (const [table, trigger] of kept) await tx.execute(sql.raw(`alter table ${table} enable trigger ${trigger}`));
}
