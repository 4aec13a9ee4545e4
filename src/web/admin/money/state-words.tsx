import type { EventState, PromoState, SubscriptionFilter } from '#domain/admin/rules.ts';
import type { GiftCardState } from '#domain/membership/gift-cards/gift-cards.ts';

/** States as shown to operators, with the class of their mark. */
type Word = { text: string; tone: 'st--ok' | 'st--bad' | 'st--ac' | '' };
type Words<State extends string> = Record<State, Word>;

export function StateWord({ text, tone }: Word) {
  return <span className={`st ${tone}`}>{text}</span>;
}

export const giftCardWords: Words<GiftCardState> = {
  'awaiting-payment': { text: 'Not paid', tone: '' },
  paid: { text: 'Paid, not sent yet', tone: 'st--ac' },
  sent: { text: 'Sent', tone: 'st--ok' },
  redeemed: { text: 'Redeemed', tone: '' },
  refunded: { text: 'Refunded', tone: 'st--bad' },
};

export const subscriptionWords: Words<SubscriptionFilter> = {
  active: { text: 'Active', tone: 'st--ok' },
  trialing: { text: 'In trial', tone: 'st--ac' },
  'past-due': { text: 'Payment failed', tone: 'st--bad' },
  confirming: { text: 'Waiting for the bank', tone: 'st--ac' },
  ending: { text: 'Ends', tone: 'st--ac' },
  ended: { text: 'Ended', tone: '' },
};

export const eventWords: Words<EventState> = {
  received: { text: 'Waiting', tone: 'st--ac' },
  done: { text: 'Settled', tone: 'st--ok' },
  ignored: { text: 'Not needed', tone: '' },
  failed: { text: 'Failed', tone: 'st--bad' },
};

export const promoWords: Words<PromoState> = {
  active: { text: 'Active', tone: 'st--ok' },
  expired: { text: 'Expired', tone: '' },
  'used-up': { text: 'Used up', tone: 'st--ac' },
  ended: { text: 'Ended', tone: '' },
};
