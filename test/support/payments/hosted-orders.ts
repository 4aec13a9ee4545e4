import { randomBytes } from 'node:crypto';
import type { HostedOrder } from '#domain/membership/hosted/hosted-provider.ts';

/** An order of a month for 7.99 €, with its own reference. */
export function newOrder(more: Partial<HostedOrder> = {}): HostedOrder {
  const reference = randomBytes(16).toString('hex');
  return {
    reference,
    kind: 'subscription',
    period: 'month',
    amount: 799,
    currency: 'eur',
    first: undefined,
    description: 'Sotto',
    returnUrl: `https://sotto.example/subscribe/return?reference=${reference}`,
    closeUrl: 'https://sotto.example/subscribe',
    ...more,
  };
}
