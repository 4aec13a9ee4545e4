import { Elements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { BrowserPaymentSettings } from '#domain/membership/shapes.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { CardFormWait } from './card-form-wait.tsx';
import { loadPaymentScript } from './stripe.ts';

type CardFormProps = {
  settings: BrowserPaymentSettings;
  /** Rendered once the provider’s script has loaded (spec §4, “Payment submission”). */
  children: (stripe: Stripe) => ReactNode;
};

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
        <Note tone="error">The payment form could not be loaded.</Note>
        <Button
          size="lg"
          width="full"
          onClick={() => {
            setLoaded(undefined);
            setAttempt(attempt + 1);
          }}
        >
          Try again
        </Button>
      </div>
    );
  }
  if (loaded === undefined) return <CardFormWait />;
  return <Elements stripe={loaded}>{children(loaded)}</Elements>;
}
