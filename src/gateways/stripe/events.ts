import type Stripe from 'stripe';
import type { Events, PaymentEvent } from '#domain/membership/payment-provider.ts';
import { dateOf, idOf } from './client.ts';

const toleranceSeconds = 5 * 60;

/** @param secret of the webhook, as Stripe shows it to the operator */
export function readEvents(client: Stripe, secret: string): Events['readEvents'] {
  return async ({ body, header }) => {
    const signature = header('stripe-signature');
    if (signature === undefined || !isSigned(client, body, signature, secret)) return undefined;
    // A signed body that is not an event is a fault of Stripe, not a forgery.
    return [toEvent(client.webhooks.constructEvent(body, signature, secret, toleranceSeconds))];
  };
}

/** The SDK throws errors of several kinds for headers it cannot read, such as `t=1,v1=`. */
function isSigned(client: Stripe, body: string, signature: string, secret: string): boolean {
  try {
    return client.webhooks.signature?.verifyHeader(body, signature, secret, toleranceSeconds) === true;
  } catch {
    return false;
  }
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
