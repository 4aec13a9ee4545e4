import { t } from '@lingui/core/macro';
import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import type { CardPaymentSettings, Order } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import { logEvent } from '../analytics/log-event.ts';
import { confirmAtBank, unconfirmed } from './bank-step.ts';
import { type CardFailure, cardFailureOf } from './card-failure.ts';

/** `kept` is the provider’s card id, to be sent again when the order may already have been accepted. */
export type Paid =
  | { kind: 'done' }
  | { kind: 'already'; message: string }
  | { kind: 'trial-used'; message: string; kept: string }
  | { kind: 'promo-code'; message: string; kept: string }
  | { kind: 'price-changed'; message: string; kept: string }
  | { kind: 'card'; failure: CardFailure; kept?: string };

type Parts = {
  stripe: Stripe;
  card: StripeCardNumberElement;
  settings: CardPaymentSettings;
  /** Card id of an earlier try, if the card fields have not changed since. */
  kept: string | undefined;
};

/**
 * Spec §4, “Payment submission”: creates the payment method at the provider and the subscription at the site, and runs
 * the bank’s check.
 */
export async function payWithCard(
  { stripe, card, settings, kept }: Parts,
  order: Omit<Order, 'paymentMethodId'>,
): Promise<Paid> {
  const method = kept === undefined ? await createMethod(stripe, card) : { id: kept };
  if ('failure' in method) return { kind: 'card', failure: method.failure };
  logEvent('create_subscription', { properties: { period: order.period } });
  const answer = await answerOf(
    api.stripe['create-subscription'].$post({ json: { ...order, paymentMethodId: method.id, subIsWeb: true } }),
  );
  if (!answer.ok) {
    const { code, message } = answer;
    logEvent('create_subscription_error', { properties: { code } });
    if (code === 'subscription/already-subscribed') return { kind: 'already', message };
    if (code === 'subscription/trial-used') return { kind: 'trial-used', message, kept: method.id };
    if (code === 'subscription/price-changed') return { kind: 'price-changed', message, kept: method.id };
    if (code.startsWith('promo-code/')) return { kind: 'promo-code', message, kept: method.id };
    const failure = cardFailureOf(code, message);
    // The order may have been accepted: sending the same card again creates no second subscription.
    const isOpen = code === 'network' || code === 'payment/in-progress' || answer.status >= 500;
    return isOpen ? { kind: 'card', failure, kept: method.id } : { kind: 'card', failure };
  }
  const { action, user } = answer.data;
  const confirmed = action === null ? { ok: true as const, user } : await confirmAtBank(settings, action);
  if (!confirmed.ok || !confirmed.user.isSubscribed) {
    logEvent('create_subscription_error', { properties: { code: 'payment/authentication-failed' } });
    return { kind: 'card', failure: confirmed.ok ? unconfirmed() : confirmed.failure };
  }
  logEvent('create_subscription_done', { properties: { period: order.period } });
  return { kind: 'done' };
}

async function createMethod(
  stripe: Stripe,
  card: StripeCardNumberElement,
): Promise<{ id: string } | { failure: CardFailure }> {
  logEvent('create_payment');
  try {
    const { paymentMethod, error } = await stripe.createPaymentMethod({ type: 'card', card });
    if (error === undefined) return { id: paymentMethod.id };
    logEvent('create_payment_error', { properties: { code: error.code ?? error.type } });
    return { failure: cardFailureOf(error.code, error.message) };
  } catch {
    logEvent('create_payment_error', { properties: { code: 'network' } });
    return { failure: cardFailureOf(undefined, t`No internet connection`) };
  }
}
