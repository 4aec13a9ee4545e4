import type Stripe from 'stripe';
import type { Work } from '../store/work.ts';
import { locate } from '../tax/locate.ts';

/** Fields that Stripe returns only for `expand[]`; undefined for all others. */
export async function includable(work: Work, object: Record<string, unknown>, field: string): Promise<unknown> {
  const { store } = work;
  const id = String(object.id);
  const list = (data: unknown[], url: string) => ({ object: 'list', data, has_more: false, url });
  switch (`${String(object.object)}.${field}`) {
    case 'invoice.confirmation_secret': {
      const intent = (await store.row('invoice', id)).hidden.paymentIntent;
      if (intent === undefined) return null;
      const { client_secret } = await store.get('payment_intent', intent);
      return { client_secret, type: 'payment_intent' };
    }
    case 'invoice.payments':
      return list(await store.all('invoice_payment', [{ path: 'invoice', is: id }]), '/v1/invoice_payments');
    case 'price.currency_options':
      return (await store.row('price', id)).hidden.currencyOptions ?? {};
    case 'coupon.currency_options':
      return (await store.row('coupon', id)).hidden.currencyOptions ?? {};
    case 'charge.refunds':
      return list(await store.all('refund', [{ path: 'charge', is: id }]), `/v1/charges/${id}/refunds`);
    case 'customer.tax':
      return locate(work, object as unknown as Stripe.Customer);
    case 'customer.subscriptions':
      return list(
        (await store.all('subscription', [{ path: 'customer', is: id }])).filter(({ status }) => status !== 'canceled'),
        `/v1/customers/${id}/subscriptions`,
      );
    default:
      return undefined;
  }
}
