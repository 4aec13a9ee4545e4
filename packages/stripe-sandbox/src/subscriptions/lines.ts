import type Stripe from 'stripe';
import type { LineDraft } from '../invoices/draft.ts';
import { inOrder } from '../store/in-order.ts';
import { idOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { type Period, amountIn, intervalOf } from './items.ts';

async function productName(work: Work, price: Stripe.Price): Promise<string> {
  const row = await work.store.find('product', idOf(price.product));
  return row?.document.name ?? 'Subscription';
}

export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-US', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** Invoice lines of a period; zero during a trial. */
export async function periodLines(
  work: Work,
  items: Stripe.SubscriptionItem[],
  period: Period,
  { currency, isTrial = false, share = 1 }: { currency: string; isTrial?: boolean; share?: number },
): Promise<LineDraft[]> {
  return inOrder(items, async (item) => {
    const name = await productName(work, item.price);
    const quantity = item.quantity ?? 1;
    const amount = await amountIn(work, item, currency);
    const rate = `(at ${money(amount / quantity, currency)} / ${intervalOf(item.price).interval})`;
    return {
      amount: isTrial ? 0 : Math.round(amount * share),
      description: isTrial ? `Trial period for ${name}` : `${quantity} × ${name} ${rate}`,
      period,
      price: item.price,
      quantity,
      subscriptionItem: item.id,
      isProration: false,
    };
  });
}

/** Fraction of a period, from 0 to 1, that is after `at`. */
function shareAhead({ start, end }: Period, at: number): number {
  return end <= start ? 0 : Math.min(1, Math.max(0, (end - at) / (end - start)));
}

/** Amount invoiced for an item's current period, after discounts. */
async function billedFor(
  work: Work,
  { id: subscription, currency }: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
): Promise<number> {
  const invoices = await work.store.all('invoice', [
    { path: 'parent.subscription_details.subscription', is: subscription },
  ]);
  const line = invoices
    .filter(({ status }) => status !== 'void')
    .flatMap(({ lines }) => lines.data)
    .findLast(
      ({ parent, period }) =>
        parent?.subscription_item_details?.subscription_item === item.id &&
        !parent.subscription_item_details.proration &&
        period.end === item.current_period_end,
    );
  if (line === undefined || idOf(line.pricing?.price_details?.price ?? '') !== item.price.id)
    return amountIn(work, item, currency);
  return line.amount - (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
}

/** Credits the unused part of the current period. */
export async function creditLines(work: Work, subscription: Stripe.Subscription, at: number): Promise<LineDraft[]> {
  return inOrder(subscription.items.data, async (item) => {
    const period = { start: item.current_period_start, end: item.current_period_end };
    const billed = subscription.status === 'trialing' ? 0 : await billedFor(work, subscription, item);
    return {
      amount: -Math.round(billed * shareAhead(period, at)) || 0,
      description: `Unused time on ${await productName(work, item.price)} after ${dayOf(at)}`,
      period: { start: at, end: period.end },
      price: item.price,
      quantity: item.quantity ?? 1,
      subscriptionItem: item.id,
      isProration: true,
    };
  });
}

/** Bills the rest of the current period at the new price. */
export async function remainingLines(
  work: Work,
  { items, currency }: Stripe.Subscription,
  at: number,
): Promise<LineDraft[]> {
  return inOrder(items.data, async (item) => {
    const period = { start: item.current_period_start, end: item.current_period_end };
    return {
      amount: Math.round((await amountIn(work, item, currency)) * shareAhead(period, at)),
      description: `Remaining time on ${await productName(work, item.price)} after ${dayOf(at)}`,
      period: { start: at, end: period.end },
      price: item.price,
      quantity: item.quantity ?? 1,
      subscriptionItem: item.id,
      isProration: true,
    };
  });
}
