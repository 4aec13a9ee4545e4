import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { isVatId, plainVatId } from './rules.ts';
import { taxSetting } from './settings.ts';
import { buyerTaxFacts, taxDocuments } from './tables.ts';

export async function findVatId(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ vatId: buyerTaxFacts.vatId })
    .from(buyerTaxFacts)
    .where(eq(buyerTaxFacts.userId, userId));
  return row?.vatId ?? null;
}

/**
 * Printed on invoices from now on. Tax is charged nevertheless: only the form is known, not whose it is.
 * @param vatId null removes it. @returns false for one that has no country's form
 */
export async function setVatId(db: Db, userId: string, vatId: string | null): Promise<boolean> {
  const plain = vatId === null ? null : plainVatId(vatId);
  if (plain !== null && !isVatId(plain)) return false;
  await db
    .insert(buyerTaxFacts)
    .values({ userId, vatId: plain })
    .onConflictDoUpdate({ target: buyerTaxFacts.userId, set: { vatId: plain } });
  return true;
}

/** The network's country when a subscription is ordered: evidence for its payments. @param region such as `FR` or `US-TX` */
export async function noteRegion(db: Db, userId: string, region: string | undefined): Promise<void> {
  if (region === undefined) return;
  const country = region.slice(0, 2);
  await db
    .insert(buyerTaxFacts)
    .values({ userId, region: country, regionAt: sql`now()` })
    .onConflictDoUpdate({ target: buyerTaxFacts.userId, set: { region: country, regionAt: sql`now()` } });
}

/** Years for which the user's invoices stay when the account is deleted; null: there are none. */
export async function findKeptYears(db: Db, userId: string): Promise<number | null> {
  if ((await db.$count(taxDocuments, eq(taxDocuments.userId, userId))) === 0) return null;
  return (await findSetting(db, taxSetting)).value.keepYears;
}
