import { t } from '@lingui/core/macro';
import type { EventState, PromoState, SubscriptionFilter } from '#domain/admin/rules.ts';
import type { GiftCard } from '#domain/membership/shapes.ts';
import type { TipState } from '#domain/membership/tips/rules.ts';

/** States as shown to operators: what `StateMark` takes. */
type Words<State extends string> = () => Record<State, { text: string; tone?: 'ok' | 'bad' | 'accent' }>;

export const giftCardWords: Words<GiftCard['state']> = () => ({
  'awaiting-payment': { text: t`Not paid` },
  paid: { text: t`Paid, not sent yet`, tone: 'accent' },
  sent: { text: t`Sent`, tone: 'ok' },
  redeemed: { text: t`Redeemed` },
  refunded: { text: t`Refunded`, tone: 'bad' },
});

export const tipWords: Words<TipState> = () => ({
  waiting: { text: t`Not paid` },
  paid: { text: t`Paid`, tone: 'ok' },
  disputed: { text: t`Disputed`, tone: 'accent' },
  refunded: { text: t`Refunded`, tone: 'bad' },
});

export const subscriptionWords: Words<SubscriptionFilter | 'none'> = () => ({
  none: { text: t`None` },
  active: { text: t`Active`, tone: 'ok' },
  trialing: { text: t`In trial`, tone: 'accent' },
  paused: { text: t`Paused`, tone: 'accent' },
  'past-due': { text: t`Payment failed`, tone: 'bad' },
  confirming: { text: t`Waiting for the bank`, tone: 'accent' },
  ending: { text: t`Ends`, tone: 'accent' },
  ended: { text: t`Ended` },
});

export const eventWords: Words<EventState> = () => ({
  received: { text: t`Waiting`, tone: 'accent' },
  done: { text: t`Settled`, tone: 'ok' },
  ignored: { text: t`Not needed` },
  failed: { text: t`Failed`, tone: 'bad' },
});

export const promoWords: Words<PromoState> = () => ({
  active: { text: t`Active`, tone: 'ok' },
  expired: { text: t`Expired` },
  'used-up': { text: t`Used up`, tone: 'accent' },
  ended: { text: t`Ended` },
});
