import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { type ProviderName, providerNames } from '../capabilities.ts';

/** Ids that the site gives to things at a provider with its own page; those of Stripe have no such beginning. */
export function hostedId(provider: ProviderName, own: string): string {
  return `${provider}:${own}`;
}

/** The provider that has the customer, subscription, invoice, payment or promo code of that id. */
export function providerOf(id: string): ProviderName {
  const [name] = id.split(':', 1);
  return providerNames.find((one) => one === name) ?? 'stripe';
}

/** As `providerOf`, in SQL. */
export function isAtProvider(id: AnyColumn | SQL, name: ProviderName): SQL {
  const others = providerNames.filter((one) => one !== 'stripe').map((one) => `${one}:%`);
  return name === 'stripe' ? sql`${id} not like all (${sql.param(others)}::text[])` : sql`${id} like ${`${name}:%`}`;
}

/** The part that `hostedId` was given. */
export function ownPart(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}
