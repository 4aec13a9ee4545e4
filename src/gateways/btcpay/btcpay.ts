import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { withoutEndSlashes } from '#formats/own-path.ts';
import type { HostedEvent, HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import { fromDecimalText, toDecimalText } from '#formats/currency-decimals.ts';
import { askProvider, unavailable } from '../hosted/ask-provider.ts';
import { ownPage } from '../hosted/own-page.ts';
import { isSameDigest } from '../hosted/proofs.ts';
import { Metadata, eventOf, readWebhook } from './read-events.ts';

export type BtcpayOptions = {
  /** Address of the operator's BTCPay Server. */
  baseUrl: string;
  storeId: string;
  apiKey: string;
  webhookSecret: string;
  now?: (() => Date) | undefined;
};

const Invoice = z.object({
  id: z.string(),
  storeId: z.string(),
  amount: z.coerce.string(),
  currency: z.string(),
  status: z.string(),
  checkoutLink: z.url({ protocol: /^https?$/ }),
  metadata: Metadata,
});
type Invoice = z.infer<typeof Invoice>;

/** Prepaid time: an invoice is paid once, and nothing renews. */
export function openBtcpay(options: BtcpayOptions): HostedProvider {
  const { storeId, apiKey, webhookSecret, now = () => new Date() } = options;
  const baseUrl = withoutEndSlashes(options.baseUrl);

  /** @returns undefined for what the server does not know */
  async function ask<Answer>(schema: z.ZodType<Answer>, path: string, body?: object): Promise<Answer | undefined> {
    const address = `${baseUrl}/api/v1/stores/${encodeURIComponent(storeId)}/invoices${path}`;
    const response = await askProvider('BTCPay Server', address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `token ${apiKey}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response === undefined) return undefined;
    const { success, data } = schema.safeParse(await response.json().catch(() => undefined));
    if (!success) throw unavailable('BTCPay Server', 'an answer that is no invoice');
    return data;
  }

  async function findInvoice(reference: string, saleId: string | undefined): Promise<Invoice | undefined> {
    if (saleId !== undefined) return ask(Invoice, `/${encodeURIComponent(saleId)}`);
    const invoices = (await ask(z.array(Invoice), `?${new URLSearchParams({ orderId: reference }).toString()}`)) ?? [];
    return invoices.find(({ status }) => status === 'Settled') ?? invoices[0];
  }

  return {
    name: 'btcpay',
    capabilities: {
      ...ownPage,
      trial: false,
      cancel: 'none',
      prepaid: true,
      sellsInOwnName: false,
      currencies: 'any',
      oneCurrency: false,
      shortestPeriodDays: 1,
    },
    received: 'OK',

    async startCheckout({ reference, amount, currency, returnUrl }) {
      const invoice = await ask(Invoice, '', {
        amount: toDecimalText(amount, currency),
        currency: currency.toUpperCase(),
        metadata: { orderId: reference },
        checkout: { redirectURL: returnUrl, redirectAutomatically: true },
      });
      if (invoice === undefined) throw unavailable('BTCPay Server', 'there is no such store');
      return { url: invoice.checkoutLink };
    },

    async readPostback({ body, header }) {
      const signature = header('btcpay-sig') ?? '';
      const expected = createHmac('sha256', webhookSecret).update(body, 'utf8').digest('hex');
      if (!signature.startsWith('sha256=') || !isSameDigest(signature.slice('sha256='.length), expected))
        return undefined;
      const webhook = readWebhook(body);
      return webhook?.storeId === storeId ? eventOf(webhook) : undefined;
    },

    async askAbout({ reference, saleId }) {
      const invoice = await findInvoice(reference, saleId);
      const isOurs = invoice?.storeId === storeId && invoice.metadata?.orderId === reference;
      return isOurs ? eventsOf(invoice, now()) : undefined;
    },

    async check() {
      const known = await ask(z.array(Invoice), '?take=1');
      if (known === undefined) throw unavailable('BTCPay Server', 'there is no such store');
    },

    cancel: async () => ({ ok: true }),

    accountUrl: ({ saleId }) => `${baseUrl}/i/${encodeURIComponent(saleId)}/receipt`,
  };
}

/** Types of the webhooks that say the same. */
const saidBy: Record<string, [type: string, means: HostedEvent['means']]> = {
  Processing: ['InvoiceProcessing', 'waits'],
  Settled: ['InvoiceSettled', 'paid'],
  Expired: ['InvoiceExpired', 'closed'],
  Invalid: ['InvoiceInvalid', 'closed'],
};

function eventsOf({ id, status, amount, currency, metadata }: Invoice, at: Date): HostedEvent[] {
  const [type, means] = saidBy[status] ?? [];
  if (type === undefined || means === undefined) return [];
  const common = { id: `${type}:${id}`, type, means, reference: metadata?.orderId, saleId: id, at };
  if (means !== 'paid') return [common];
  return [{ ...common, amount: fromDecimalText(amount, currency), currency: currency.toLowerCase() }];
}
