import type Stripe from 'stripe';
import { missing } from '../http/failure.ts';
import type { Work } from '../store/work.ts';

/** Browsers access an intent by its client secret; without it the intent is answered as not found. */
export function requireSecret(
  { isBrowser }: Work,
  intent: Stripe.PaymentIntent | Stripe.SetupIntent,
  secret: string | undefined,
): void {
  if (secret === undefined ? isBrowser : secret !== intent.client_secret)
    throw missing(intent.object, intent.id, intent.object === 'payment_intent' ? 'intent' : 'setup_intent');
}
