import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Postback } from '#domain/membership/hosted/hosted-provider.ts';
import { newOrder } from '#test/support/payments/hosted-orders.ts';
import { openCcbill } from './ccbill.ts';
import { readAnswer } from './data-link.ts';
import { digestOf } from './form.ts';
import { ccbillNetworks, openNetworks } from './webhook.ts';

/** DataLink's answer, and what it was asked. */
let answer = '';
const asked: URLSearchParams[] = [];
const dataLink = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  asked.push(new URLSearchParams(body));
  response.end(answer);
});
await new Promise<void>((resolve) => {
  dataLink.listen(0, '127.0.0.1', resolve);
});
afterAll(() => dataLink.close());

const statusOf = (facts: Record<string, string>) =>
  `<?xml version='1.0' standalone='yes'?>\n<results>${Object.entries(facts)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('\n')}</results>`;
const active = { subscriptionStatus: '2', recurringSubscription: '1', nextBillingDate: '20270214', timesRebilled: '1' };

const now = new Date('2027-01-15T12:00:00Z');
const account = { clientAccnum: '900100', clientSubacc: '0000' };
const ccbill = openCcbill({
  ...account,
  flexId: 'cb617dcc-8467-49ab-b3a7-735ce1d60ad9',
  salt: '7d901dad245fd0ff6bc20d06',
  dataLinkUser: 'user',
  dataLinkPassword: 'a-password',
  dataLinkUrl: `http://127.0.0.1:${(dataLink.address() as AddressInfo).port}`,
  now: () => now,
});

beforeEach(() => {
  answer = statusOf(active);
  asked.length = 0;
});

describe('forms', () => {
  test('the digests that CCBill publishes', () => {
    const salt = '7d901dad245fd0ff6bc20d06';
    const once = { initialPrice: '10.00', initialPeriod: '30', currencyCode: '840' };
    const renewed = { ...once, recurringPrice: '10.00', recurringPeriod: '30', numRebills: '99' };
    expect(digestOf(once, salt)).toBe('a7459445d0e5dc0963fe736dc5cf900b');
    expect(digestOf(renewed, salt)).toBe('48f0b12e4307e64edb781c479665c899');
  });

  const formOf = async (more: Parameters<typeof newOrder>[0]) => {
    const { url } = await ccbill.startCheckout(newOrder(more));
    return Object.fromEntries(new URL(url).searchParams);
  };

  test('an order names prices, the reference and nobody', async () => {
    const order = newOrder({ currency: 'usd', amount: 1000 });
    const { url } = await ccbill.startCheckout(order);
    expect(url).toMatch(
      /^https:\/\/api\.ccbill\.com\/wap-frontflex\/flexforms\/cb617dcc-8467-49ab-b3a7-735ce1d60ad9\?/,
    );
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      ...account,
      initialPrice: '10.00',
      initialPeriod: '30',
      recurringPrice: '10.00',
      recurringPeriod: '30',
      numRebills: '99',
      currencyCode: '840',
      formDigest: '48f0b12e4307e64edb781c479665c899',
      reference: order.reference,
    });
  });

  test('years, trials, single payments and currencies without decimals', async () => {
    expect(await formOf({ period: 'year', first: { amount: 0, days: 7 }, amount: 5988 })).toMatchObject({
      initialPrice: '0.00',
      initialPeriod: '7',
      recurringPrice: '59.88',
      recurringPeriod: '365',
      currencyCode: '978',
    });
    const single = await formOf({ kind: 'single', currency: 'jpy', amount: 800 });
    expect(single).toMatchObject({ initialPrice: '800', currencyCode: '392' });
    expect(Object.keys(single)).not.toContain('recurringPrice');
    expect(await formOf({ kind: 'prepaid', period: 'year' })).toMatchObject({ initialPeriod: '365' });
    await expect(formOf({ currency: 'sek' })).rejects.toThrow();
  });
});

const reference = '0123456789abcdef0123456789abcdef';
const sale = {
  ...account,
  subscriptionId: '0126015000000001001',
  transactionId: '0126015000000009999',
  timestamp: '2027-01-15 05:00:00',
  billedInitialPrice: '7.99',
  billedCurrencyCode: '978',
  nextRenewalDate: '2027-02-14',
  cardType: 'VISA',
  last4: '1111',
  country: 'NL',
  'X-reference': reference,
};

function webhook(eventType: string, fields: object, more: Partial<Postback> = {}): Postback {
  return {
    method: 'POST',
    query: new URLSearchParams({ ...account, eventType }).toString(),
    body: JSON.stringify(fields),
    header: () => undefined,
    address: '64.38.212.7',
    ...more,
  };
}
const read = (eventType: string, fields: object = {}) =>
  ccbill.readPostback(webhook(eventType, { ...sale, ...fields }));

