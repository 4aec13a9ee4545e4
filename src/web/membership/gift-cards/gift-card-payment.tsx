import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import type { GiftCardForm } from '#domain/membership/forms.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { type CardFailure, cardFailureOf } from '../card-failure.ts';
import { CardFields } from '../card-fields.tsx';
import { CardForm, useCardSubmit } from '../card-form.tsx';
import { giftCardDraft } from './gift-card-draft.ts';
import type { PageOffer } from '../offer.ts';
import { TestCards } from '../test-cards.tsx';
import { asJson } from '../use-change.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { monthsOf } from '../wording.ts';

type GiftCardPaymentProps = {
  order: GiftCardForm;
  offer: PageOffer;
  onBack: () => void;
};

export function GiftCardPayment(props: GiftCardPaymentProps) {
  const { order, offer } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const amount = offer.giftCards.find(({ months }) => months === order.months)?.amount ?? 0;
  useEffect(() => heading.current?.focus(), []);
  const { recipientEmail, deliverAt } = order;
  const duration = monthsOf(order.months);
  const day = deliverAt && formatDay(deliverAt);
  const { payments } = offer;
  const price = formatMoney(amount, offer.currency);
  return (
    <section className="mt-6" aria-label={t`Payment`}>
      <h2 ref={heading} tabIndex={-1} className="text-26">
        <Trans>Payment</Trans>
      </h2>
      <p className="mt-1 text-muted">
        {day === undefined
          ? t`${duration} for ${recipientEmail}, emailed at once.`
          : t`${duration} for ${recipientEmail}, emailed on ${day}.`}
      </p>
      {payments.form === 'card' ? (
        <>
          <TestCards cards={offer.testCards} />
          <CardForm settings={payments}>{(stripe) => <Fields stripe={stripe} price={price} {...props} />}</CardForm>
        </>
      ) : (
        <ToProvider title={payments.title} price={price} {...props} />
      )}
    </section>
  );
}

/** The gift is paid on the provider’s page, which leads to the gift’s own. */
function ToProvider({ title, price, order, onBack }: GiftCardPaymentProps & { title: string; price: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function open(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const answer = await answerOf(api['gift-cards'].$post({ json: order }));
    if (answer.ok && answer.data.url !== null) {
      giftCardDraft.clear();
      location.assign(answer.data.url);
      return;
    }
    setIsBusy(false);
    setFailure(answer.ok ? t`Something went wrong. Please try again.` : answer.message);
  }
  return (
    <div className="form">
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <p className="text-muted">{t`You pay ${price} on ${title}’s page and come back here.`}</p>
      <Button variant="primary" size="lg" busy={isBusy ? t`Opening ${title}` : undefined} onClick={() => void open()}>
        {t`Continue to ${title}`}
      </Button>
      <Button variant="ghost" disabled={isBusy} onClick={onBack}>
        {t`Change the gift`}
      </Button>
    </div>
  );
}

function Fields({ stripe, price, order, onBack }: GiftCardPaymentProps & { stripe: Stripe; price: string }) {
  const navigate = useNavigate();
  // Created once: after a declined card, the next one pays for the same gift.
  const begun = useRef<{ id: string; clientSecret: string }>(undefined);
  const { isBusy, failure, setFailure, submit } = useCardSubmit(async (card) => {
    if (begun.current === undefined) {
      const answer = await answerOf(api['gift-cards'].$post({ json: order }));
      if (!answer.ok) return cardFailureOf(answer.code, answer.message);
      begun.current = { id: answer.data.giftCard.id, clientSecret: answer.data.clientSecret };
    }
    const { id, clientSecret } = begun.current;
    let refusal: CardFailure | undefined;
    try {
      const { error } = await stripe.confirmCardPayment(clientSecret, { payment_method: { card } });
      refusal = error && cardFailureOf(error.code, error.message);
    } catch {
      refusal = cardFailureOf(undefined, t`No internet connection`);
    }
    // The payment may have succeeded although the answer was lost.
    const known = await answerOf(api['gift-cards'][':id'].refresh.$post({ param: { id } }, asJson));
    const isPaid = known.ok && known.data.giftCard.state !== 'awaiting-payment';
    if (!isPaid && refusal !== undefined) return refusal;
    giftCardDraft.clear();
    await navigate(href('/gift-card/:id', { id }));
    return undefined;
  });

  return (
    <form className="form" noValidate aria-label={t`Add payment method`} onSubmit={(event) => void submit(event)}>
      <CardFields failure={failure} onChange={setFailure} />
      <Button type="submit" variant="primary" size="lg" busy={isBusy ? t`Paying…` : undefined}>
        {t`Pay ${price}`}
      </Button>
      <Button variant="ghost" disabled={isBusy} onClick={onBack}>
        {t`Change the gift`}
      </Button>
    </form>
  );
}
