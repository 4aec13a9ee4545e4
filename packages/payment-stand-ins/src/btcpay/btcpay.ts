import { createHmac, randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Credentials } from '../credentials.ts';
import { answerOrder } from '../pages/sale-pages.ts';
import { type Mount, RequestError, type StandIn } from '../provider.ts';
import { invoiceMs } from '../sales/acts.ts';
import type { Happening, Sale } from '../sales/sale.ts';

const NewInvoice = z.object({
  // Both are taken by the real one.
  amount: z.union([z.string().regex(/^\d+(?:\.\d+)?$/), z.number().nonnegative()]),
  currency: z.string().regex(/^[A-Z]{3,5}$/),
  metadata: z.object({ orderId: z.string().optional() }).catchall(z.unknown()).default({}),
  checkout: z.object({ redirectURL: z.string().optional() }).catchall(z.unknown()).default({}),
});

/** Greenfield's invoices and their webhooks. */
export function openBtcpayStandIn({ storeId, apiKey, webhookSecret }: Credentials['btcpay']): StandIn {
  function refusalOf(context: Context) {
    if (context.req.header('authorization') !== `token ${apiKey}`)
      return context.json({ code: 'unauthenticated', message: 'Authentication is required.' }, 401);
    if (context.req.param('storeId') !== storeId)
      return context.json({ code: 'store-not-found', message: 'The store was not found.' }, 404);
    return undefined;
  }

  return {
    routes(app: Hono, mount) {
      const { prefix, engine } = mount;
      const path = `${prefix}/api/v1/stores/:storeId/invoices`;

      app.post(path, async (context) => {
        const refusal = refusalOf(context);
        if (refusal !== undefined) return refusal;
        const { success, data } = NewInvoice.safeParse(await context.req.json().catch(() => undefined));
        if (!success) return context.json([{ path: 'amount', message: 'The invoice is not right.' }], 422);
        const { amount, currency, metadata, checkout } = data;
        const { redirectURL = mount.siteUrl } = checkout;
        const sale = await engine.begin((number) => `Inv${number.padStart(19, '0')}`, {
          provider: 'btcpay',
          reference: metadata.orderId ?? '',
          kind: 'single',
          price: String(amount),
          currency,
          period: undefined,
          first: undefined,
          description: 'Invoice',
          returnUrl: redirectURL,
          closeUrl: redirectURL,
          passed: { metadata: JSON.stringify(metadata) },
          openMs: invoiceMs,
        });
        return context.json(write(sale, mount));
      });

      app.get(path, async (context) => {
        const refusal = refusalOf(context);
        if (refusal !== undefined) return refusal;
        const sale = await engine.findByReference('btcpay', context.req.query('orderId') ?? '');
        return context.json(sale === undefined ? [] : [write(sale, mount)]);
      });

      app.get(`${path}/:id`, async (context) => {
        const refusal = refusalOf(context);
        if (refusal !== undefined) return refusal;
        const sale = await engine.find(context.req.param('id'));
        if (sale?.provider !== 'btcpay')
          return context.json({ code: 'invoice-not-found', message: 'The invoice was not found.' }, 404);
        return context.json(write(sale, mount));
      });

      app.get(`${prefix}/i/:id`, async (context) => {
        const sale = await engine.find(context.req.param('id'));
        if (sale?.provider !== 'btcpay') throw new RequestError('btcpay', 'There is no such invoice.');
        return answerOrder(context, mount, sale);
      });
    },

    contentOf: (sale, happening) => contentOf(sale, happening, storeId),

    messageOf(content, wrongly) {
      const body = JSON.stringify(content, undefined, 2);
      const key = wrongly ? `${webhookSecret}0` : webhookSecret;
      const signature = createHmac('sha256', key).update(body).digest('hex');
      return {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'BTCPay-Sig': `sha256=${signature}` },
        body,
      };
    },
  };

  function write(sale: Sale, { publicUrl }: Mount) {
    const seconds = (at: number) => Math.floor(at / 1000);
    return {
      id: sale.id,
      storeId,
      amount: sale.price,
      currency: sale.currency,
      type: 'Standard',
      checkoutLink: `${publicUrl()}/i/${sale.id}`,
      createdTime: seconds(sale.createdAt),
      expirationTime: seconds(sale.createdAt + invoiceMs),
      monitoringExpiration: seconds(sale.createdAt + 2 * invoiceMs),
      status: statusNames[sale.status],
      additionalStatus: 'None',
      archived: false,
      metadata: JSON.parse(sale.passed['metadata'] ?? '{}') as unknown,
    };
  }
}

const statusNames: Record<Sale['status'], string> = {
  open: 'New',
  waiting: 'Processing',
  settled: 'Settled',
  closed: 'Expired',
  invalid: 'Invalid',
  // Not states of an invoice.
  active: 'Settled',
  canceled: 'Settled',
  ended: 'Settled',
};

function contentOf(sale: Sale, { kind, at, charge }: Happening, storeId: string): object | undefined {
  const event = (type: string, more: object = {}) => {
    const deliveryId = randomUUID();
    return {
      deliveryId,
      webhookId: 'standin-webhook',
      originalDeliveryId: deliveryId,
      isRedelivery: false,
      type,
      timestamp: Math.floor(at / 1000),
      storeId,
      invoiceId: sale.id,
      metadata: JSON.parse(sale.passed['metadata'] ?? '{}') as unknown,
      ...more,
    };
  };
  switch (kind) {
    case 'payment-seen':
      return event('InvoiceReceivedPayment', {
        afterExpiration: false,
        paymentMethodId: 'BTC-CHAIN',
        payment: {
          id: `${charge?.id}-0`,
          receivedDate: Math.floor(at / 1000),
          value: '0.0001',
          fee: '0.0',
          status: 'Processing',
        },
      });
    case 'processing':
      return event('InvoiceProcessing', { overPaid: false });
    case 'settled':
      return event('InvoiceSettled', { manuallyMarked: false, overPaid: false });
    case 'invoice-expired':
      return event('InvoiceExpired', { partiallyPaid: false });
    case 'invoice-invalid':
      return event('InvoiceInvalid', { manuallyMarked: true });
    default:
      return undefined;
  }
}
