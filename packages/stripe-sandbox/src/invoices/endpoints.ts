import type Stripe from 'stripe';
import { z } from 'zod';
import { findPaymentMethod } from '../cards/payment-methods.ts';
import { type Endpoint, get, named, post } from '../http/endpoint.ts';
import { invalid } from '../http/failure.ts';
import { listing, listOf } from '../http/list.ts';
import { createdRange, createdWithin, equal, flag, paging, text } from '../http/parameters.ts';
import { intentFailure } from '../payments/intents.ts';
import { optionalIdOf } from '../store/ids.ts';
import type { Work } from '../store/work.ts';
import { endSubscription } from '../subscriptions/end.ts';
import { dropPendingUpdate, isAwaited } from '../subscriptions/pending-update.ts';
import { subscriptionOf } from './draft.ts';
import { finalizeInvoice } from './finalize.ts';
import { collectInvoice } from './pay.ts';
import { PreviewCreate, previewInvoice } from './preview.ts';
import { voidInvoice } from './void.ts';

const path = '/v1/invoices';

const InvoiceList = z.strictObject({
  ...paging,
  created: createdRange,
  customer: text.optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  subscription: text.optional(),
});

const InvoicePay = z.strictObject({ off_session: flag.optional(), payment_method: text.optional() });

/** @throws Failure 402 if the card is refused or its bank asks; the attempt stays stored */
async function payInvoice(work: Work, id: string, method: string | undefined): Promise<Stripe.Invoice> {
  const invoice = await work.store.get('invoice', id);
  if (invoice.status === 'draft') await finalizeInvoice(work, id);
  else if (invoice.status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid');
  else if (invoice.status !== 'open') throw invalid(`This invoice is ${invoice.status} and cannot be paid.`);
  const chosen = method === undefined ? undefined : (await findPaymentMethod(work, method)).document;
  if (chosen !== undefined && optionalIdOf(chosen.customer) !== optionalIdOf(invoice.customer))
    throw invalid(
      'The payment method must be attached to the customer of the invoice.',
      'payment_method',
      'resource_missing',
    );
  const outcome = await collectInvoice(work, id, { method: chosen?.id });
  if (outcome === 'paid') return work.store.get('invoice', id);
  const { hidden } = await work.store.row('invoice', id);
  const intent = await work.store.get('payment_intent', hidden.paymentIntent ?? '');
  if (outcome === 'requires_action')
    throw intentFailure(
      {
        ...intent,
        last_payment_error: {
          code: 'invoice_payment_intent_requires_action',
          message: 'Payment for this invoice requires additional user action before it can be completed successfully.',
          type: 'card_error',
        },
      },
      true,
    );
  throw intentFailure(intent, true);
}

async function voidOpenInvoice(work: Work, id: string): Promise<Stripe.Invoice> {
  const before = await work.store.get('invoice', id);
  if (before.status !== 'open') throw invalid('You can only void open invoices.', undefined, 'invoice_not_editable');
  const after = await voidInvoice(work, before);
  const subscription = subscriptionOf(after);
  const owner = subscription === null ? undefined : await work.store.get('subscription', subscription);
  if (owner?.status === 'incomplete') await endSubscription(work, owner, 'payment_failed', 'incomplete_expired');
  else if (owner !== undefined && (await isAwaited(work, owner.id, id))) await dropPendingUpdate(work, owner.id);
  return after;
}

export const invoiceEndpoints: Endpoint[] = [
  post(`${path}/create_preview`, PreviewCreate, previewInvoice, { isRehearsal: true }),
  get(path, InvoiceList, (work, input) =>
    listOf(
      work,
      'invoice',
      [
        ...equal({
          customer: input.customer,
          status: input.status,
          'parent.subscription_details.subscription': input.subscription,
        }),
        ...createdWithin(input.created),
      ],
      input,
      path,
    ),
  ),
  get(`${path}/:id`, z.strictObject({}), (work, _input, at) => work.store.get('invoice', named(at, 'id'), 'invoice')),
  get(`${path}/:id/lines`, z.strictObject(paging), async (work, _input, at) => {
    const { lines } = await work.store.get('invoice', named(at, 'id'), 'invoice');
    return lines;
  }),
  post(`${path}/:id/pay`, InvoicePay, (work, input, at) => payInvoice(work, named(at, 'id'), input.payment_method)),
  post(`${path}/:id/finalize`, z.strictObject({ auto_advance: flag.optional() }), (work, _input, at) =>
    finalizeInvoice(work, named(at, 'id')),
  ),
  post(`${path}/:id/void`, z.strictObject({}), (work, _input, at) => voidOpenInvoice(work, named(at, 'id'))),
  listing('/v1/invoice_payments', 'invoice_payment', ['invoice']),
  listing('/v1/invoiceitems', 'invoiceitem', ['customer', 'invoice']),
];
