import type Stripe from 'stripe';
import { idOf, newIdOf, optionalIdOf } from '../store/ids.ts';
import { type Work, changedFrom } from '../store/work.ts';

/** Adds to a customer's balance; a negative balance is credit for the next invoices. @param amount cents */
export async function changeBalance(
  work: Work,
  customer: Stripe.Customer,
  change: {
    amount: number;
    type: Stripe.CustomerBalanceTransaction.Type;
    currency: string;
    invoice?: string;
    description?: string | null;
    metadata?: Stripe.Metadata;
  },
): Promise<Stripe.CustomerBalanceTransaction> {
  const clock = optionalIdOf(customer.test_clock);
  const after: Stripe.Customer = {
    ...customer,
    balance: customer.balance + change.amount,
    currency: customer.currency ?? change.currency,
  };
  const transaction: Stripe.CustomerBalanceTransaction = {
    id: newIdOf('customer_balance_transaction'),
    object: 'customer_balance_transaction',
    amount: change.amount,
    checkout_session: null,
    created: await work.now(clock),
    credit_note: null,
    currency: change.currency,
    customer: idOf(customer),
    customer_account: null,
    description: change.description ?? null,
    ending_balance: after.balance,
    invoice: change.invoice ?? null,
    livemode: false,
    metadata: change.metadata ?? {},
    type: change.type,
  };
  await work.store.insert<'customer_balance_transaction'>(transaction);
  await work.store.save(after);
  await work.emit('customer.updated', after, { clock, previous: changedFrom(customer, after) });
  return transaction;
}
