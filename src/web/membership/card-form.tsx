import { t } from '@lingui/core/macro';
import { CardNumberElement, Elements, useElements } from '@stripe/react-stripe-js';
import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { CardPaymentSettings } from '#domain/membership/shapes.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import type { CardFailure } from './card-failure.ts';
import { CardFormWait } from './card-form-wait.tsx';
import { loadPaymentScript } from './stripe.ts';

type CardFormProps = {
  settings: CardPaymentSettings;
  /** Rendered once the provider’s script has loaded (spec §4, “Payment submission”). */
  children: (stripe: Stripe) => ReactNode;
};

/** Runs one submission at a time. @param act gets the card field; returns the error, if any */
export function useCardSubmit(act: (card: StripeCardNumberElement) => Promise<CardFailure | undefined>) {
  const elements = useElements();
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<CardFailure>();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    leaveCardFields(event);
    const card = elements?.getElement(CardNumberElement);
    if (!card || isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    setFailure(undefined);
    const refusal = await act(card);
    isRunning.current = false;
    setIsBusy(false);
    setFailure(refusal);
  }

  return { isBusy, failure, setFailure, submit };
}

/**
 * Leaves the card fields for the button. Pasting a complete number over another fires no change event in the provider's
 * fields; only their focus event shows that there may be another card.
 */
export function leaveCardFields({ nativeEvent }: FormEvent): void {
  const { submitter } = nativeEvent as SubmitEvent;
  submitter?.focus();
}

/** Loads Stripe.js and provides it to a form with card fields. */
export function CardForm({ settings, children }: CardFormProps) {
  const [loaded, setLoaded] = useState<Stripe | 'failed'>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    loadPaymentScript(settings).then(
      (stripe) => isCurrent && setLoaded(stripe),
      () => isCurrent && setLoaded('failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [settings, attempt]);

  if (loaded === 'failed') {
    return (
      <div className="form">
        <Note tone="error">{t`The payment form could not be loaded.`}</Note>
        <Button
          size="lg"
          width="full"
          onClick={() => {
            setLoaded(undefined);
            setAttempt(attempt + 1);
          }}
        >
          {t`Try again`}
        </Button>
      </div>
    );
  }
  if (loaded === undefined) return <CardFormWait />;
  return <Elements stripe={loaded}>{children(loaded)}</Elements>;
}
