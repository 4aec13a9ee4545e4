import { t } from '@lingui/core/macro';
import { href, useNavigate } from 'react-router';
import type { GiftCardForm } from '#domain/membership/forms.ts';
import { answerOf, api } from '../../api.ts';
import { giftCardDraft } from './gift-card-draft.ts';
import type { PageOffer } from '../offer.ts';
import { SinglePayment } from '../single-payments/single-payment.tsx';
import { asJson } from '../use-change.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { monthsOf } from '../wording.ts';

type GiftCardPaymentProps = {
  order: GiftCardForm;
  offer: PageOffer;
  onBack: () => void;
};

export function GiftCardPayment({ order, offer, onBack }: GiftCardPaymentProps) {
  const navigate = useNavigate();
  const amount = offer.giftCards.find(({ months }) => months === order.months)?.amount ?? 0;
  const { recipientEmail, deliverAt } = order;
  const duration = monthsOf(order.months);
  const day = deliverAt && formatDay(deliverAt);
  return (
    <SinglePayment
      offer={offer}
      price={formatMoney(amount, offer.currency)}
      text={
        day === undefined
          ? t`${duration} for ${recipientEmail}, emailed at once.`
          : t`${duration} for ${recipientEmail}, emailed on ${day}.`
      }
      begin={async () => {
        const answer = await answerOf(api['gift-cards'].$post({ json: order }));
        return answer.ok ? { ok: true, data: { ...answer.data, id: answer.data.giftCard.id } } : answer;
      }}
      findIsPaid={async (id) => {
        const known = await answerOf(api['gift-cards'][':id'].refresh.$post({ param: { id } }, asJson));
        return known.ok && known.data.giftCard.state !== 'awaiting-payment';
      }}
      onPaid={async (id) => {
        giftCardDraft.clear();
        await navigate(href('/gift-card/:id', { id }));
      }}
      onLeave={() => giftCardDraft.clear()}
      backLabel={t`Change the gift`}
      onBack={onBack}
    />
  );
}
