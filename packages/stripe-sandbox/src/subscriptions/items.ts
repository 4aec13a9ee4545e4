import type Stripe from 'stripe';
import { z } from 'zod';
import { invalid } from '../http/failure.ts';
import { flag, mergeMetadata, metadata, natural, text } from '../http/parameters.ts';
import { unitAmountIn } from '../catalogue/prices.ts';
import { decimal } from '../store/documents.ts';
import { inOrder } from '../store/in-order.ts';
import { idOf, newId } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import type { Interval } from './calendar.ts';

export const ItemCreate = z.strictObject({
  metadata: metadata.optional(),
  price: text,
  quantity: natural.pipe(z.number().min(1)).optional(),
});

export const ItemUpdate = z.strictObject({
  deleted: flag.optional(),
  id: text.optional(),
  metadata: metadata.optional(),
  price: text.optional(),
  quantity: natural.pipe(z.number().min(1)).optional(),
});
export type ItemUpdate = z.output<typeof ItemUpdate>;

export type Period = { start: number; end: number };

/** @throws Failure 400 for a price that is not recurring or not active */
export async function findRecurringPrice(work: Work, id: string, parameter: string): Promise<Stripe.Price> {
  const price = await work.store.get('price', id, parameter);
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', parameter);
  if (price.recurring === null)
    throw invalid(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      parameter,
    );
  return price;
}

export function intervalOf({ recurring }: Stripe.Price): Interval {
  if (recurring === null) throw new Error('A subscription holds a price that does not recur');
  return recurring;
}

export function makeItem(
  input: { price: Stripe.Price; quantity: number; metadata?: Stripe.Metadata; id?: string; created?: number },
  { subscription, period, now }: { subscription: string; period: Period; now: number },
): Stripe.SubscriptionItem {
  return {
    id: input.id ?? newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: input.created ?? now,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: input.metadata ?? {},
    plan: planOf(input.price),
    price: input.price,
    quantity: input.quantity,
    subscription,
    tax_rates: [],
  };
}

/** The price as a plan of older API versions, which items still contain. */
function planOf(price: Stripe.Price): Stripe.Plan {
  const { interval, interval_count } = intervalOf(price);
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: decimal(price.unit_amount ?? 0),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: interval as Stripe.Plan.Interval,
    interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: idOf(price.product),
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

export function itemList(
  subscription: string,
  data: Stripe.SubscriptionItem[],
): Stripe.ApiList<Stripe.SubscriptionItem> {
  return { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${subscription}` };
}

/** The sandbox requires one billing interval for all items of a subscription. */
export function requireOneRhythm(items: Stripe.SubscriptionItem[]): void {
  const [first, ...others] = items;
  if (first === undefined) throw invalid('A subscription must have at least one item.', 'items', 'parameter_missing');
  const { interval, interval_count } = intervalOf(first.price);
  for (const { price } of others) {
    const other = intervalOf(price);
    if (
      other.interval !== interval ||
      other.interval_count !== interval_count ||
      price.currency !== first.price.currency
    )
      throw invalid('All prices of a subscription must share interval and currency in this sandbox.', 'items');
  }
}

/** The items after a change: replaces those named by id and keeps the others. */
export async function changeItems(
  work: Work,
  subscription: Stripe.Subscription,
  input: ItemUpdate[],
  now: number,
): Promise<Stripe.SubscriptionItem[]> {
  const items = [...subscription.items.data];
  const [
    { current_period_start: start, current_period_end: end } = { current_period_start: now, current_period_end: now },
  ] = items;
  for (const [index, change] of input.entries()) {
    const at = items.findIndex(({ id }) => id === change.id);
    const before = items[at];
    if (change.id !== undefined && before === undefined)
      throw invalid(`No such subscription item: '${change.id}'`, `items[${index}][id]`, 'resource_missing');
    if (change.deleted === true) {
      if (before !== undefined) items.splice(at, 1);
      continue;
    }
    const price =
      change.price === undefined
        ? before?.price
        : await findRecurringPrice(work, change.price, `items[${index}][price]`);
    if (price === undefined)
      throw invalid(`Missing required param: items[${index}][price].`, `items[${index}][price]`, 'parameter_missing');
    const item = makeItem(
      {
        price,
        quantity: change.quantity ?? before?.quantity ?? 1,
        metadata: mergeMetadata(before?.metadata, change.metadata),
        id: before?.id,
        created: before?.created,
      },
      { subscription: subscription.id, period: { start, end }, now },
    );
    if (before === undefined) items.push(item);
    else items[at] = item;
  }
  requireOneRhythm(items);
  return items;
}

export function withPeriod(items: Stripe.SubscriptionItem[], { start, end }: Period): Stripe.SubscriptionItem[] {
  return items.map((item) => ({ ...item, current_period_start: start, current_period_end: end }));
}

/** @throws Failure 400 for a price without that currency */
export async function amountIn(
  work: Work,
  { price, quantity }: Stripe.SubscriptionItem,
  currency: string,
): Promise<number> {
  return (await unitAmountIn(work, price, currency, 'items')) * (quantity ?? 1);
}

export async function sumIn(work: Work, items: Stripe.SubscriptionItem[], currency: string): Promise<number> {
  const amounts = await inOrder(items, (item) => amountIn(work, item, currency));
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
