import { i18n } from '#i18n';
import type { Viewer } from '../kernel/viewer.ts';

/** May hear everything (product.md, "Who may hear what"). The server computes `isSubscribed`. */
export function isEntitled(viewer: Viewer): boolean {
  return viewer.kind === 'user' && viewer.isComplete && viewer.isSubscribed;
}

export const periods = ['month', 'year'] as const;
/** Billing period. */
export type Period = (typeof periods)[number];

/** Default access after a failed charge. */
export const defaultGraceDays = 7;

/** Least and most of what operators set. */
export const membershipBounds = {
  /** Below it Stripe refuses charges in most currencies; above it a price is a slip of the pen. */
  cents: [50, 1_000_000],
  /** In further currencies, whose units may be small. */
  furtherAmount: [50, 10_000_000],
  trialDays: [0, 365],
  graceDays: [0, 60],
} as const;

export const giftCardMonths = [1, 3, 6, 12] as const;
export type GiftCardMonths = (typeof giftCardMonths)[number];

/** Whether an operator made the gift card: nobody paid for it. */
export const isMadeGiftCard = ({ amount }: { amount: number }) => amount === 0;

/** Totals that differ between the payment provider and the site. */
export function differencesOf<Total extends { atProvider: number; here: number }>(totals: Total[]): Total[] {
  return totals.filter(({ atProvider, here }) => atProvider !== here);
}

/** States of invoices in words. */
export const invoiceStatusNames = () => ({
  paid: i18n._(/*i18n*/ { id: 'invoice.paid', message: 'Paid' }),
  open: i18n._(/*i18n*/ { id: 'invoice.open', message: 'Open' }),
  void: i18n._(/*i18n*/ { id: 'invoice.void', message: 'Void (not charged)' }),
  uncollectible: i18n._(/*i18n*/ { id: 'invoice.uncollectible', message: 'Not paid' }),
});
