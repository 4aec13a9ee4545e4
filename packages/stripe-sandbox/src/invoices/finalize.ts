import type Stripe from 'stripe';
import { changeBalance } from '../customers/balance.ts';
import { findCustomer } from '../customers/find-customer.ts';
import { invalid } from '../http/failure.ts';
import { idOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { owed, subscriptionOf, usedUpBy } from './draft.ts';

/** Smaller amounts in cents are not charged, but added to the next invoice. */
const minCharge = 50;

/** Makes the invoice payable: assigns its number and uses the customer's credit. */
export async function finalizeInvoice(work: Work, id: string): Promise<Stripe.Invoice> {
  const { document: draft, hidden } = await work.store.row('invoice', id);
  if (draft.status !== 'draft')
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.");
  const clock = optionalIdOf(draft.test_clock);
  const now = await work.now(clock);
  const customer = await findCustomer(work, idOf(draft.customer ?? ''), 'customer');
  const asked = owed(draft.total, customer.balance);
  const isTooSmall = asked.amount_due > 0 && asked.amount_due < minCharge;
  const due = isTooSmall ? 0 : asked.amount_due;
  // The difference reduces the credit, increases it, or is owed later.
  const taken = draft.total - due;
  const sequence = customer.next_invoice_sequence ?? 1;
  const page = `${work.siteUrl}/stripe-sandbox/invoices/${hidden.pageSecret}`;
  const isUnlocated = draft.automatic_tax.status === 'requires_location_inputs';
  if (isUnlocated) await stopTax(work, draft);
  const invoice: Stripe.Invoice = {
    ...draft,
    ...(isUnlocated && { automatic_tax: { ...draft.automatic_tax, ...unlocated, status: null } }),
    ...asked,
    amount_due: due,
    amount_remaining: due,
    auto_advance: true,
    automatically_finalizes_at: null,
    effective_at: now,
    ending_balance: customer.balance + taken,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  const counted = { ...customer, next_invoice_sequence: sequence + 1 };
  await work.store.save<'customer'>(counted);
  if (taken !== 0)
    await changeBalance(work, counted, {
      amount: taken,
      type: isTooSmall ? 'invoice_too_small' : 'applied_to_invoice',
      currency: draft.currency,
      invoice: id,
    });
  await work.store.save(invoice, hidden);
  await dropUsedDiscounts(work, invoice, now);
  await work.emit('invoice.finalized', invoice, { clock });
  return invoice;
}

const unlocated = { disabled_reason: 'finalization_requires_location_inputs', enabled: false } as const;

/** Without a place, invoices go on without tax (https://docs.stripe.com/tax/customer-locations). */
async function stopTax(work: Work, invoice: Stripe.Invoice): Promise<void> {
  const id = subscriptionOf(invoice);
  if (id === null) return;
  const subscription = await work.store.get('subscription', id);
  const automatic_tax = { disabled_reason: 'requires_location_inputs', enabled: false, liability: null } as const;
  await work.store.save<'subscription'>({ ...subscription, automatic_tax });
}

async function dropUsedDiscounts(work: Work, invoice: Stripe.Invoice, now: number): Promise<void> {
  const subscriptionId = subscriptionOf(invoice);
  const used = await usedUpBy(work, invoice, now);
  if (subscriptionId === null || used.length === 0) return;
  const gone = new Set(used.map(({ discount }) => discount.id));
  const subscription = await work.store.get('subscription', subscriptionId);
  const left = subscription.discounts.filter((discount) => !gone.has(idOf(discount)));
  await work.store.save<'subscription'>({ ...subscription, discounts: left });
  for (const { discount } of used)
    await work.emit('customer.discount.deleted', discount, { clock: optionalIdOf(invoice.test_clock) });
}
