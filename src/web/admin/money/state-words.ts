import type { EventState, PromoState, SubscriptionFilter } from '#domain/admin/rules.ts';
import type { GiftCard } from '#domain/membership/shapes.ts';

/** States as shown to operators: what `StateMark` takes. */
type Words<State extends string> = Record<State, { text: string; tone?: 'ok' | 'bad' | 'accent' }>;

export const giftCardWords: Words<GiftCard['state']> = {
  'awaiting-payment': { text: 'Not paid' },
  paid: { text: 'Paid, not sent yet', tone: 'accent' },
  sent: { text: 'Sent', tone: 'ok' },
  redeemed: { text: 'Redeemed' },
  refunded: { text: 'Refunded', tone: 'bad' },
};

export const subscriptionWords: Words<SubscriptionFilter | 'none'> = {
  none: { text: 'None' },
  active: { text: 'Active', tone: 'ok' },
  trialing: { text: 'In trial', tone: 'accent' },
  'past-due': { text: 'Payment failed', tone: 'bad' },
  confirming: { text: 'Waiting for the bank', tone: 'accent' },
  ending: { text: 'Ends', tone: 'accent' },
  ended: { text: 'Ended' },
};

export const eventWords: Words<EventState> = {
  received: { text: 'Waiting', tone: 'accent' },
  done: { text: 'Settled', tone: 'ok' },
  ignored: { text: 'Not needed' },
  failed: { text: 'Failed', tone: 'bad' },
};

export const promoWords: Words<PromoState> = {
  active: { text: 'Active', tone: 'ok' },
  expired: { text: 'Expired' },
  'used-up': { text: 'Used up', tone: 'accent' },
  ended: { text: 'Ended' },
};