describe('webhooks', () => {
  const expected = {
    id: 'NewSaleSuccess:0126015000000001001',
    type: 'NewSaleSuccess',
    means: 'paid',
    reference,
    saleId: '0126015000000001001',
    at: now,
    until: new Date('2027-02-14T23:59:59Z'),
    amount: 799,
    currency: 'eur',
    transactionId: '0126015000000009999',
    card: { brand: 'visa', last4: '1111' },
    country: 'NL',
  };

  test('a sale is asked back with the password in the body', async () => {
    expect(await read('NewSaleSuccess')).toEqual([expected]);
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      ...account,
      username: 'user',
      password: 'a-password',
      action: 'viewSubscriptionStatus',
      subscriptionId: '0126015000000001001',
      returnXML: '1',
    });
  });

  test('they are JSON or a form', async () => {
    const body = new URLSearchParams(sale).toString();
    expect(await ccbill.readPostback(webhook('NewSaleSuccess', {}, { body }))).toEqual([expected]);
  });

  test('numbers keep all their digits, as text and as numbers', async () => {
    const body = '{"clientAccnum":900100,"clientSubacc":0,"subscriptionId":9007199254740993001,"timestamp":"x"}';
    const events = await ccbill.readPostback(
      webhook('RenewalSuccess', {}, { body, query: 'eventType=RenewalSuccess' }),
    );
    expect(events).toMatchObject([{ saleId: '9007199254740993001', at: now }]);
    expect(asked[0]?.get('subscriptionId')).toBe('9007199254740993001');
  });

  test.each(['64.38.212.0', '64.38.215.255', '64.38.240.9', '64.38.241.9', '::ffff:64.38.241.9'])(
    'they come from %s',
    (address) => {
      expect(openNetworks(ccbillNetworks)(address)).toBe(true);
    },
  );
  test.each([undefined, '', '64.38.213.1', '127.0.0.1', '::1', '64.38.212.7, 192.0.2.1', '64.38.212'])(
    'from %s they are refused without a question',
    async (address) => {
      expect(await ccbill.readPostback(webhook('NewSaleSuccess', sale, { address }))).toBeUndefined();
      expect(asked).toEqual([]);
    },
  );
  test('networks may be of IPv6 too', () => {
    expect(['::1', '::2'].map(openNetworks(['127.0.0.0/8', '::1/128']))).toEqual([true, false]);
  });

  test.each([
    ['another account', { clientAccnum: '900101' }, { query: 'eventType=NewSaleSuccess' }],
    ['another account in its fields alone', { clientAccnum: '900101' }, {}],
    ['another account in its address alone', {}, { query: 'clientAccnum=900101&eventType=NewSaleSuccess' }],
    ['another part of the account', { clientSubacc: '0001' }, { query: 'eventType=NewSaleSuccess' }],
    ['another kind in its address', { eventType: 'Refund' }, {}],
    ['no kind', {}, { query: '' }],
    ['no subscription', { subscriptionId: 'x' }, {}],
    ['no fields', {}, { body: '[1' }],
    ['a broken object', {}, { body: '{"clientAccnum":' }],
  ])('%s is refused without a question', async (_what, fields, more) => {
    expect(await ccbill.readPostback(webhook('NewSaleSuccess', { ...sale, ...fields }, more))).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test.each(['-2', '-3', '-4'])('a subscription that DataLink does not know (%s) is refused', async (code) => {
    answer = `<results>${code}</results>`;
    expect(await read('NewSaleSuccess')).toBeUndefined();
  });

  test.each(['-1', '-7', '-12', '1', 'x', ''])(
    'an answer of %j decides nothing: it has to come again',
    async (code) => {
      answer = code === '' ? '' : `<results>${code}</results>`;
      const failure = await read('NewSaleSuccess').catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'payment/unavailable' });
      expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('a-password');
    },
  );

  const dead = { subscriptionStatus: '0', expirationDate: '20270120070000', cancelDate: '20270116080000' };
  test.each([
    ['RenewalSuccess', active, 'paid', { billedAmount: '7.99', transactionId: '5' }, 'RenewalSuccess:5'],
    ['RenewalFailure', active, 'declined', { transactionId: '6' }, 'RenewalFailure:6:2027-01-15 05:00:00'],
    ['UserReactivation', active, 'resumed', {}, expect.any(String)],
    ['Cancellation', { ...active, subscriptionStatus: '1' }, 'canceled', {}, expect.any(String)],
    ['Expiration', dead, 'ended', {}, expect.any(String)],
    ['Refund', { ...dead, refundsIssued: '1' }, 'refunded', { amount: '2.00' }, expect.any(String)],
    ['Void', { ...dead, voidsIssued: '1' }, 'refunded', {}, expect.any(String)],
    ['Return', { ...dead, returnsIssued: '1' }, 'refunded', {}, expect.any(String)],
    ['Chargeback', { ...dead, chargebacksIssued: '1' }, 'charged-back', {}, expect.any(String)],
  ])('%s with DataLink’s word', async (type, status, means, fields, id) => {
    answer = statusOf(status);
    expect(await read(type, fields)).toMatchObject([{ means, id, saleId: sale.subscriptionId }]);
  });

  test.each([
    ['RenewalSuccess', { ...active, timesRebilled: '0' }],
    ['UserReactivation', dead],
    ['Cancellation', active],
    ['Expiration', active],
    ['Refund', dead],
    ['Void', active],
    ['Return', active],
    ['Chargeback', { ...active, chargebacksIssued: '0' }],
  ])('%s against DataLink’s word is only stored, and may come again', async (type, status) => {
    answer = statusOf(status);
    const [event] = (await read(type)) ?? [];
    expect(event).toMatchObject({ means: 'unknown', id: expect.stringMatching(/:unconfirmed$/) });
  });

  test('time is paid no longer than DataLink says', async () => {
    expect(await read('NewSaleSuccess', { nextRenewalDate: '2099-01-01' })).toMatchObject([
      { until: new Date('2027-02-14T23:59:59Z') },
    ]);
    expect(await read('NewSaleSuccess', { nextRenewalDate: '2027-01-20' })).toMatchObject([
      { until: new Date('2027-01-20T23:59:59Z') },
    ]);
  });

  test('a sale that failed needs no question, and an upgrade ends the former one', async () => {
    const { subscriptionId: _id, ...failed } = sale;
    expect(await ccbill.readPostback(webhook('NewSaleFailure', { ...failed, failureReason: 'No.' }))).toMatchObject([
      { means: 'declined', reference, saleId: undefined, reason: 'No.' },
    ]);
    expect(await ccbill.readPostback(webhook('NewSaleFailure', { ...failed, 'X-reference': 'x' }))).toEqual([]);
    expect(asked).toEqual([]);
    expect(await read('UpgradeSuccess', { originalSubscriptionId: '0126015000000000900' })).toMatchObject([
      { means: 'paid' },
      { means: 'ended', saleId: '0126015000000000900', reference: undefined },
    ]);
  });

  test('unknown kinds are stored', async () => {
    expect(await read('CustomerDataUpdate')).toMatchObject([{ means: 'unknown', type: 'CustomerDataUpdate' }]);
  });
});

