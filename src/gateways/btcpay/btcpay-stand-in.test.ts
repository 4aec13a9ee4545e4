import { createTestStandIns, press, visit } from 'payment-stand-ins/testing';
import { beforeEach, expect, test } from 'vitest';
import type { HostedOrder } from '#domain/membership/hosted/hosted-provider.ts';
import { openBuyers } from '#test/support/payments/hosted-buyers.ts';
import { newOrder } from '#test/support/payments/hosted-orders.ts';
import { openBtcpay } from './btcpay.ts';

/** The gateway and the stand-in over HTTP, each with its own code for the same protocol. */

const { standIns, received, clock } = await createTestStandIns();
const { sales, credentials } = standIns;
const btcpay = openBtcpay({ ...credentials.btcpay, baseUrl: standIns.url, now: clock.now });

const buyers = openBuyers(btcpay, received);
const { heard } = buyers;

beforeEach(() => {
  received.length = 0;
});

async function begin(more: Partial<HostedOrder> = {}) {
  const { order, url } = await buyers.begin({ kind: 'prepaid', ...more });
  const { id = '' } = (await sales.find('btcpay', order.reference)) ?? {};
  return { order, url, id };
}

test('a payment waits until it is confirmed', async () => {
  const { order, url, id } = await begin();
  expect((await visit(url)).text).toContain('This is not BTCPay Server.');
  expect(await press(url, 'Pay')).toBe(order.returnUrl);
  expect(await heard()).toMatchObject([
    { means: 'waits', type: 'InvoiceReceivedPayment', reference: order.reference, saleId: id },
    { means: 'waits', type: 'InvoiceProcessing' },
  ]);
  expect(await btcpay.askAbout({ reference: order.reference, saleId: undefined })).toMatchObject([{ means: 'waits' }]);
  await sales.advance(id, { minutes: 10 });
  const said = await heard();
  expect(said).toMatchObject([{ means: 'paid', reference: order.reference }]);
  const about = await btcpay.askAbout({ reference: order.reference, saleId: id });
  expect(about).toMatchObject([{ id: said[0]?.id, means: 'paid', amount: 799, currency: 'eur' }]);
});

test('by the machine’s clock a tick confirms it', async () => {
  const { url } = await begin({ currency: 'kwd', amount: 2500 });
  expect((await visit(url)).text).toContain('2.500 KWD');
  await press(url, 'Pay');
  await heard();
  clock.pass(10 * 60_000);
  await standIns.tick();
  expect((await heard()).map((event) => event?.means)).toEqual(['paid']);
});

test('declined, closed and expired', async () => {
  const declined = await begin();
  expect(await press(declined.url, 'Decline')).toBe(declined.order.returnUrl);
  expect(await heard()).toMatchObject([{ means: 'closed', type: 'InvoiceInvalid' }]);
  const closed = await begin();
  await press(closed.url, 'Close');
  expect(await heard()).toEqual([]);
  await sales.advance(closed.id, { minutes: 15 });
  expect(await heard()).toMatchObject([{ means: 'closed', type: 'InvoiceExpired' }]);
  expect(await btcpay.askAbout({ reference: closed.order.reference, saleId: undefined })).toMatchObject([
    { means: 'closed' },
  ]);
});

test('another key, store or secret', async () => {
  const { order, id } = await begin();
  const unavailable = expect.objectContaining({ code: 'payment/unavailable' });
  const open = (more: object) => openBtcpay({ ...credentials.btcpay, baseUrl: standIns.url, ...more });
  await expect(open({ apiKey: 'x' }).startCheckout(order)).rejects.toEqual(unavailable);
  await expect(open({ storeId: 'x' }).startCheckout(order)).rejects.toEqual(unavailable);
  expect(await btcpay.askAbout({ reference: order.reference, saleId: 'Inv0' })).toBeUndefined();
  await sales.pay(id);
  const [postback] = received.splice(0);
  expect(postback && (await open({ webhookSecret: 'x' }).readPostback(postback))).toBeUndefined();
  expect(postback && (await open({ storeId: 'x' }).readPostback(postback))).toBeUndefined();
});

test('while it is off no order can be begun', async () => {
  await standIns.setDisorder({ off: ['btcpay'] });
  await expect(btcpay.startCheckout(newOrder())).rejects.toMatchObject({ code: 'payment/unavailable' });
  await standIns.setDisorder({ off: [] });
});
