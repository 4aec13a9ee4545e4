import type { EventState, PromoState, SubscriptionFilter } from '#domain/admin/rules.ts';
import type { GiftCardState } from '#domain/membership/gift-cards/gift-cards.ts';

/** States as shown to operators, with the class of their mark. */
type Word = { text: string; tone: 'state-mark--ok' | 'state-mark--bad' | 'state-mark--accent' | '' };
type Words<State extends string> = Record<State, Word>;

export function StateWord({ text, tone }: Word) {
  return <span className={`state-mark ${tone}`}>{text}</span>;
}

export const giftCardWords: Words<GiftCardState> = {
  'awaiting-payment': { text: 'Not paid', tone: '' },
  paid: { text: 'Paid, not sent yet', tone: 'state-mark--accent' },
  sent: { text: 'Sent', tone: 'state-mark--ok' },
  redeemed: { text: 'Redeemed', tone: '' },
  refunded: { text: 'Refunded', tone: 'state-mark--bad' },
};

export const subscriptionWords: Words<SubscriptionFilter> = {
  active: { text: 'Active', tone: 'state-mark--ok' },
  trialing: { text: 'In trial', tone: 'state-mark--accent' },
  'past-due': { text: 'Payment failed', tone: 'state-mark--bad' },
  confirming: { text: 'Waiting for the bank', tone: 'state-mark--accent' },
  ending: { text: 'Ends', tone: 'state-mark--accent' },
  ended: { text: 'Ended', tone: '' },
};

export const eventWords: Words<EventState> = {
  received: { text: 'Waiting', tone: 'state-mark--accent' },
  done: { text: 'Settled', tone: 'state-mark--ok' },
  ignored: { text: 'Not needed', tone: '' },
  failed: { text: 'Failed', tone: 'state-mark--bad' },
};

export const promoWords: Words<PromoState> = {
  active: { text: 'Active', tone: 'state-mark--ok' },
  expired: { text: 'Expired', tone: '' },
  'used-up': { text: 'Used up', tone: 'state-mark--accent' },
  ended: { text: 'Ended', tone: '' },
};