describe('DataLink', () => {
  test.each([
    [`<?xml version='1.0' standalone='yes'?>\n<results>1</results>`, { results: '1' }],
    ['"results"\n"1"\n', { results: '1' }],
    ['-3', { results: '-3' }],
    ['<html><p>Maintenance', {}],
    ['hello', {}],
  ])('answers %j', (text, read_) => {
    expect(readAnswer(text)).toEqual(read_);
  });

  test('cancels, also what was canceled before', async () => {
    const cancel = () => ccbill.cancel({ saleId: '1', returnUrl: '' });
    answer = '<results>1</results>';
    expect(await cancel()).toEqual({ ok: true });
    answer = statusOf({ ...active, results: '0' });
    expect(await cancel()).toEqual({ ok: false, url: 'https://support.ccbill.com/' });
    answer = statusOf({ ...active, subscriptionStatus: '1', results: '0' });
    expect(await cancel()).toEqual({ ok: true });
    answer = '<results>-7</results>';
    await expect(cancel()).rejects.toMatchObject({ code: 'payment/unavailable' });
  });

  test('its word says the same as the webhooks', async () => {
    const about = (saleId: string | undefined) => ccbill.askAbout({ reference, saleId });
    const means = async () => (await about('1'))?.map((event) => event.means);
    expect(await means()).toEqual(['paid', 'paid']);
    answer = statusOf({ subscriptionStatus: '1', cancelDate: '20270116080000', expirationDate: '20270214000000' });
    expect(await means()).toEqual(['paid', 'paid', 'canceled']);
    answer = statusOf({ subscriptionStatus: '0', cancelDate: '20270116080000', expirationDate: '20270120000000' });
    expect(await means()).toEqual(['paid', 'paid', 'canceled', 'ended']);
    expect(await about(undefined)).toBeUndefined();
  });
});
