import type Stripe from 'stripe';
import { invalid } from '../http/failure.ts';
import { idOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { type Place, rateOf } from './rates.ts';

/** Addresses of documentation (RFC 5737), as test addresses; all others are unknown. */
const placesOfAddresses: Readonly<Record<string, Place>> = {
  '192.0.2.1': { country: 'FR', state: null },
  '192.0.2.2': { country: 'FI', state: null },
  '192.0.2.3': { country: 'DE', state: null },
  '192.0.2.4': { country: 'GB', state: null },
  '192.0.2.5': { country: 'US', state: 'NY' },
  '192.0.2.6': { country: 'JP', state: null },
  '192.0.2.7': { country: 'CH', state: null },
};

/**
 * A customer's place for tax: billing address, then address and country of the card, then network
 * (https://docs.stripe.com/tax/customer-locations). Alone, the name of a country is no place in the United States.
 */
export async function locate(work: Work, customer: Stripe.Customer): Promise<Stripe.Customer.Tax> {
  const { hidden } = await work.store.row('customer', customer.id);
  const address = customer.address;
  const method = idOfDefault(customer);
  const card = method === undefined ? undefined : (await work.store.find('payment_method', method))?.document;
  const found =
    named('billing_address', placeOf(address?.country, address?.postal_code)) ??
    named(
      'payment_method',
      placeOf(
        card?.billing_details.address?.country ?? card?.card?.country,
        card?.billing_details.address?.postal_code,
      ),
    ) ??
    named('ip_address', placesOfAddresses[hidden.taxAddress ?? '']);
  return {
    automatic_tax:
      found === undefined ? 'unrecognized_location' : rateOf(found).percentage === 0 ? 'not_collecting' : 'supported',
    ip_address: hidden.taxAddress ?? null,
    location: found ?? null,
    provider: 'stripe',
  };
}

function idOfDefault({ invoice_settings }: Stripe.Customer): string | undefined {
  const method = invoice_settings.default_payment_method;
  return method === null ? undefined : idOf(method);
}

function named(source: Stripe.Customer.Tax.Location.Source, place: Place | undefined) {
  return place && { ...place, source };
}

/** New York is the one state that the sandbox knows. */
function placeOf(country: string | null | undefined, postalCode: string | null | undefined): Place | undefined {
  if (!country) return undefined;
  if (country !== 'US') return { country, state: null };
  return /^1[0-4]\d{3}/.test(postalCode ?? '') ? { country, state: 'NY' } : undefined;
}

export function unrecognized(parameter?: string) {
  return invalid(
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    parameter,
    'customer_tax_location_invalid',
  );
}
