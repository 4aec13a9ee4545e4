import { t } from '@lingui/core/macro';
import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import { useRevalidator } from 'react-router';
import type { CardPaymentSettings } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { confirmAtBank } from './bank-step.ts';
import { type CardFailure, cardFailureOf } from './card-failure.ts';
import { CardFields } from './card-fields.tsx';
import { CardForm, useCardSubmit } from './card-form.tsx';
import type { CardOffer, PageOffer } from './offer.ts';
import { TestCards } from './test-cards.tsx';
import { asJson } from './use-change.ts';

type CardChangeFormProps = { offer: PageOffer & CardOffer; onDone: () => void };

export function CardChangeForm({ offer, onDone }: CardChangeFormProps) {
  return (
    <>
      <TestCards cards={offer.testCards} />
      <CardForm settings={offer.cardPayments}>
        {(stripe) => <Fields stripe={stripe} settings={offer.cardPayments} onDone={onDone} />}
      </CardForm>
    </>
  );
}

type FieldsProps = { stripe: Stripe; settings: CardPaymentSettings; onDone: () => void };

function Fields({ stripe, settings, onDone }: FieldsProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const { isBusy, failure, setFailure, submit } = useCardSubmit(async (card) => {
    const refusal = await changeCard(stripe, card, settings);
    // The new card may have paid an open invoice, or failed to.
    await revalidate();
    if (refusal !== undefined) return refusal;
    showToast({ text: t`Your card is saved`, kind: 'subscription' });
    onDone();
    return undefined;
  });

  return (
    <form className="form" noValidate aria-label={t`Use another card`} onSubmit={(event) => void submit(event)}>
      <CardFields failure={failure} onChange={setFailure} takesFocus />
      <Button type="submit" variant="primary" size="lg" width="full" busy={isBusy ? t`Saving…` : undefined}>
        {t`Save card`}
      </Button>
    </form>
  );
}

/**
 * Creates the card at the provider, with the bank’s check if required; then the site saves it.
 * @returns the error, if any
 */
async function changeCard(
  stripe: Stripe,
  card: StripeCardNumberElement,
  settings: CardPaymentSettings,
): Promise<CardFailure | undefined> {
  const begun = await answerOf(api.user.subscription.card.$post({}, asJson));
  if (!begun.ok) return cardFailureOf(begun.code, begun.message);
  const { setupId, clientSecret } = begun.data;
  try {
    const { error } = await stripe.confirmCardSetup(clientSecret, { payment_method: { card } });
    if (error !== undefined) return cardFailureOf(error.code, error.message);
  } catch {
    return cardFailureOf(undefined, t`No internet connection`);
  }
  const taken = await answerOf(api.user.subscription.card.$put({ json: { setupId } }));
  if (!taken.ok) return cardFailureOf(taken.code, taken.message);
  if (taken.data.action === null) return undefined;
  const confirmed = await confirmAtBank(settings, taken.data.action);
  return confirmed.ok ? undefined : confirmed.failure;
}
