import { type AnyColumn, and, asc, gte, lt, ne, not, sql } from 'drizzle-orm';
import { decimalsOf } from '#formats/currency-decimals.ts';
import { csvLine } from '../../kernel/csv.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { quarterOf, shareTaxes } from './rules.ts';
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
  const { country, permille, currency, kind, taxes } = taxDocuments;
  const sumOf = (column: AnyColumn) => sql<number>`sum(${column})`.mapWith(Number);
  const countOf = (wanted: string) => sql<number>`count(*) filter (where ${kind} = ${wanted})`.mapWith(Number);
  const ofSeveral = sql`(${taxDocuments.tax} <> 0 and (
    select count(distinct split_part(one ->> 'place', '-', 1)) from jsonb_array_elements(${taxes}) one
  ) > 1)`;
  const isCounted = and(
    ne(taxDocuments.subject, 'voucher'),
    gte(taxDocuments.suppliedAt, span.from),
    lt(taxDocuments.suppliedAt, span.until),
  );
  const totals = await db
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
    .where(and(isCounted, not(ofSeveral)))
    .groupBy(country, permille, currency)
    .orderBy(asc(country), asc(permille), asc(currency));
  const several = await db
    .select(pick(taxDocuments, 'kind', 'currency', 'net', 'taxes'))
    .from(taxDocuments)
    .where(and(isCounted, ofSeveral));
  return several.length === 0 ? totals : added(totals, several.flatMap(partsOf));
}

/** A provider may charge tax of several countries on one invoice. Each has its tax, and its share of the net amount. */
function partsOf({
  kind,
  currency,
  net: whole,
  taxes,
}: Pick<typeof taxDocuments.$inferSelect, 'kind' | 'currency' | 'net' | 'taxes'>): TaxTotal[] {
  const byCountry = new Map<string, { country: string; percentage: number; amount: number }>();
  for (const { place, percentage, amount } of taxes ?? []) {
    const [country = ''] = place.split('-');
    const before = byCountry.get(country) ?? { country, percentage: 0, amount: 0 };
    const sum = { country, percentage: before.percentage + percentage, amount: before.amount + amount };
    byCountry.set(country, sum);
  }
  const own = [...byCountry.values()];
  const counts = kind === 'invoice' ? { invoices: 1, creditNotes: 0 } : { invoices: 0, creditNotes: 1 };
  return shareTaxes(own, whole).map(({ country, percentage, amount: net }) => {
    const tax = byCountry.get(country)?.amount ?? 0;
    return { country, permille: Math.round(percentage * 10), currency, ...counts, net, tax, gross: net + tax };
  });
}

function added(totals: TaxTotal[], parts: TaxTotal[]): TaxTotal[] {
  const sums = new Map<string, TaxTotal>();
  for (const one of [...totals, ...parts]) {
    const key = JSON.stringify([one.country, one.permille, one.currency]);
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...one });
    else for (const part of ['invoices', 'creditNotes', 'net', 'tax', 'gross'] as const) sum[part] += one[part];
  }
  const rank = ({ permille }: TaxTotal) => permille ?? Infinity;
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return [...sums.values()].toSorted(
    (one, other) => order(one.country, other.country) || rank(one) - rank(other) || order(one.currency, other.currency),
  );
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
