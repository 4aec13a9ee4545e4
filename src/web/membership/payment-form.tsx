import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { CardNumberElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import LockKeyhole from 'lucide-react/icons/lock';
import { type FormEvent, useRef, useState } from 'react';
import type { Action, CardPaymentSettings } from '#domain/membership/shapes.ts';
import type { Period } from '#domain/membership/rules.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';
import { confirmAtBank, unconfirmed } from './bank-step.ts';
import type { CardFailure } from './card-failure.ts';
import { CardFields } from './card-fields.tsx';
import { CardForm, leaveCardFields } from './card-form.tsx';
import { payWithCard } from './subscribe-call.ts';
import { PriceSummary, usePreview } from './price-preview.tsx';
import { PromoCodeEntry, usePromoCodeEntry } from './promo-code-entry.tsx';
import { PaymentTerms } from './payment-terms.tsx';

type PaymentFormProps = {
  settings: CardPaymentSettings;
  period: Period;
  /** Undefined: the site has one. */
  currency: string | undefined;
  /** Promo code of the link that led here. */
  promoCode: string | undefined;
  /** Bank check of an earlier try that is not finished. */
  pending: Action | undefined;
  /** Call when the subscription is paid; resolves when the page’s data includes it. */
  onSubscribed: () => Promise<void>;
  /** While true, the window asks before it closes. */
  onPaying: (isPaying: boolean) => void;
};

export function PaymentForm(props: PaymentFormProps) {
  return <CardForm settings={props.settings}>{(stripe) => <Fields stripe={stripe} {...props} />}</CardForm>;
}

/** Message above the form, when it is not a card error. */
type Notice = { text: string; isOver?: boolean };

const noTrial = { isTrialUsed: false, kept: undefined as string | undefined };

function Fields(props: PaymentFormProps & { stripe: Stripe }) {
  const { stripe, settings, period, currency, promoCode, pending, onSubscribed, onPaying } = props;
  const elements = useElements();
  const promo = usePromoCodeEntry(promoCode);
  const [failure, setFailure] = useState<CardFailure>();
  const [notice, setNotice] = useState<Notice>();
  const [again, setAgain] = useState(noTrial);
  const [tries, setTries] = useState(0);
  const { preview, applied, refusal } = usePreview({
    period,
    currency,
    promoCode: promo.asked,
    withoutTrial: again.isTrialUsed,
    tries,
  });
  const [action, setAction] = useState(pending);
  const [busy, setBusy] = useState<'paying' | 'confirming'>();
  const isBusy = useRef(false);

  function clearCard(next: CardFailure | undefined): void {
    setFailure(next);
    setAgain(noTrial);
    setNotice(undefined);
  }

  /** Runs one action at a time; further presses are ignored. */
  async function once(what: typeof busy, act: () => Promise<void>): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setBusy(what);
    setFailure(undefined);
    promo.setFailure(undefined);
    await act();
    isBusy.current = false;
    setBusy(undefined);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    leaveCardFields(event);
    const card = elements?.getElement(CardNumberElement);
    if (!card) return;
    void once('paying', async () => {
      const parts = { stripe, card, settings, kept: again.kept };
      onPaying(true);
      // The old price stays until that of the new period, or with the new code, is loaded.
      const shown = preview?.period === period ? preview : undefined;
      const withCode = applied === promo.typed ? shown : undefined;
      const paid = await payWithCard(parts, {
        period,
        currency,
        promoCode: promo.typed,
        withoutTrial: again.isTrialUsed,
        amount: shown?.amount,
        firstCharge: withCode?.firstCharge.amount,
        thenAmount: withCode?.thenAmount,
      });
      onPaying(false);
      const kept = 'kept' in paid ? paid.kept : undefined;
      setAgain({ isTrialUsed: paid.kind === 'trial-used' || (again.isTrialUsed && kept !== undefined), kept });
      if (paid.kind === 'card') setFailure(paid.failure);
      if (paid.kind === 'promo-code') {
        setTries(tries + 1);
        promo.setFailure(paid.message);
      }
      setNotice(undefined);
      if (paid.kind === 'trial-used') setNotice({ text: paid.message });
      if (paid.kind === 'price-changed') {
        setTries(tries + 1);
        setNotice({ text: `${paid.message} ${t`Press Subscribe to continue.`}` });
      }
      if (paid.kind === 'already') setNotice({ text: paid.message, isOver: true });
      if (paid.kind === 'done') {
        setAction(undefined);
        await onSubscribed();
      }
    });
  }

  function confirm(waiting: Action): void {
    void once('confirming', async () => {
      onPaying(true);
      const confirmed = await confirmAtBank(settings, waiting);
      onPaying(false);
      if (confirmed.ok && confirmed.user.isSubscribed) return onSubscribed();
      setFailure(confirmed.ok ? unconfirmed() : confirmed.failure);
    });
  }

  if (notice?.isOver) {
    return (
      <div className="form">
        <Note tone="info">{notice.text}</Note>
        <Button
          variant="primary"
          size="lg"
          width="full"
          busy={busy && t`One moment…`}
          onClick={() => void once('paying', onSubscribed)}
        >
          {t`Keep listening`}
        </Button>
      </div>
    );
  }
  return (
    <form className="form" noValidate aria-label={t`Add payment method`} onSubmit={submit}>
      {action !== undefined && (
        <>
          <Note tone="info">{t`Your bank has not confirmed your card yet. Continue there, or use another card.`}</Note>
          <Button
            width="full"
            size="lg"
            busy={busy === 'confirming' ? t`Waiting for your bank…` : undefined}
            onClick={() => confirm(action)}
          >
            {t`Continue at your bank`}
          </Button>
        </>
      )}
      <CardFields failure={failure} onChange={clearCard} takesFocus />
      <PromoCodeEntry entry={promo} preview={preview} applied={applied} refusal={refusal} />
      <PriceSummary preview={preview} />
      {notice !== undefined && <Note tone="info">{notice.text}</Note>}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        width="full"
        busy={busy === 'paying' ? t`Subscribing…` : undefined}
        disabled={busy === 'confirming'}
      >
        {again.isTrialUsed ? t`Subscribe without a trial` : t`Subscribe`}
      </Button>
      <div className="modal__form m-0 text-13">
        <output className="contents">
          {busy !== undefined && (
            <p>
              <Trans>Your payment is being made. This window stays open until the payment provider has answered.</Trans>
            </p>
          )}
        </output>
        <p>
          <PaymentTerms />
        </p>
        <p className="flex items-center justify-center gap-1.5">
          <Icon of={LockKeyhole} size={16} />
          <Trans>Card details go straight to the payment provider</Trans>
        </p>
      </div>
    </form>
  );
}
