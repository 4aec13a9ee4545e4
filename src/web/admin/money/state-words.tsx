import type { EventState, PromoState, SubscriptionFilter } from '#domain/admin/rules.ts';
import type { GiftCard } from '#domain/membership/shapes.ts';

/** States as shown to operators, with the class of their mark. */
type Word = { text: string; tone: 'tone-ok' | 'tone-bad' | 'tone-accent' | '' };
type Words<State extends string> = Record<State, Word>;

export function StateWord({ text, tone }: Word) {
  return <span className={`state-mark ${tone}`}>{text}</span>;
}

export const giftCardWords: Words<GiftCard['state']> = {
  'awaiting-payment': { text: 'Not paid', tone: '' },
  paid: { text: 'Paid, not sent yet', tone: 'tone-accent' },
  sent: { text: 'Sent', tone: 'tone-ok' },
  redeemed: { text: 'Redeemed', tone: '' },
  refunded: { text: 'Refunded', tone: 'tone-bad' },
};

export const subscriptionWords: Words<SubscriptionFilter> = {
  active: { text: 'Active', tone: 'tone-ok' },
  trialing: { text: 'In trial', tone: 'tone-accent' },
  'past-due': { text: 'Payment failed', tone: 'tone-bad' },
  confirming: { text: 'Waiting for the bank', tone: 'tone-accent' },
  ending: { text: 'Ends', tone: 'tone-accent' },
  ended: { text: 'Ended', tone: '' },
};

export const eventWords: Words<EventState> = {
  received: { text: 'Waiting', tone: 'tone-accent' },
  done: { text: 'Settled', tone: 'tone-ok' },
  ignored: { text: 'Not needed', tone: '' },
  failed: { text: 'Failed', tone: 'tone-bad' },
};

export const promoWords: Words<PromoState> = {
  active: { text: 'Active', tone: 'tone-ok' },
  expired: { text: 'Expired', tone: '' },
  'used-up': { text: 'Used up', tone: 'tone-accent' },
  ended: { text: 'Ended', tone: '' },
};
