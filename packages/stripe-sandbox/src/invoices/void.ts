import type Stripe from 'stripe';
import { changeBalance } from '../customers/balance.ts';
import { idOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';

const openPayment: Stripe.PaymentIntent.Status[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];

/** Voids an invoice: cancels its payment and returns the credit that it used. */
export async function voidInvoice(work: Work, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const clock = optionalIdOf(invoice.test_clock);
  const { hidden } = await work.store.row('invoice', invoice.id);
  const after: Stripe.Invoice = {
    ...invoice,
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: { ...invoice.status_transitions, voided_at: await work.now(clock) },
  };
  await work.store.save(after);
  if (hidden.paymentIntent !== undefined) await cancelPayment(work, hidden.paymentIntent);
  await giveCreditBack(work, after);
  await work.emit('invoice.voided', after, { clock });
  return after;
}

async function cancelPayment(work: Work, id: string): Promise<void> {
  const intent = await work.store.get('payment_intent', id);
  if (!openPayment.includes(intent.status)) return;
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    canceled_at: await work.now(null),
    cancellation_reason: 'void_invoice',
    next_action: null,
    status: 'canceled',
  };
  await work.store.save(canceled);
  await work.emit('payment_intent.canceled', canceled, { clock: null });
}

async function giveCreditBack(
  work: Work,
  { id, customer, currency, starting_balance, ending_balance }: Stripe.Invoice,
) {
  const taken = (ending_balance ?? starting_balance) - starting_balance;
  const row = taken === 0 ? undefined : await work.store.find('customer', idOf(customer ?? ''));
  if (row === undefined || row.deleted) return;
  await changeBalance(work, row.document, { amount: -taken, type: 'unapplied_from_invoice', currency, invoice: id });
}
