import { type AnyColumn, type SQL, eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isOfOneStopShop } from './rules.ts';
import type { TaxSettings } from './settings.ts';
import type { TaxDocument } from './shapes.ts';
import type { taxDocuments } from './tables.ts';

/** A document before it has its number. */
export type NewDocument = Omit<typeof taxDocuments.$inferInsert, 'number'>;

/** @param of one user; undefined: all */
export type Issuing = { tx: Db; of: string | undefined; settings: TaxSettings; now: Date };

/** As the settings are on that day. @param tax cents, and whose */
export function sellerOf(
  { seller, note, oneStopShop }: TaxSettings,
  country: string,
  tax: number,
): TaxDocument['seller'] {
  const { country: home, ...facts } = seller;
  const isShop = oneStopShop && tax > 0 && isOfOneStopShop(country, home);
  return { ...facts, ...(note !== '' && { note }), ...(isShop && { oneStopShop: true }) };
}

export const atOnce = 100;

export function ofUser(column: AnyColumn, of: string | undefined): SQL {
  return of === undefined ? sql`true` : eq(column, of);
}
