import type { GiftCard } from '#domain/membership/shapes.ts';
import type { Plain } from '../plain.ts';
import { formatDay } from '#formats/times.ts';
import { monthsOf } from '../wording.ts';

export const giftCardTags: Record<GiftCard['state'], string> = {
  'awaiting-payment': 'Not paid',
  paid: 'Paid',
  sent: 'Sent',
  redeemed: 'Redeemed',
  refunded: 'Refunded',
};

/** Heading and text for a gift card’s state. Its buyer also sees the recipient. */
export function giftCardWords(card: Plain<GiftCard>, now: number): { title: string; text: string } {
  const gift = `${monthsOf(card.months)} of unlimited listening`;
  const to = card.recipientEmail === null ? '' : ` to ${card.recipientEmail}`;
  switch (card.state) {
    case 'awaiting-payment':
      return {
        title: 'Waiting for the payment',
        text: 'This gift card is not paid for yet. Nothing is emailed until it is.',
      };
    case 'paid':
      return {
        title: 'Thank you',
        text:
          new Date(card.deliverAt).getTime() > now
            ? `Your gift of ${gift} is emailed${to} on ${formatDay(card.deliverAt)}.`
            : `Your gift of ${gift} is on its way${to}.`,
      };
    case 'sent':
      return { title: 'Thank you', text: `We emailed your gift of ${gift}${to}. It hasn’t been redeemed yet.` };
    case 'redeemed':
      return { title: 'Redeemed', text: `Your gift of ${gift} has been redeemed.` };
    case 'refunded':
      return { title: 'Refunded', text: 'The money was refunded, and the code no longer works.' };
  }
}
