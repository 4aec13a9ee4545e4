import type Stripe from 'stripe';
import { missing } from '../http/failure.ts';

/** Places in which this account collects tax. Not kept up to date: the sandbox's rates are examples. */
const registrations: Readonly<Record<string, { percentage: number; name: string; type: Stripe.TaxRate.TaxType }>> = {
  AT: { percentage: 20, name: 'VAT', type: 'vat' },
  DE: { percentage: 19, name: 'VAT', type: 'vat' },
  ES: { percentage: 21, name: 'VAT', type: 'vat' },
  FI: { percentage: 25.5, name: 'VAT', type: 'vat' },
  FR: { percentage: 20, name: 'VAT', type: 'vat' },
  GB: { percentage: 20, name: 'VAT', type: 'vat' },
  IE: { percentage: 23, name: 'VAT', type: 'vat' },
  JP: { percentage: 10, name: 'JCT', type: 'jct' },
  US_NY: { percentage: 8.875, name: 'Sales Tax', type: 'sales_tax' },
};

export type Place = { country: string; state: string | null };

const prefix = 'txr_sandbox';

/** Tax of a place; 0% where the account is not registered. */
export function rateOf({ country, state }: Place): Stripe.TaxRate {
  const found = registrations[state === null ? country : `${country}_${state}`];
  const name = found?.name ?? 'VAT';
  return {
    id: [prefix, country, ...(state === null ? [] : [state])].join('_'),
    object: 'tax_rate',
    active: false,
    country,
    created: 0,
    description: `${name} ${country}`,
    display_name: name,
    effective_percentage: found?.percentage ?? 0,
    flat_amount: null,
    inclusive: true,
    jurisdiction: state ?? country,
    jurisdiction_level: state === null ? 'country' : 'state',
    livemode: false,
    metadata: null,
    percentage: found?.percentage ?? 0,
    rate_type: 'percentage',
    state,
    tax_type: found?.type ?? 'vat',
  };
}

/** @throws Failure 404 */
export function findRate(id: string): Stripe.TaxRate {
  const [, country, state = null] = /^txr_sandbox_([A-Z]{2})(?:_([A-Z]{2}))?$/.exec(id) ?? [];
  if (country === undefined) throw missing('tax_rate' as never, id, 'tax_rate');
  return rateOf({ country, state });
}

/** Cents within an amount. Stripe rounds the tax, and not the net amount. */
export function inclusiveTax(amount: number, percentage: number): number {
  const tax = Math.round((Math.abs(amount) * percentage) / (100 + percentage));
  return amount < 0 && tax !== 0 ? -tax : tax;
}
