import { randomBytes } from 'node:crypto';
import type { Kind } from './documents.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const prefixes = {
  customer: 'cus',
  customer_balance_transaction: 'cbtxn',
  payment_method: 'pm',
  payment_intent: 'pi',
  setup_intent: 'seti',
  charge: 'ch',
  refund: 're',
  dispute: 'du',
  product: 'prod',
  price: 'price',
  promotion_code: 'promo',
  discount: 'di',
  subscription: 'sub',
  subscription_schedule: 'sub_sched',
  invoice: 'in',
  invoiceitem: 'ii',
  invoice_payment: 'inpay',
  'test_helpers.test_clock': 'clock',
  event: 'evt',
  coupon: undefined,
} satisfies Record<Kind, string | undefined>;

/** Random letters and digits; 24 of these 62 characters have 142 bits. */
export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`;
}

export function newIdOf(kind: Kind): string {
  const prefix = prefixes[kind];
  return prefix === undefined ? randomText(8) : newId(prefix);
}

const kinds = Object.entries(prefixes).flatMap(([kind, prefix]) =>
  prefix === undefined ? [] : [[prefix, kind as Kind] as const],
);

/** The kind of an id by its prefix; coupons have custom ids. */
export function kindOf(id: string): Kind | undefined {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  return kinds.find(([known]) => known === prefix)?.[1];
}

/** A reference is an id or an expanded object; the store has only ids. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}

export function optionalIdOf(reference: string | { id: string } | null | undefined): string | null {
  return reference === null || reference === undefined ? null : idOf(reference);
}
