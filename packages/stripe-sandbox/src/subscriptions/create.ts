import type Stripe from 'stripe';
import { z } from 'zod';
import { attachPaymentMethod, requireOwnMethod } from '../cards/payment-methods.ts';
import { testPaymentMethods } from '../cards/test-cards.ts';
import { DiscountsInput, redeemDiscounts } from '../catalogue/discounts.ts';
import { findCustomer } from '../customers/find-customer.ts';
import { invalid } from '../http/failure.ts';
import {
  currency as currencyParameter,
  equal,
  flag,
  integer,
  mergeMetadata,
  metadata,
  natural,
  text,
} from '../http/parameters.ts';
import { draftInvoice } from '../invoices/draft.ts';
import { inOrder } from '../store/in-order.ts';
import { newIdOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { requireTaxable } from '../tax/tax-lines.ts';
import { nextTurn } from './calendar.ts';
import {
  ItemCreate,
  findRecurringPrice,
  intervalOf,
  itemList,
  makeItem,
  requireOneRhythm,
  sumIn,
  type Period,
} from './items.ts';
import { periodLines } from './lines.ts';

export const PaymentBehavior = z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete']);
export type PaymentBehavior = z.output<typeof PaymentBehavior> | 'pending_if_incomplete';
export const ProrationBehavior = z.enum(['always_invoice', 'create_prorations', 'none']);
export type ProrationBehavior = z.output<typeof ProrationBehavior>;

export const AutomaticTax = z.strictObject({ enabled: flag });

export const paymentSettings = z
  .strictObject({
    payment_method_types: z.array(z.literal('card')).optional(),
    save_default_payment_method: z.enum(['off', 'on_subscription']).optional(),
  })
  .optional();

export const trialSettings = z
  .strictObject({
    end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']) }),
  })
  .optional();

const longestTrialDays = 730;

export const SubscriptionCreate = z.strictObject({
  automatic_tax: AutomaticTax.optional(),
  billing_cycle_anchor: integer.optional(),
  billing_mode: z.strictObject({ type: z.enum(['classic', 'flexible']) }).optional(),
  cancel_at: integer.optional(),
  cancel_at_period_end: flag.optional(),
  collection_method: z.literal('charge_automatically').optional(),
  currency: currencyParameter.optional(),
  customer: text,
  default_payment_method: text.optional(),
  description: text.max(500).optional(),
  discounts: DiscountsInput.optional(),
  items: z.array(ItemCreate).min(1).max(20),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: PaymentBehavior.default('allow_incomplete'),
  payment_settings: paymentSettings,
  proration_behavior: ProrationBehavior.default('create_prorations'),
  trial_end: z.union([z.literal('now'), integer]).optional(),
  trial_period_days: natural.pipe(z.number().max(longestTrialDays)).optional(),
  trial_settings: trialSettings,
});
export type SubscriptionCreate = z.output<typeof SubscriptionCreate>;

function trialEndOf(input: SubscriptionCreate, now: number): number | null {
  if (input.trial_end !== undefined && input.trial_period_days !== undefined)
    throw invalid('You may only specify one of these parameters: trial_end, trial_period_days.', 'trial_end');
  if (input.trial_period_days !== undefined)
    return input.trial_period_days === 0 ? null : now + input.trial_period_days * 86_400;
  if (input.trial_end === undefined || input.trial_end === 'now') return null;
  requireTrialEnd(input.trial_end, now);
  return input.trial_end;
}

/**
 * Stripe documents two years from `billing_cycle_anchor`, but counts from now (stripe/stripe-ruby#804).
 * @throws Failure 400
 */
export function requireTrialEnd(trialEnd: number, now: number): void {
  if (trialEnd <= now)
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end');
  if (trialEnd > now + longestTrialDays * 86_400)
    throw invalid(`The maximum number of trial period days is ${longestTrialDays} (2 years).`, 'trial_end');
}

/** A customer's first invoice decides. @throws Failure 400 */
async function requireOneCurrency(work: Work, customer: string, currency: string): Promise<void> {
  const other = (await work.store.all('invoice', equal({ customer }))).find((one) => one.currency !== currency);
  if (other !== undefined)
    throw invalid(
      `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${other.currency}.`,
      'currency',
    );
}

/** The named card, which must be the customer's; a test card's name is attached first. */
async function ownMethod(work: Work, id: string | undefined, customer: string): Promise<string | null> {
  if (id === undefined) return null;
  if (testPaymentMethods[id] !== undefined) return (await attachPaymentMethod(work, id, customer)).id;
  await requireOwnMethod(work, id, customer, 'default_payment_method');
  return id;
}

/**
 * Stores a subscription and its first invoice as a draft, without a charge.
 * @throws Failure 400 for parameters that do not fit together
 */
export async function startSubscription(
  work: Work,
  input: SubscriptionCreate,
): Promise<{ subscription: Stripe.Subscription; invoice: Stripe.Invoice }> {
  const customer = await findCustomer(work, input.customer, 'customer');
  const clock = optionalIdOf(customer.test_clock);
  const now = await work.now(clock);
  const method = await ownMethod(work, input.default_payment_method, customer.id);
  const trialEnd = trialEndOf(input, now);
  const id = newIdOf('subscription');
  const prices = await inOrder(input.items, ({ price }, index) =>
    findRecurringPrice(work, price, `items[${index}][price]`),
  );
  const [first] = prices;
  if (first === undefined) throw invalid('Missing required param: items.', 'items', 'parameter_missing');
  const anchor = trialEnd ?? input.billing_cycle_anchor ?? now;
  if (anchor < now) throw invalid('billing_cycle_anchor cannot be in the past', 'billing_cycle_anchor');
  const period: Period = { start: now, end: trialEnd ?? nextTurn(anchor, now, intervalOf(first)) };
  const items = input.items.map(({ quantity = 1, metadata: own }, index) =>
    makeItem(
      { price: prices[index] ?? first, quantity, metadata: mergeMetadata({}, own) },
      { subscription: id, period, now },
    ),
  );
  requireOneRhythm(items);
  const currency = input.currency ?? first.currency;
  await requireOneCurrency(work, customer.id, currency);
  if (input.automatic_tax?.enabled === true) await requireTaxable(work, { customer, prices, currency });
  const amount = await sumIn(work, items, currency);
  const redeemed = await redeemDiscounts(work, input.discounts ?? [], {
    customer: customer.id,
    subscription: id,
    clock,
    amount,
    currency,
  });
  const subscription: Stripe.Subscription = {
    ...blankSubscription(input, { id, customer: customer.id, clock, now, currency }),
    billing_cycle_anchor: anchor,
    cancel_at: input.cancel_at_period_end === true ? period.end : (input.cancel_at ?? null),
    default_payment_method: method,
    discounts: redeemed,
    items: itemList(id, items),
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : now,
  };
  await work.store.insert<'subscription'>(subscription, {});
  await work.emit('customer.subscription.created', subscription, { clock });
  const full = nextTurn(anchor, anchor, intervalOf(first)) - anchor;
  const isStub = trialEnd === null && input.billing_cycle_anchor !== undefined && anchor > now;
  const share = isStub ? (input.proration_behavior === 'none' ? 0 : Math.min(1, (anchor - now) / full)) : 1;
  const lines = await periodLines(work, items, period, { currency, isTrial: trialEnd !== null, share });
  const invoice = await draftInvoice(work, {
    subscription,
    reason: 'subscription_create',
    lines,
    period: { start: now, end: now },
    waits: false,
  });
  const started = { ...(await work.store.get('subscription', id)), latest_invoice: invoice.id };
  await work.store.save<'subscription'>(started);
  return { subscription: started, invoice };
}

export function automaticTaxOf(enabled: boolean): Stripe.Subscription.AutomaticTax {
  return { disabled_reason: null, enabled, liability: enabled ? { type: 'self' } : null };
}

function blankSubscription(
  input: SubscriptionCreate,
  {
    id,
    customer,
    clock,
    now,
    currency,
  }: { id: string; customer: string; clock: string | null; now: number; currency: string },
): Stripe.Subscription {
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: automaticTaxOf(input.automatic_tax?.enabled === true),
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode:
      input.billing_mode?.type === 'classic'
        ? { flexible: null, type: 'classic' }
        : { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: input.cancel_at_period_end ?? false,
    canceled_at: input.cancel_at_period_end === true ? now : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency,
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: input.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: itemList(id, []),
    latest_invoice: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: mergeMetadata({}, input.metadata),
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: input.payment_settings?.save_default_payment_method ?? 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: clock,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: input.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
    },
    trial_start: null,
  };
}
