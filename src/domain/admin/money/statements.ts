import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { payoutTermSetting } from './payouts.ts';

/**
 * Gives each creator with an amount in a month that is being locked the next number of its year. Requires its shares and
 * earnings. A lock lasts until the transaction ends, so no number is left out or given twice.
 */
export async function numberStatements(tx: Db, month: string): Promise<void> {
  const [year, first] = [Number(month.slice(0, 4)), `${month}-01`];
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`statements ${year}`}))`);
  await tx.execute(sql`
    insert into payout_statements (month, voice_id, year, number)
    select ${first}::date, voice_id, ${year}::int,
      (select coalesce(max(number), 0) from payout_statements where year = ${year}::int)
        + row_number() over (order by voice_id)
    from (
      select voice_id from payout_shares where month = ${first}
      union select voice_id from payout_earnings where month = ${first}
      union select voice_id from payout_corrections where month = ${first}) creators`);
}

/** Day by which a month that is locked now is paid. */
export async function readDueOn(db: Db, now: Date): Promise<string> {
  const { days } = (await findSetting(db, payoutTermSetting)).value;
  const due = new Date(now);
  due.setUTCDate(due.getUTCDate() + days);
  return due.toISOString().slice(0, 10);
}
