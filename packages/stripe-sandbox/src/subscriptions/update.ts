import type Stripe from 'stripe';
import { z } from 'zod';
import { requireOwnMethod } from '../cards/payment-methods.ts';
import { DiscountsInput, redeemDiscounts } from '../catalogue/discounts.ts';
import { invalid } from '../http/failure.ts';
import { findCustomer } from '../customers/find-customer.ts';
import { requireInclusive, requireTaxable } from '../tax/tax-lines.ts';
import { clearable, flag, integer, mergeMetadata, metadata, text } from '../http/parameters.ts';
import { type LineDraft, draftInvoice } from '../invoices/draft.ts';
import { periodOf } from '../clocks/due.ts';
import { idOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { nextTurn } from './calendar.ts';
import {
  AutomaticTax,
  automaticTaxOf,
  PaymentBehavior,
  ProrationBehavior,
  paymentSettings,
  requireTrialEnd,
  trialSettings,
} from './create.ts';
import { ItemUpdate, sumIn, changeItems, intervalOf, itemList, withPeriod } from './items.ts';
import { creditLines, periodLines, remainingLines } from './lines.ts';
import { keepForNextInvoice, pendingLines } from './pending-items.ts';
import { dropPendingUpdate, keepForPayment, requireOnlyWhatMayWait } from './pending-update.ts';
import { saveSubscription } from './status.ts';

const feedback = z.enum([
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
]);
export const cancellationDetails = z
  .strictObject({ comment: clearable(text).optional(), feedback: clearable(feedback).optional() })
  .optional();

export const SubscriptionUpdate = z.strictObject({
  automatic_tax: AutomaticTax.optional(),
  billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
  cancel_at: clearable(integer).optional(),
  cancel_at_period_end: flag.optional(),
  cancellation_details: cancellationDetails,
  collection_method: z.literal('charge_automatically').optional(),
  default_payment_method: clearable(text).optional(),
  description: clearable(text).optional(),
  discounts: DiscountsInput.optional(),
  items: z.array(ItemUpdate).max(20).optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: z.enum([...PaymentBehavior.options, 'pending_if_incomplete']).default('allow_incomplete'),
  payment_settings: paymentSettings,
  proration_behavior: ProrationBehavior.default('create_prorations'),
  proration_date: integer.optional(),
  trial_end: z.union([z.literal('now'), integer]).optional(),
  trial_settings: trialSettings,
});
export type SubscriptionUpdate = z.output<typeof SubscriptionUpdate>;

export type Change = { subscription: Stripe.Subscription; invoice: Stripe.Invoice | undefined };

/**
 * Stores the change and, if billed at once, drafts its invoice.
 * @throws Failure 400 for a change that is not possible
 */
export async function changeSubscription(work: Work, id: string, input: SubscriptionUpdate): Promise<Change> {
  const found = await work.store.get('subscription', id, 'id');
  requireChangeable(found, input);
  const isCharge = input.items !== undefined || input.trial_end !== undefined || input.billing_cycle_anchor === 'now';
  // A new change replaces the pending one.
  const before = isCharge ? await dropPendingUpdate(work, id) : found;
  const clock = optionalIdOf(before.test_clock);
  const now = await work.now(clock);
  const items = input.items === undefined ? before.items.data : await changeItems(work, before, input.items, now);
  const changed = { ...before, ...(await plainFields(work, before, input)), items: itemList(id, items) };
  if (input.items !== undefined && changed.automatic_tax.enabled)
    await requireInclusive(
      work,
      items.map(({ price }) => price),
      changed.currency,
    );
  const { after, lines, bills } = await rebill(work, before, changed, input, now);
  const settled = withCancellation(before, after, input, now);
  const invoice = await billLines(work, settled, lines, bills);
  if (invoice !== undefined && input.payment_behavior === 'pending_if_incomplete')
    return { subscription: await keepForPayment(work, before, settled, invoice), invoice };
  const saved = invoice === undefined ? settled : { ...settled, latest_invoice: invoice.id };
  return { subscription: await saveSubscription(work, before, saved), invoice };
}

function requireChangeable(before: Stripe.Subscription, input: SubscriptionUpdate): void {
  if (input.payment_behavior === 'pending_if_incomplete') requireOnlyWhatMayWait(input);
  const { status, schedule, id } = before;
  const beyondMetadata = Object.entries(input).some(
    ([name, value]) =>
      value !== undefined &&
      !['metadata', 'cancellation_details', 'payment_behavior', 'proration_behavior'].includes(name),
  );
  if ((status === 'canceled' || status === 'incomplete_expired') && beyondMetadata)
    throw invalid(
      'A canceled subscription can only update its cancellation_details and metadata.',
      undefined,
      'resource_missing',
    );
  if (status === 'incomplete' && (input.items !== undefined || input.trial_end !== undefined))
    throw invalid(
      `The subscription ${id} is incomplete; its first payment has to be completed before it can be changed.`,
    );
  const cancels = input.cancel_at_period_end !== undefined || input.cancel_at !== undefined;
  if (schedule !== null && (cancels || input.items !== undefined))
    throw invalid(
      `The subscription is managed by the subscription schedule \`${idOf(schedule)}\`, and updating it directly is not allowed. Please update or release the schedule instead.`,
    );
}

async function plainFields(
  work: Work,
  before: Stripe.Subscription,
  input: SubscriptionUpdate,
): Promise<Partial<Stripe.Subscription>> {
  const customer = idOf(before.customer);
  const method = input.default_payment_method;
  if (method !== undefined && method !== null) await requireOwnMethod(work, method, customer, 'default_payment_method');
  const discounts =
    input.discounts === undefined
      ? undefined
      : await redeemDiscounts(work, input.discounts, {
          customer,
          subscription: before.id,
          clock: optionalIdOf(before.test_clock),
          amount: await sumIn(work, before.items.data, before.currency),
          currency: before.currency,
        });
  if (input.automatic_tax?.enabled === true)
    await requireTaxable(work, {
      customer: await findCustomer(work, customer, 'customer'),
      prices: before.items.data.map(({ price }) => price),
      currency: before.currency,
    });
  return {
    ...(input.automatic_tax === undefined ? {} : { automatic_tax: automaticTaxOf(input.automatic_tax.enabled) }),
    ...(method === undefined ? {} : { default_payment_method: method }),
    ...(discounts === undefined ? {} : { discounts }),
    ...(input.description === undefined ? {} : { description: input.description }),
    metadata: mergeMetadata(before.metadata, input.metadata),
    ...(input.trial_settings === undefined || before.trial_settings === null
      ? {}
      : {
          trial_settings: {
            end_behavior: { ...before.trial_settings.end_behavior, ...input.trial_settings.end_behavior },
          },
        }),
    ...(input.payment_settings?.save_default_payment_method === undefined || before.payment_settings === null
      ? {}
      : {
          payment_settings: {
            ...before.payment_settings,
            save_default_payment_method: input.payment_settings.save_default_payment_method,
          },
        }),
  };
}

type Rebilling = { after: Stripe.Subscription; lines: LineDraft[]; bills: 'now' | 'later' | 'never' };

/** The new period of a change, and its charges and credits. */
async function rebill(
  work: Work,
  before: Stripe.Subscription,
  changed: Stripe.Subscription,
  input: SubscriptionUpdate,
  now: number,
): Promise<Rebilling> {
  const { proration_behavior: prorates, trial_end: trialEnd } = input;
  const items = changed.items.data;
  const at = input.proration_date ?? now;
  const isTrialing = before.status === 'trialing';
  if (typeof trialEnd === 'number') return moveTrialEnd(work, before, changed, { trialEnd, prorates, now, at });
  if (isTrialing && trialEnd !== 'now') return { after: changed, lines: [], bills: 'never' };

  const resets = isTrialing || input.billing_cycle_anchor === 'now' || rhythmOf(before) !== rhythmOf(changed);
  const credit = prorates === 'none' ? [] : await creditLines(work, before, at);
  if (resets) {
    const [item] = items;
    const period = { start: now, end: item === undefined ? now : nextTurn(now, now, intervalOf(item.price)) };
    const after: Stripe.Subscription = {
      ...changed,
      billing_cycle_anchor: now,
      items: itemList(before.id, withPeriod(items, period)),
      status: isTrialing ? 'active' : changed.status,
      trial_end: isTrialing ? now : changed.trial_end,
    };
    return {
      after,
      lines: [...(isTrialing ? [] : credit), ...(await periodLines(work, items, period, after))],
      bills: 'now',
    };
  }
  const isSame = JSON.stringify(before.items.data.map(costs)) === JSON.stringify(items.map(costs));
  if (isSame || prorates === 'none') return { after: changed, lines: [], bills: 'never' };
  const lines = [...credit, ...(await remainingLines(work, changed, at))];
  return { after: changed, lines, bills: prorates === 'always_invoice' ? 'now' : 'later' };
}

const costs = ({ id, price, quantity }: Stripe.SubscriptionItem) => [id, price.id, quantity];

function rhythmOf({ items }: Stripe.Subscription): string {
  const [item] = items.data;
  if (item === undefined) return '';
  const { interval, interval_count } = intervalOf(item.price);
  return `${interval_count} ${interval}`;
}

/** Charges nothing until the new end; credits a paid period if proration is requested. */
async function moveTrialEnd(
  work: Work,
  before: Stripe.Subscription,
  changed: Stripe.Subscription,
  { trialEnd, prorates, now, at }: { trialEnd: number; prorates: ProrationBehavior; now: number; at: number },
): Promise<Rebilling> {
  requireTrialEnd(trialEnd, now);
  const isTrialing = before.status === 'trialing';
  const items = changed.items.data;
  const period = { start: isTrialing ? periodOf(before).start : now, end: trialEnd };
  const after: Stripe.Subscription = {
    ...changed,
    billing_cycle_anchor: trialEnd,
    items: itemList(before.id, withPeriod(items, period)),
    status: 'trialing',
    trial_end: trialEnd,
    trial_start: isTrialing ? before.trial_start : now,
  };
  if (isTrialing) return { after, lines: [], bills: 'never' };
  const credit = prorates === 'none' ? [] : await creditLines(work, before, at);
  return {
    after,
    lines: [...credit, ...(await periodLines(work, items, period, { ...after, isTrial: true }))],
    bills: 'now',
  };
}

async function billLines(
  work: Work,
  subscription: Stripe.Subscription,
  lines: LineDraft[],
  bills: Rebilling['bills'],
): Promise<Stripe.Invoice | undefined> {
  if (bills === 'later') await keepForNextInvoice(work, subscription, lines);
  if (bills !== 'now') return undefined;
  const period = periodOf(subscription);
  return draftInvoice(work, {
    subscription,
    reason: 'subscription_update',
    lines: [...(await pendingLines(work, subscription.id)), ...lines],
    period,
    waits: false,
  });
}

function withCancellation(
  before: Stripe.Subscription,
  after: Stripe.Subscription,
  input: SubscriptionUpdate,
  now: number,
): Stripe.Subscription {
  const ends = input.cancel_at_period_end ?? before.cancel_at_period_end;
  const setsCancellation = input.cancel_at_period_end !== undefined || input.cancel_at !== undefined;
  const cancelAt = ends ? periodOf(after).end : setsCancellation ? (input.cancel_at ?? null) : before.cancel_at;
  if (typeof input.cancel_at === 'number' && input.cancel_at <= now)
    throw invalid('cancel_at must be in the future', 'cancel_at');
  const was = before.cancellation_details;
  const given = input.cancellation_details;
  return {
    ...after,
    cancel_at: cancelAt,
    cancel_at_period_end: ends,
    canceled_at: cancelAt === null && before.ended_at === null ? null : setsCancellation ? now : before.canceled_at,
    cancellation_details: {
      comment: given?.comment === undefined ? (was?.comment ?? null) : given.comment,
      feedback: given?.feedback === undefined ? (was?.feedback ?? null) : given.feedback,
      feedback_option: null,
      reason: before.ended_at === null ? (cancelAt === null ? null : 'cancellation_requested') : (was?.reason ?? null),
    },
  };
}
