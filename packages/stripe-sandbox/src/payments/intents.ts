import type Stripe from 'stripe';
import { z } from 'zod';
import { createCard, findPaymentMethod } from '../cards/payment-methods.ts';
import { CardInput } from '../cards/read-card.ts';
import { type Decline, type DeclineName, declines } from '../cards/test-cards.ts';
import { Failure, invalid, missing } from '../http/failure.ts';
import { billingDetails, text } from '../http/parameters.ts';
import { optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';

/** Payments and setups have one thing in common: a card that its bank may ask about or refuse. */

export type Intent = Stripe.PaymentIntent | Stripe.SetupIntent;

const nameOf = ({ object }: Intent) => (object === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent');

/** Browsers access an intent by its client secret; without it the intent is answered as not found. */
export function requireSecret({ isBrowser }: Work, intent: Intent, secret: string | undefined): void {
  if (secret === undefined ? isBrowser : secret !== intent.client_secret)
    throw missing(intent.object, intent.id, intent.object === 'payment_intent' ? 'intent' : 'setup_intent');
}

/** The error for a failed confirmation; includes the intent, and keeps its changes if requested. */
export function intentFailure(intent: Intent, keepsChanges = false): Failure {
  const error = intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error;
  return new Failure({
    status: 402,
    type: error?.type === 'card_error' ? 'card_error' : 'invalid_request_error',
    code: error?.code,
    declineCode: error?.decline_code,
    param: error?.param,
    message: error?.message ?? 'Your card was declined.',
    ...(intent.object === 'payment_intent' ? { paymentIntent: intent } : { setupIntent: intent }),
    keepsChanges,
  });
}

/** The error for an act that the status of the intent does not allow. */
export function unexpectedState(intent: Intent, act: 'cancel' | 'confirm'): Failure {
  return invalid(
    `You cannot ${act} this ${nameOf(intent)} because it has a status of ${intent.status}.`,
    undefined,
    `${intent.object}_unexpected_state`,
  );
}

const MethodInput = {
  payment_method: text.optional(),
  payment_method_data: z
    .strictObject({ type: z.literal('card'), card: CardInput, billing_details: billingDetails.optional() })
    .optional(),
};

/** Parameters of a confirmation. */
export const confirmation = {
  ...MethodInput,
  client_secret: text.optional(),
  return_url: z.url().optional(),
};

/** The card that a confirmation names, or whose data it has. */
export async function methodOf(
  work: Work,
  { payment_method: id, payment_method_data: data }: Partial<z.output<z.ZodObject<typeof MethodInput>>>,
): Promise<string | undefined> {
  return data === undefined ? id : (await createCard(work, data.card, { billing: data.billing_details })).id;
}

/** The card that is to be charged or set up. */
export async function requireMethod(work: Work, intent: Intent) {
  const id = optionalIdOf(intent.payment_method);
  if (id !== null) return findPaymentMethod(work, id);
  throw invalid(
    `You cannot confirm this ${nameOf(intent)} because it is missing a payment method.`,
    'payment_method',
    `${intent.object}_unexpected_state`,
  );
}

/** Fields of an intent whose customer has to answer the bank's question. */
export function asked({ id }: Intent) {
  return {
    next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', source: id } },
    status: 'requires_action',
  } as const;
}

/** Fields of an intent that needs another card. */
export const refused = { next_action: null, payment_method: null, status: 'requires_payment_method' } as const;

/** Fields of a canceled intent. */
export const canceled = {
  cancellation_reason: 'requested_by_customer',
  next_action: null,
  status: 'canceled',
} as const;

/** The bank declined the card. */
export function declineError(method: Stripe.PaymentMethod, decline: DeclineName) {
  const { code, declineCode, message, param }: Decline = declines[decline];
  return {
    code: code as Stripe.PaymentIntent.LastPaymentError.Code & Stripe.SetupIntent.LastSetupError.Code,
    decline_code: declineCode,
    message,
    param,
    payment_method: method,
    type: 'card_error',
  } as const;
}

/** The bank's question was refused or not answered. */
export async function authenticationError(work: Work, intent: Intent) {
  const id = optionalIdOf(intent.payment_method);
  return {
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: id === null ? undefined : await work.store.get('payment_method', id),
    type: 'invalid_request_error',
  } as const;
}
