import type Stripe from 'stripe';
import { missing } from '../http/failure.ts';
import type { Work } from '../store/work.ts';

/** In a browser an intent is reached by its secret; who has not got it learns not even that it is there. */
export function requireSecret(
  { isBrowser }: Work,
  intent: Stripe.PaymentIntent | Stripe.SetupIntent,
  secret: string | undefined,
): void {
  if (secret === undefined ? isBrowser : secret !== intent.client_secret)
    throw missing(intent.object, intent.id, intent.object === 'payment_intent' ? 'intent' : 'setup_intent');
}
