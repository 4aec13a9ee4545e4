import { z } from 'zod';
import type { HostedEvent } from '#domain/membership/hosted/hosted-provider.ts';
import { referenceIn } from '../hosted/read-parameters.ts';

/** Other invoices of the store have what their makers wanted. */
export const Metadata = z.object({ orderId: z.string().optional().catch(undefined) }).nullish();

const Webhook = z.object({
  type: z.string(),
  storeId: z.string(),
  invoiceId: z.string().min(1),
  timestamp: z.coerce.number().max(8e12),
  metadata: Metadata,
  payment: z.object({ id: z.string() }).nullish(),
  partiallyPaid: z.boolean().nullish(),
  manuallyMarked: z.boolean().nullish(),
});
export type Webhook = z.infer<typeof Webhook>;

export function readWebhook(body: string): Webhook | undefined {
  try {
    return Webhook.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

const meanings: Record<string, HostedEvent['means']> = {
  InvoiceReceivedPayment: 'waits',
  InvoicePaymentSettled: 'waits',
  InvoiceProcessing: 'waits',
  InvoiceSettled: 'paid',
  InvoiceExpired: 'closed',
  InvoiceInvalid: 'closed',
};

/**
 * A kind of event happens once to an invoice, or once to each of its payments, however often it is delivered. Amounts
 * are not in it: an invoice settles when it was paid in full. Other invoices of the store have no events here.
 */
export function eventOf({ type, invoiceId, timestamp, metadata, payment, ...webhook }: Webhook): HostedEvent[] {
  const reference = referenceIn(metadata?.orderId);
  if (reference === undefined || type === 'InvoiceCreated') return [];
  return [
    {
      id: payment ? `${type}:${invoiceId}:${payment.id}` : `${type}:${invoiceId}`,
      type,
      means: meanings[type] ?? 'unknown',
      reference,
      saleId: invoiceId,
      at: new Date(timestamp * 1000),
      reason: webhook.partiallyPaid ? 'partially paid' : webhook.manuallyMarked ? 'marked by hand' : undefined,
    },
  ];
}
