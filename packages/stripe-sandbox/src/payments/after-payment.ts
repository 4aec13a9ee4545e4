import type Stripe from 'stripe';
import { invoiceOf, paymentWasTried } from '../invoices/pay.ts';
import { setupSucceeded } from '../subscriptions/status.ts';
import type { Work } from '../store/work.ts';
import { attemptPayment, refuseAuthentication } from './payment-intents.ts';
import { attemptSetup, refuseSetup } from './setup-intents.ts';

/** Confirms a payment and applies the result to its invoice, if any. */
export async function confirmPayment(
  work: Work,
  id: string,
  { mayAsk }: { mayAsk: boolean },
): Promise<Stripe.PaymentIntent> {
  const intent = await attemptPayment(work, id, { mayAsk });
  await applyToInvoice(work, intent);
  return intent;
}

export async function confirmSetup(work: Work, intent: Stripe.SetupIntent, isAuthenticated: boolean) {
  const tried = await attemptSetup(work, intent, { isAuthenticated });
  if (tried.status === 'succeeded') await setupSucceeded(work, tried);
  return tried;
}

async function applyToInvoice(work: Work, intent: Stripe.PaymentIntent): Promise<void> {
  const invoice = await invoiceOf(work, intent);
  if (invoice !== undefined) await paymentWasTried(work, invoice, intent);
}

/** Applies the customer's answer to the bank's question. */
export async function answerBank(
  work: Work,
  intent: Stripe.PaymentIntent | Stripe.SetupIntent,
  isRight: boolean,
): Promise<Stripe.PaymentIntent | Stripe.SetupIntent> {
  if (intent.object === 'setup_intent') return isRight ? confirmSetup(work, intent, true) : refuseSetup(work, intent);
  if (!isRight) {
    const refused = await refuseAuthentication(work, intent);
    await applyToInvoice(work, refused);
    return refused;
  }
  const { hidden } = await work.store.row('payment_intent', intent.id);
  await work.store.save<'payment_intent'>(intent, { ...hidden, authenticated: true });
  return confirmPayment(work, intent.id, { mayAsk: true });
}
