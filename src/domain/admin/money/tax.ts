import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { type TaxTotal, sumTax, taxCsv } from '../../membership/tax/report.ts';
import { administratorsOnly } from '../administrators-only.ts';

/** @param quarter such as `2026-Q4`. @returns undefined for another text */
export async function findTax(db: Db, actor: Actor, quarter: string): Promise<TaxTotal[] | undefined> {
  administratorsOnly(actor);
  return sumTax(db, quarter);
}

/** The same as CSV, with a line for each country, rate and currency. */
export async function exportTax(db: Db, actor: Actor, quarter: string): Promise<string | undefined> {
  const totals = await findTax(db, actor, quarter);
  return totals && taxCsv(quarter, totals);
}
