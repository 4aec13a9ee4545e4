import type Stripe from 'stripe';
import type { MadePayment, PayingSubscription, Totals } from '#domain/membership/payment-provider.ts';
import { asking, dateOf, idOf, secondsOf } from './client.ts';
import { singlePayment } from './payments.ts';
import type { Prices } from './plans.ts';

/** Stripe's largest page. */
const limit = 100;

export function openTotals({ client, prices }: { client: Stripe; prices: Prices }): Totals {
  return {
    async listPaying({ until, after }) {
      const page = await asking(() =>
        client.subscriptions.list({
          status: 'active',
          created: { lt: secondsOf(until) },
          limit,
          starting_after: after,
        }),
      );
      const items: PayingSubscription[] = [];
      for (const subscription of page.data) {
        // The account may sell other products too.
        if ((await prices.periodOfSubscription(subscription)) === undefined) continue;
        const { id, customer, start_date, cancel_at, cancel_at_period_end } = subscription;
        const renews = cancel_at === null && !cancel_at_period_end;
        items.push({ id, customerId: idOf(customer) ?? '', startedAt: dateOf(start_date), renews });
      }
      return { items, after: nextOf(page) };
    },

    async listPayments({ from, until, after }) {
      const created = { gte: secondsOf(from), lt: secondsOf(until) };
      const page = await asking(() =>
        client.charges.list({ created, limit, expand: ['data.customer'], starting_after: after }),
      );
      return { items: page.data.flatMap((charge) => toPayment(charge) ?? []), after: nextOf(page) };
    },
  };
}

function nextOf({ data, has_more }: Stripe.ApiList<{ id: string }>): string | undefined {
  return has_more ? data.at(-1)?.id : undefined;
}

/** @returns undefined for a charge that took no money, or one outside of payment intents */
function toPayment(charge: Stripe.Charge): MadePayment | undefined {
  const { customer, metadata, amount_captured: amount, currency, created, disputed, refunded } = charge;
  const paymentId = idOf(charge.payment_intent);
  if (paymentId === undefined || charge.status !== 'succeeded' || amount === 0) return undefined;
  const isOwnCustomer =
    typeof customer === 'object' && !!customer && !customer.deleted && 'userId' in customer.metadata;
  return {
    paymentId,
    customerId: idOf(customer),
    isOwn: isOwnCustomer || metadata.sotto === singlePayment.sotto,
    amount,
    currency,
    refunded: charge.amount_refunded,
    isTakenBack: refunded || disputed,
    createdAt: dateOf(created),
  };
}
