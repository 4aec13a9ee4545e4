import type Stripe from 'stripe';
import type { LineDraft } from '../invoices/draft.ts';
import { decimal } from '../store/documents.ts';
import { inOrder } from '../store/in-order.ts';
import { idOf, newIdOf, optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';

/** Stores prorations for the next invoice. */
export async function keepForNextInvoice(
  work: Work,
  subscription: Stripe.Subscription,
  lines: LineDraft[],
): Promise<void> {
  const clock = optionalIdOf(subscription.test_clock);
  const date = await work.now(clock);
  for (const line of lines) {
    const item: Stripe.InvoiceItem = {
      id: newIdOf('invoiceitem'),
      object: 'invoiceitem',
      amount: line.amount,
      currency: subscription.currency,
      customer: idOf(subscription.customer),
      customer_account: null,
      date,
      description: line.description,
      discountable: false,
      discounts: [],
      invoice: null,
      livemode: false,
      metadata: {},
      parent: {
        subscription_details: { subscription: subscription.id, subscription_item: line.subscriptionItem },
        type: 'subscription_details',
      },
      period: line.period,
      pricing: {
        price_details: { price: line.price.id, product: idOf(line.price.product) },
        type: 'price_details',
        unit_amount_decimal: decimal(line.amount),
      },
      proration: true,
      quantity: line.quantity,
      quantity_decimal: decimal(line.quantity),
      tax_rates: [],
      test_clock: clock,
    };
    await work.store.insert<'invoiceitem'>(item);
    await work.emit('invoiceitem.created', item, { clock });
  }
}

/** The pending prorations as lines of a new invoice. */
export async function pendingLines(work: Work, subscription: string): Promise<LineDraft[]> {
  const items = await work.store.all('invoiceitem', [
    { path: 'parent.subscription_details.subscription', is: subscription },
  ]);
  const waiting = items.filter(({ invoice }) => invoice === null);
  return inOrder(waiting, async (item) => ({
    amount: item.amount,
    description: item.description ?? '',
    period: item.period,
    price: await work.store.get('price', idOf(item.pricing?.price_details?.price ?? '')),
    quantity: item.quantity,
    subscriptionItem: item.parent?.subscription_details?.subscription_item ?? '',
    isProration: item.proration,
    invoiceItem: item.id,
  }));
}
