import { sql } from 'drizzle-orm';
import { payoutPayments } from '../admin/tables.ts';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import { taxSetting } from '../membership/tax/settings.ts';
import { findSetting } from '../settings/change-setting.ts';
import { paymentPayees } from '../studio/payees/tables.ts';

/** Payees of payments, of deleted accounts, after the years of the setting, as invoices. */
export async function purgePaidPayees(db: Db, signal?: AbortSignal): Promise<number> {
  const { keepYears } = (await findSetting(db, taxSetting)).value;
  const isOld = sql`${paymentPayees.userId} is null and exists (
    select from ${payoutPayments} p where p.id = ${paymentPayees.paymentId}
      and p.paid_at < now() - make_interval(years => ${keepYears}))`;
  return purgeRows(db, paymentPayees, isOld, signal);
}
