import { type Disorder, type Provider, noDisorder } from 'payment-stand-ins';
import { type Received, createTestStandIns } from 'payment-stand-ins/testing';
import { describe, expect, test } from 'vitest';
import type { HostedEvent, HostedProvider } from '#domain/membership/hosted/hosted-provider.ts';
import { newOrder } from '#test/support/payments/hosted-orders.ts';
import { openBtcpay } from '../btcpay/btcpay.ts';
import { openCcbill } from '../ccbill/ccbill.ts';
import { openVerotel } from '../verotel/verotel.ts';

/** The site hears the same set of events, however they come. */

const heard = new Map<string, HostedEvent>();
let refused = 0;

const { standIns, clock } = await createTestStandIns({
  async answer(postback: Received) {
    const gateway = gateways[postback.provider];
    const events = await gateway.readPostback(postback);
    if (events === undefined) {
      refused += 1;
      return { status: 400, body: '' };
    }
    for (const event of events) heard.set(event.id, event);
    return { status: 200, body: gateway.received };
  },
});
const { credentials, url, sales } = standIns;
const gateways: Record<Provider, HostedProvider> = {
  verotel: openVerotel({ ...credentials.verotel, baseUrl: url, now: clock.now }),
  ccbill: openCcbill({
    ...credentials.ccbill,
    formUrl: url,
    dataLinkUrl: url,
    networks: ['127.0.0.0/8'],
    now: clock.now,
  }),
  btcpay: openBtcpay({ ...credentials.btcpay, baseUrl: url, now: clock.now }),
};

/** A year of one sale. @returns the types of all events, sorted */
async function live(provider: Provider, disorder: Partial<Disorder>): Promise<string[]> {
  heard.clear();
  await standIns.setDisorder({ ...noDisorder, ...disorder });
  const order = newOrder(provider === 'btcpay' ? { kind: 'prepaid' } : {});
  const { url: page } = await gateways[provider].startCheckout(order);
  // oxlint-disable-next-line no-restricted-globals -- of tests
  await fetch(page);
  const { id = '' } = (await sales.find(provider, order.reference)) ?? {};
  await sales.pay(id);
  if (provider === 'btcpay') {
    await sales.advance(id, { minutes: 10 });
  } else {
    await sales.advance(id, { days: 70 });
    await sales.cancel(id);
    await sales.advance(id, { days: 40 });
  }
  for (let round = 0; round < 3; round += 1) {
    clock.pass(disorder.lateMs ?? 10_000);
    await standIns.tick();
  }
  return [...heard.values()].map(({ type, means }) => `${type}: ${means}`).toSorted();
}

const orderly: Record<Provider, string[]> = {
  verotel: ['cancel: canceled', 'expiry: ended', 'initial: paid', 'rebill: paid', 'rebill: paid'],
  ccbill: [
    'Cancellation: canceled',
    'Expiration: ended',
    'NewSaleSuccess: paid',
    'RenewalSuccess: paid',
    'RenewalSuccess: paid',
  ],
  btcpay: ['InvoiceProcessing: waits', 'InvoiceReceivedPayment: waits', 'InvoiceSettled: paid'],
};

describe.each(['verotel', 'ccbill', 'btcpay'] as const)('%s', (provider) => {
  test.each<[string, Partial<Disorder>]>([
    ['in order', {}],
    ['twice', { duplicates: true }],
    ['in reverse', { reversed: true }],
    ['an hour late', { lateMs: 3_600_000 }],
    ['twice, in reverse and late', { duplicates: true, reversed: true, lateMs: 3_600_000 }],
  ])('%s', async (_how, disorder) => {
    refused = 0;
    expect(await live(provider, disorder)).toEqual(orderly[provider]);
    expect(refused).toBe(0);
  });

  test('with a wrong signature at first', async () => {
    refused = 0;
    expect(await live(provider, { wrongSignature: true })).toEqual(orderly[provider]);
    expect(refused).toBe(orderly[provider].length);
  });

  test('one that is lost is known when it is asked about', async () => {
    const events = await live(provider, { lose: 1 });
    const [first] = heard.values();
    expect(events).toHaveLength(orderly[provider].length - 1);
    const sale = { reference: first?.reference ?? '', saleId: first?.saleId };
    const about = await gateways[provider].askAbout(sale);
    const paid = provider === 'btcpay' ? 'InvoiceSettled' : provider === 'ccbill' ? 'NewSaleSuccess' : 'initial';
    expect(about?.map(({ id }) => id)).toContain(`${paid}:${first?.saleId}`);
  });
});
