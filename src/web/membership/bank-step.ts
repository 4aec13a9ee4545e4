import { t } from '@lingui/core/macro';
import type { Me } from '#domain/identity/accounts.ts';
import type { Action, CardPaymentSettings } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import { type CardFailure, cardFailureOf } from './card-failure.ts';
import { loadPaymentScript } from './stripe.ts';

export type Confirmed = { ok: true; user: Me } | { ok: false; failure: CardFailure };

/** Our text for a bank’s refusal. */
export function unconfirmed(): CardFailure {
  return cardFailureOf(
    'payment/authentication-failed',
    t`Your bank did not confirm this payment. Please try again, or use another card.`,
  );
}

/**
 * Runs the bank’s check (3-D Secure) with the provider’s script, then asks the site for the result, which also works
 * when the bank’s answer was lost.
 */
export async function confirmAtBank(settings: CardPaymentSettings, action: Action): Promise<Confirmed> {
  let bankFailure: CardFailure | undefined;
  try {
    const stripe = await loadPaymentScript(settings);
    const { error } = await (action.kind === 'setup'
      ? stripe.confirmCardSetup(action.clientSecret)
      : stripe.confirmCardPayment(action.clientSecret));
    if (error !== undefined) bankFailure = cardFailureOf(error.code, error.message);
  } catch {
    bankFailure = cardFailureOf(undefined, t`No internet connection`);
  }
  const answer = await askForState();
  if (!answer.ok) return { ok: false, failure: bankFailure ?? cardFailureOf(answer.code, answer.message) };
  if (answer.data.action === null && bankFailure === undefined) return { ok: true, user: answer.data.user };
  return { ok: false, failure: bankFailure ?? unconfirmed() };
}

/** Subscription state, as the provider reports it now. */
export function askForState() {
  return answerOf(api.user.subscription.refresh.$post({}, { headers: { 'content-type': 'application/json' } }));
}
