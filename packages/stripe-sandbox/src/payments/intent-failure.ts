import type Stripe from 'stripe';
import { Failure } from '../http/failure.ts';
import type { FailureType } from '../http/failure.ts';

/** The error for a failed confirmation; includes the intent, and keeps its changes if requested. */
export function intentFailure(intent: Stripe.PaymentIntent | Stripe.SetupIntent, keepsChanges = false): Failure {
  const error = intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error;
  const type: FailureType = error?.type === 'card_error' ? 'card_error' : 'invalid_request_error';
  return new Failure({
    status: 402,
    type,
    code: error?.code,
    declineCode: error?.decline_code,
    param: error?.param,
    message: error?.message ?? 'Your card was declined.',
    ...(intent.object === 'payment_intent' ? { paymentIntent: intent } : { setupIntent: intent }),
    keepsChanges,
  });
}
