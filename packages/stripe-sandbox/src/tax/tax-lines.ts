import type Stripe from 'stripe';
import { taxBehaviorIn } from '../catalogue/prices.ts';
import { invalid } from '../http/failure.ts';
import type { Work } from '../store/work.ts';
import { locate, unrecognized } from './locate.ts';
import { inclusiveTax, type Place, rateOf } from './rates.ts';

export type TaxedLines = { lines: Stripe.Invoice.TotalTax[][]; automaticTax: Stripe.Invoice.AutomaticTax };

/** The tax of each line of a draft. @param amounts cents of each line, less its discounts */
export async function taxLines(
  work: Work,
  { isAutomatic, customer, amounts }: { isAutomatic: boolean; customer: Stripe.Customer; amounts: number[] },
): Promise<TaxedLines> {
  const none = amounts.map(() => []);
  const off = { disabled_reason: null, enabled: false, liability: null, provider: null, status: null };
  if (!isAutomatic) return { lines: none, automaticTax: off };
  const on = { ...off, enabled: true, liability: { type: 'self' }, provider: 'stripe' };
  const { location } = await locate(work, customer);
  if (location === null) return { lines: none, automaticTax: { ...on, status: 'requires_location_inputs' } };
  return {
    lines: amounts.map((amount) => [taxOf(amount, location)]),
    automaticTax: { ...on, status: 'complete' },
  };
}

function taxOf(gross: number, place: Place): Stripe.Invoice.TotalTax {
  const { id, percentage } = rateOf(place);
  const amount = inclusiveTax(gross, percentage);
  return {
    amount,
    tax_behavior: 'inclusive',
    tax_rate_details: { tax_rate: id },
    taxability_reason: percentage === 0 ? 'not_collecting' : 'standard_rated',
    taxable_amount: percentage === 0 ? 0 : gross - amount,
    type: 'tax_rate_details',
  };
}

/** Sums by rate. */
export function sumTaxes(lines: Stripe.Invoice.TotalTax[][]): Stripe.Invoice.TotalTax[] {
  const sums = new Map<string, Stripe.Invoice.TotalTax>();
  for (const tax of lines.flat()) {
    const rate = tax.tax_rate_details?.tax_rate ?? '';
    const before = sums.get(rate);
    sums.set(rate, {
      ...tax,
      amount: (before?.amount ?? 0) + tax.amount,
      taxable_amount: (before?.taxable_amount ?? 0) + (tax.taxable_amount ?? 0),
    });
  }
  return [...sums.values()];
}

/** @throws Failure 400 when tax cannot be worked out for that customer and those prices */
export async function requireTaxable(
  work: Work,
  { customer, prices, currency }: { customer: Stripe.Customer; prices: Stripe.Price[]; currency: string },
): Promise<void> {
  await requireInclusive(work, prices, currency);
  if ((await locate(work, customer)).location === null) throw unrecognized('customer[address]');
}

/** @throws Failure 400 when tax is within one of those prices only perhaps */
export async function requireInclusive(work: Work, prices: Stripe.Price[], currency: string): Promise<void> {
  for (const price of prices)
    if ((await taxBehaviorIn(work, price, currency)) !== 'inclusive')
      throw invalid(
        `The price \`${price.id}\` does not have a \`tax_behavior\` set which is required for automatic tax computation. Please visit https://stripe.com/docs/tax/products-prices-tax-categories-tax-behavior#tax-behavior for more information.`,
      );
}
