import type Stripe from 'stripe';
import { type Decline, type DeclineName, declines } from '../cards/test-cards.ts';
import { clockOfCustomer } from '../customers/find-customer.ts';
import { newIdOf, optionalIdOf, randomText } from '../store/ids.ts';
import type { Row } from '../store/store.ts';
import type { Work } from '../store/work.ts';

/** Stores the result of a charge attempt: success, or a decline with its reason. */
export async function createCharge(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: Row<'payment_method'>,
  decline: DeclineName | undefined,
): Promise<Stripe.Charge> {
  const clock = await clockOfCustomer(work, optionalIdOf(intent.customer));
  const reason: Decline | undefined = decline === undefined ? undefined : declines[decline];
  const { card, billing_details } = method.document;
  const charge: Stripe.Charge = {
    id: newIdOf('charge'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: reason === undefined ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details,
    calculated_statement_descriptor: intent.statement_descriptor,
    captured: reason === undefined,
    created: await work.now(clock),
    currency: intent.currency,
    customer: optionalIdOf(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: reason?.code ?? null,
    failure_message: reason?.message ?? null,
    fraud_details: null,
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: reason === undefined ? 'approved_by_network' : 'declined_by_network',
      reason: reason?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: reason === undefined ? 'Payment complete.' : 'The bank did not approve this payment.',
      type: reason === undefined ? 'authorized' : 'issuer_declined',
    },
    paid: reason === undefined,
    payment_intent: intent.id,
    payment_method: method.document.id,
    payment_method_details: { card: card === undefined ? undefined : chargedCard(card, intent), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: reason === undefined ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
  await work.store.insert<'charge'>(charge);
  await work.emit(reason === undefined ? 'charge.succeeded' : 'charge.failed', charge, { clock });
  return charge;
}

function chargedCard(
  card: Stripe.PaymentMethod.Card,
  { amount }: Stripe.PaymentIntent,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: amount,
    authorization_code: randomText(6).toUpperCase(),
    brand: card.brand,
    checks: card.checks,
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint,
    funding: card.funding,
    installments: null,
    last4: card.last4,
    mandate: null,
    network: card.brand,
    network_transaction_id: null,
    regulated_status: card.regulated_status as Stripe.Charge.PaymentMethodDetails.Card['regulated_status'],
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}
