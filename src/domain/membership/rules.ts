import type { Viewer } from '../identity/rules.ts';

/** May hear everything (product.md, "Who may hear what"). `isSubscribed` is worked out on the server, never sent by a client. */
export function isEntitled(viewer: Viewer): boolean {
  return viewer.kind === 'user' && viewer.isComplete && viewer.isSubscribed;
}

export const periods = ['month', 'year'] as const;
/** How often a subscription is charged. */
export type Period = (typeof periods)[number];

/** A subscription whose last charge failed is usable for so long, counted from the invoice. */
export const graceDays = 7;

export const giftCardMonths = [1, 3, 6, 12] as const;
export type GiftCardMonths = (typeof giftCardMonths)[number];

/** Of a sandbox: a number, and what comes of it. */
export type TestCard = { number: string; says: string };

/** What the browser must know of the payment provider. */
export type BrowserPaymentSettings = {
  provider: 'stripe';
  publishableKey: string;
  /** Script that defines the provider's elements, of this site; null: the provider's own, from its own host. */
  scriptSrc: string | null;
  /** No real money: the form says so, and lists the test cards. */
  isSandbox: boolean;
};
