import type Stripe from 'stripe';
import { type AppliedDiscount, readDiscounts } from '../catalogue/discounts.ts';
import { draftPatience } from '../clocks/due.ts';
import { decimal } from '../store/documents.ts';
import { idOf, newId, newIdOf, optionalIdOf, randomText } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { findCustomer } from '../customers/find-customer.ts';
import { sumTaxes, taxLines } from '../tax/tax-lines.ts';
import { type Share, shareDiscounts, sumShares } from './totals.ts';

/** An invoice line before it is stored: an amount in cents for a period. */
export type LineDraft = {
  amount: number;
  description: string;
  period: Stripe.InvoiceLineItem.Period;
  price: Stripe.Price;
  quantity: number;
  subscriptionItem: string;
  isProration: boolean;
  /** Id of the pending proration that this line bills. */
  invoiceItem?: string;
};

export type InvoiceDraft = {
  subscription: Stripe.Subscription;
  reason: Stripe.Invoice.BillingReason;
  lines: LineDraft[];
  /** The billed period. */
  period: { start: number; end: number };
  /** Charged after an hour as a draft, instead of by the caller. */
  waits: boolean;
};

/** Stores an invoice as a draft: with all sums, but not owed yet. */
export async function draftInvoice(work: Work, draft: InvoiceDraft): Promise<Stripe.Invoice> {
  const { subscription } = draft;
  const clock = optionalIdOf(subscription.test_clock);
  const customer = await findCustomer(work, idOf(subscription.customer), 'customer');
  const created = await work.now(clock);
  const id = newIdOf('invoice');
  const applied = await readDiscounts(work, subscription.discounts, { now: created, currency: subscription.currency });
  const shares = shareDiscounts(
    draft.lines.map((line) => (line.isProration && line.amount < 0 ? undefined : line.amount)),
    applied,
  );
  const taxed = await taxLines(work, {
    isAutomatic: subscription.automatic_tax.enabled,
    customer,
    amounts: draft.lines.map(({ amount }, index) => amount - sumOf(shares[index])),
  });
  const lines = draft.lines.map((line, index) =>
    writeLine(line, id, subscription, { shares: shares[index] ?? [], taxes: taxed.lines[index] ?? [] }),
  );
  const subtotal = draft.lines.reduce((sum, { amount }) => sum + amount, 0);
  const total = subtotal - sumOf(shares.flat());
  const tax = sumOf(taxed.lines.flat());
  const invoice: Stripe.Invoice = {
    ...blankInvoice(customer, draft),
    automatic_tax: taxed.automaticTax,
    id,
    created,
    effective_at: null,
    automatically_finalizes_at: draft.waits ? created + draftPatience : null,
    discounts: applied.map(({ discount }) => discount.id),
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    subtotal,
    subtotal_excluding_tax: subtotal - tax,
    total,
    total_excluding_tax: total - tax,
    total_taxes: sumTaxes(taxed.lines),
    total_discount_amounts: sumShares(shares),
    total_pretax_credit_amounts: pretaxCredits(sumShares(shares)),
    ...owed(total, customer.balance),
  };
  await work.store.insert<'invoice'>(invoice, { retries: 0, pageSecret: randomText(40) });
  for (const { invoiceItem } of draft.lines) {
    if (invoiceItem === undefined) continue;
    const item = await work.store.get('invoiceitem', invoiceItem);
    await work.store.save<'invoiceitem'>({ ...item, invoice: id });
  }
  await work.emit('invoice.created', invoice, { clock });
  return invoice;
}

const sumOf = (parts: { amount: number }[] = []) => parts.reduce((sum, { amount }) => sum + amount, 0);

/** Cents to charge after applying the customer's credit or debt. */
export function owed(
  total: number,
  balance: number,
): Pick<Stripe.Invoice, 'amount_due' | 'amount_remaining' | 'starting_balance'> {
  const due = Math.max(0, Math.max(0, total) + (total > 0 ? balance : 0));
  return { amount_due: due, amount_remaining: due, starting_balance: balance };
}

/** A `once` discount is used up by the first invoice that it reduces. */
export async function usedUpBy(
  work: Work,
  { total_discount_amounts, currency }: Stripe.Invoice,
  now: number,
): Promise<AppliedDiscount[]> {
  const ids = (total_discount_amounts ?? []).filter(({ amount }) => amount > 0).map(({ discount }) => idOf(discount));
  return (await readDiscounts(work, ids, { now, currency })).filter(({ coupon }) => coupon.duration === 'once');
}

function pretaxCredits(shares: Share[]): Stripe.Invoice.TotalPretaxCreditAmount[] {
  return shares.map(({ discount, amount }) => ({ amount, discount, type: 'discount' }));
}

function writeLine(
  line: LineDraft,
  invoice: string,
  { id: subscription, currency, metadata }: Stripe.Subscription,
  { shares, taxes }: { shares: Share[]; taxes: Stripe.Invoice.TotalTax[] },
): Stripe.InvoiceLineItem {
  const details = {
    invoice_item: line.invoiceItem ?? null,
    proration: line.isProration,
    proration_details: line.isProration ? { credited_items: null } : null,
    subscription,
  };
  return {
    id: newId('il'),
    object: 'line_item',
    amount: line.amount,
    currency,
    description: line.description,
    discount_amounts: shares,
    discountable: !line.isProration,
    discounts: [],
    invoice,
    livemode: false,
    metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: { ...details, subscription_item: line.subscriptionItem },
      type: 'subscription_item_details',
    },
    period: line.period,
    pretax_credit_amounts: pretaxCredits(shares) as Stripe.InvoiceLineItem.PretaxCreditAmount[],
    pricing: {
      price_details: { price: line.price.id, product: idOf(line.price.product) },
      type: 'price_details',
      unit_amount_decimal: decimal(Math.round(line.amount / Math.max(1, line.quantity))),
    },
    quantity: line.quantity,
    quantity_decimal: decimal(line.quantity),
    subscription,
    subtotal: line.amount,
    taxes,
  };
}

function blankInvoice(
  customer: Stripe.Customer,
  { subscription, reason, period, waits }: InvoiceDraft,
): Omit<Stripe.Invoice, 'lines' | 'subtotal' | 'total' | 'amount_due' | 'amount_remaining' | 'starting_balance'> {
  return {
    id: '',
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: waits,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: 0,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal_excluding_tax: null,
    test_clock: optionalIdOf(subscription.test_clock),
    total_discount_amounts: [],
    total_excluding_tax: null,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

/** Id of the subscription that an invoice belongs to. */
export function subscriptionOf({ parent }: Stripe.Invoice): string | null {
  return optionalIdOf(parent?.subscription_details?.subscription);
}
