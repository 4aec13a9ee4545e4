import Stripe from 'stripe';
import type { PaymentEvent, PaymentProvider } from '#domain/membership/payment-provider.ts';
import { dateOf, idOf } from './client.ts';

const toleranceSeconds = 5 * 60;

/** @param secret of the webhook, as Stripe shows it to the operator */
export function readEvents(client: Stripe, secret: string): PaymentProvider['readEvent'] {
  return (body, header) => {
    const signature = header('stripe-signature');
    if (signature === undefined) return undefined;
    try {
      return toEvent(client.webhooks.constructEvent(body, signature, secret, toleranceSeconds));
    } catch (error) {
      // What is signed and yet no event is Stripe's fault, not a forgery.
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
      throw error;
    }
  };
}

type Subject = {
  object?: string;
  id?: string;
  customer?: string | { id: string } | null;
  payment_intent?: string | { id: string } | null;
};

function toEvent(event: Stripe.Event): PaymentEvent {
  const subject = event.data.object as Subject;
  return {
    id: event.id,
    type: event.type,
    createdAt: dateOf(event.created),
    customerId: subject.object === 'customer' ? subject.id : idOf(subject.customer),
    paymentId: subject.object === 'payment_intent' ? subject.id : idOf(subject.payment_intent),
  };
}
