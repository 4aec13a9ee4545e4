import { press } from 'payment-stand-ins/testing';
import { expect } from 'vitest';
import type { HostedOrder, HostedProvider, Postback } from '#domain/membership/hosted/hosted-provider.ts';
import { newOrder } from './hosted-orders.ts';

/** Buyers on the pages of a stand-in. @param received its postbacks */
export function openBuyers(gateway: HostedProvider, received: Postback[]) {
  /** Everything that was posted since the last call, as the gateway reads it; undefined where it refuses. */
  async function heard() {
    const read = await Promise.all(received.splice(0).map((postback) => gateway.readPostback(postback)));
    return read.flatMap((events) => events ?? [undefined]);
  }

  async function begin(more: Partial<HostedOrder> = {}) {
    const order = newOrder(more);
    const { url } = await gateway.startCheckout(order);
    return { order, url };
  }

  return {
    heard,
    begin,
    async buy(more: Partial<HostedOrder> = {}) {
      const { order, url } = await begin(more);
      expect(await press(url, 'Pay')).toBe(order.returnUrl);
      const [event] = await heard();
      return { order, event, saleId: event?.saleId ?? '' };
    },
  };
}
