import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { purgeRows } from '../../kernel/purge.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { taxSetting } from './settings.ts';
import { taxDocuments } from './tables.ts';

/** Invoices of deleted accounts, after the years of the setting. */
export async function purgeDocuments(db: Db, signal?: AbortSignal): Promise<number> {
  const { keepYears } = (await findSetting(db, taxSetting)).value;
  const { userId, suppliedAt } = taxDocuments;
  const isOld = sql`${userId} is null and ${suppliedAt} < now() - make_interval(years => ${keepYears})`;
  return purgeRows(db, taxDocuments, isOld, signal, suppliedAt);
}
