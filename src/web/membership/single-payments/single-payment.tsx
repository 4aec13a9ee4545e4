import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useRef, useState } from 'react';
import type { Answer } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { type CardFailure, cardFailureOf } from '../card-failure.ts';
import { CardFields } from '../card-fields.tsx';
import { CardForm, useCardSubmit } from '../card-form.tsx';
import type { PageOffer } from '../offer.ts';
import { TestCards } from '../test-cards.tsx';

type SinglePaymentProps = {
  offer: Pick<PageOffer, 'payments' | 'testCards'>;
  price: string;
  /** Says what is paid for. */
  text: string;
  /** Begins the payment. `url`: page of the provider on which it is made; null: by card, here. */
  begin: () => Promise<Answer<{ id: string; clientSecret: string; url: string | null }>>;
  /** Has the site ask the provider. */
  findIsPaid: (id: string) => Promise<boolean>;
  onPaid: (id: string) => Promise<void> | void;
  /** The provider’s page opens. */
  onLeave?: () => void;
  backLabel: string;
  onBack: () => void;
};

/** A payment outside of subscriptions: by card, or on the provider’s page, which leads to that of what is paid. */
export function SinglePayment(props: SinglePaymentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { payments, testCards } = props.offer;
  return (
    <section className="mt-6" aria-label={t`Payment`}>
      <h2 ref={heading} tabIndex={-1} className="text-26">
        <Trans>Payment</Trans>
      </h2>
      <p className="mt-1 text-muted">{props.text}</p>
      {payments.form === 'card' ? (
        <>
          <TestCards cards={testCards} />
          <CardForm settings={payments}>{(stripe) => <Fields stripe={stripe} {...props} />}</CardForm>
        </>
      ) : (
        <ToProvider title={payments.title} {...props} />
      )}
    </section>
  );
}

function ToProvider({ title, price, begin, onLeave, backLabel, onBack }: SinglePaymentProps & { title: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function open(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const answer = await begin();
    if (answer.ok && answer.data.url !== null) {
      onLeave?.();
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
        {backLabel}
      </Button>
    </div>
  );
}

function Fields(props: SinglePaymentProps & { stripe: Stripe }) {
  const { stripe, price, begin, findIsPaid, onPaid, backLabel, onBack } = props;
  // Created once: after a declined card, the next one pays for the same.
  const begun = useRef<{ id: string; clientSecret: string }>(undefined);
  const { isBusy, failure, setFailure, submit } = useCardSubmit(async (card) => {
    if (begun.current === undefined) {
      const answer = await begin();
      if (!answer.ok) return cardFailureOf(answer.code, answer.message);
      begun.current = answer.data;
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
    const isPaid = await findIsPaid(id);
    if (!isPaid && refusal !== undefined) return refusal;
    await onPaid(id);
    return undefined;
  });

  return (
    <form className="form" noValidate aria-label={t`Add payment method`} onSubmit={(event) => void submit(event)}>
      <CardFields failure={failure} onChange={setFailure} />
      <Button type="submit" variant="primary" size="lg" busy={isBusy ? t`Paying…` : undefined}>
        {t`Pay ${price}`}
      </Button>
      <Button variant="ghost" disabled={isBusy} onClick={onBack}>
        {backLabel}
      </Button>
    </form>
  );
}
