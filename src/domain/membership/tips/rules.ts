import { taxIn } from '../tax/rules.ts';

/** Least and most of what operators set. */
export const tipBounds = {
  /** Below it Stripe refuses charges in most currencies. */
  cents: [50, 1_000_000],
  sharePermille: [0, 500],
} as const;

export const maxTipNote = 300;

export const tipStates = ['waiting', 'paid', 'disputed', 'refunded'] as const;
export type TipState = (typeof tipStates)[number];

/** `disputed`: the bank has not decided, or has decided for the site. */
export function tipStateOf({
  paidAt,
  disputedAt,
  refundedAt,
}: Record<'paidAt' | 'disputedAt' | 'refundedAt', Date | null>): TipState {
  if (refundedAt !== null) return 'refunded';
  if (disputedAt !== null) return 'disputed';
  return paidAt === null ? 'waiting' : 'paid';
}

/** Cents of tax in a tip, and what the creator gets of the rest. @param taxPermille null: without tax */
export function partsOfTip(
  amount: number,
  { taxPermille, sharePermille }: { taxPermille: number | null; sharePermille: number },
): { tax: number; share: number; earned: number } {
  const tax = taxIn(amount, taxPermille ?? 0);
  const share = Math.round(((amount - tax) * sharePermille) / 1000);
  return { tax, share, earned: amount - tax - share };
}
