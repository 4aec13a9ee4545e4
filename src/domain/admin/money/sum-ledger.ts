import { sql } from 'drizzle-orm';
import { type Db, allowLongStatements } from '../../kernel/db.ts';

const maxChanges = 50_000;

/**
 * Adds the changes of the ledger, which a trigger notes, to the sums of open months per creator and audio, for payouts.
 * A reader sees each change once: in the notes until they are taken, from then on in the sums.
 */
export async function sumLedger(db: Db, signal?: AbortSignal): Promise<{ summedChanges: number }> {
  await forgetLockedMonths(db);
  let summedChanges = 0;
  for (;;) {
    signal?.throwIfAborted();
    const taken = await sumSome(db);
    summedChanges += taken;
    if (taken < maxChanges) return { summedChanges };
  }
}

/** Locked months have their shares. */
async function forgetLockedMonths(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await allowLongStatements(tx);
    await tx.execute(sql`
      delete from summed_months s using payout_months m where m.month = s.month and m.locked_at is not null`);
    await tx.execute(sql`
      delete from late_seconds l using payout_months m
      where m.locked_at is not null and l.day >= m.month::timestamp at time zone 'UTC'
        and l.day < (m.month + interval '1 month') at time zone 'UTC'`);
  });
}

/** @returns how many changes it has added */
async function sumSome(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    // The number of a creator's audios comes from the sums before, which two jobs at once would not see.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sum-ledger'))`);
    const { rows } = await tx.execute<{ taken: number }>(sql`
      with taken as (
        delete from late_seconds
        where ctid = any (array(select ctid from late_seconds order by day limit ${maxChanges}))
        returning *
      ),
      changes as materialized (
        select date_trunc('month', day at time zone 'UTC')::date as month, voice_id, audio_id,
          sum(milliseconds) as milliseconds, sum(free_ms) as free_ms, sum(trial_ms) as trial_ms
        from taken group by 1, 2, 3
      ),
      months as (
        insert into summed_months
        select distinct month, (month + interval '1 month') at time zone 'UTC' from changes on conflict do nothing
      ),
      before as (
        select s.* from changes c cross join lateral (
          select * from summed_audio_seconds
          where month = c.month and voice_id = c.voice_id and audio_id = c.audio_id offset 0) s
      ),
      after as (
        insert into summed_audio_seconds as s select * from changes
        on conflict (month, voice_id, audio_id) do update set milliseconds = s.milliseconds + excluded.milliseconds,
          free_ms = s.free_ms + excluded.free_ms, trial_ms = s.trial_ms + excluded.trial_ms
        returning *
      ),
      versions as (select 1 as sign, * from after union all select -1, * from before),
      voices as (
        insert into summed_voice_seconds as s
        select month, voice_id, sum(sign * milliseconds), sum(sign * free_ms), sum(sign * trial_ms),
          sum(sign * (milliseconds > free_ms)::int), sum(sign * (milliseconds > free_ms + trial_ms)::int)
        from versions group by month, voice_id
        on conflict (month, voice_id) do update set milliseconds = s.milliseconds + excluded.milliseconds,
          free_ms = s.free_ms + excluded.free_ms, trial_ms = s.trial_ms + excluded.trial_ms,
          audios = s.audios + excluded.audios, audios_without_trials = s.audios_without_trials + excluded.audios_without_trials
      )
      select count(*)::int as taken from taken`);
    return rows[0]?.taken ?? 0;
  });
}
