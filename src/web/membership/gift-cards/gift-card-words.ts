import { plural, t } from '@lingui/core/macro';
import type { GiftCard } from '#domain/membership/shapes.ts';
import type { Plain } from '../plain.ts';
import { formatDay } from '#formats/times.ts';

export const giftCardTags = (): Record<GiftCard['state'], string> => ({
  'awaiting-payment': t({ message: 'Not paid', context: 'gift card' }),
  paid: t({ message: 'Paid', context: 'gift card' }),
  sent: t({ message: 'Sent', context: 'gift card' }),
  redeemed: t({ message: 'Redeemed', context: 'gift card' }),
  refunded: t({ message: 'Refunded', context: 'gift card' }),
});

/** `3 months of unlimited listening` */
export function listeningOf(months: number): string {
  return plural(months, { one: '# month of unlimited listening', other: '# months of unlimited listening' });
}

/** Heading and text for a gift card’s state. Its buyer also sees the recipient. */
export function giftCardWords(card: Plain<GiftCard>, now: number): { title: string; text: string } {
  const { recipientEmail } = card;
  const [gift, day] = [listeningOf(card.months), formatDay(card.deliverAt)];
  switch (card.state) {
    case 'awaiting-payment':
      return {
        title: t`Waiting for the payment`,
        text: t`This gift card is not paid for yet. Nothing is emailed until it is.`,
      };
    case 'paid':
      return {
        title: t`Thank you`,
        text:
          new Date(card.deliverAt).getTime() > now
            ? recipientEmail === null
              ? t`Your gift of ${gift} is emailed on ${day}.`
              : t`Your gift of ${gift} is emailed to ${recipientEmail} on ${day}.`
            : recipientEmail === null
              ? t`Your gift of ${gift} is on its way.`
              : t`Your gift of ${gift} is on its way to ${recipientEmail}.`,
      };
    case 'sent':
      return {
        title: t`Thank you`,
        text:
          recipientEmail === null
            ? t`We emailed your gift of ${gift}. It hasn’t been redeemed yet.`
            : t`We emailed your gift of ${gift} to ${recipientEmail}. It hasn’t been redeemed yet.`,
      };
    case 'redeemed':
      return {
        title: t({ message: 'Redeemed', context: 'gift card' }),
        text: t`Your gift of ${gift} has been redeemed.`,
      };
    case 'refunded':
      return {
        title: t({ message: 'Refunded', context: 'gift card' }),
        text: t`The money was refunded, and the code no longer works.`,
      };
  }
}
