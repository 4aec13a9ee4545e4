import { type AnyColumn, and, asc, gte, lt, ne, sql } from 'drizzle-orm';
import { decimalsOf } from '#formats/currency-decimals.ts';
import { csvLine } from '../../kernel/csv.ts';
import type { Db } from '../../kernel/db.ts';
import { quarterOf } from './rules.ts';
import { taxDocuments } from './tables.ts';

export type TaxTotal = {
  country: string;
  permille: number | null;
  currency: string;
  invoices: number;
  creditNotes: number;
  net: number;
  tax: number;
  gross: number;
};

/**
 * A quarter's invoices less its credit notes, by country, rate and currency, as the one-stop shop asks for them. Gift
 * cards count when they are redeemed. Refunds
 * count in the quarter in which they were made.
 * @param quarter such as `2026-Q4` (UTC). @returns undefined for another text
 */
export async function sumTax(db: Db, quarter: string): Promise<TaxTotal[] | undefined> {
  const span = quarterOf(quarter);
  if (span === undefined) return undefined;
  const { country, permille, currency, kind } = taxDocuments;
  const sumOf = (column: AnyColumn) => sql<number>`sum(${column})`.mapWith(Number);
  const countOf = (wanted: string) => sql<number>`count(*) filter (where ${kind} = ${wanted})`.mapWith(Number);
  return db
    .select({
      country,
      permille,
      currency,
      invoices: countOf('invoice'),
      creditNotes: countOf('credit-note'),
      net: sumOf(taxDocuments.net),
      tax: sumOf(taxDocuments.tax),
      gross: sumOf(taxDocuments.gross),
    })
    .from(taxDocuments)
    .where(
      and(
        ne(taxDocuments.subject, 'voucher'),
        gte(taxDocuments.suppliedAt, span.from),
        lt(taxDocuments.suppliedAt, span.until),
      ),
    )
    .groupBy(country, permille, currency)
    .orderBy(asc(country), asc(permille), asc(currency));
}

export function taxCsv(quarter: string, totals: TaxTotal[]): string {
  const head = ['Quarter', 'Country', 'Rate (%)', 'Currency', 'Invoices', 'Credit notes', 'Net', 'Tax', 'Gross'];
  return [
    head,
    ...totals.map(({ country, permille, currency, invoices, creditNotes, ...amounts }) => {
      const money = (units: number) => {
        const digits = decimalsOf(currency);
        return Number((units / 10 ** digits).toFixed(digits));
      };
      const { net, tax, gross } = amounts;
      const rate = permille === null ? null : String(permille / 10);
      const counts = [invoices, creditNotes];
      return [quarter, country, rate, currency.toUpperCase(), ...counts, money(net), money(tax), money(gross)];
    }),
  ]
    .map(csvLine)
    .join('');
}
