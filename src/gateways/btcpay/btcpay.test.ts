import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { newOrder } from '#test/support/payments/hosted-orders.ts';
import { openBtcpay } from './btcpay.ts';

let answer: { status: number; body: unknown } = { status: 200, body: {} };
const asked: {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  body: unknown;
}[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { method, url } = request;
  const { authorization } = request.headers;
  asked.push({ method, url, authorization, body: body === '' ? undefined : JSON.parse(body) });
  const isElsewhere = url === '/elsewhere';
  response
    .writeHead(isElsewhere ? 200 : answer.status, { location: '/elsewhere' })
    .end(JSON.stringify(isElsewhere ? invoice : answer.body));
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
afterAll(() => server.close());

const now = new Date('2027-01-15T12:00:00Z');
const btcpay = openBtcpay({
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  storeId: 'store 1',
  apiKey: 'the-api-key',
  webhookSecret: 'the secret',
  now: () => now,
});

const reference = '0123456789abcdef0123456789abcdef';
const invoice = {
  id: 'Inv1',
  storeId: 'store 1',
  amount: '95.880',
  currency: 'EUR',
  status: 'New',
  checkoutLink: 'https://pay.example/i/Inv1',
  metadata: { orderId: reference },
};

test('an order is an invoice with our reference and nothing else about it', async () => {
  answer = { status: 200, body: invoice };
  const order = newOrder({ kind: 'prepaid', amount: 9588 });
  expect(await btcpay.startCheckout(order)).toEqual({ url: 'https://pay.example/i/Inv1' });
  expect(asked.at(-1)).toEqual({
    method: 'POST',
    url: '/api/v1/stores/store%201/invoices',
    authorization: 'token the-api-key',
    body: {
      amount: '95.88',
      currency: 'EUR',
      metadata: { orderId: order.reference },
      checkout: { redirectURL: order.returnUrl, redirectAutomatically: true },
    },
  });
});

test.each([
  ['no such store', { status: 404, body: {} }],
  ['a wrong key', { status: 401, body: invoice }],
  ['an error', { status: 500, body: invoice }],
  ['a redirect, to which the key would go', { status: 307, body: {} }],
  ['no invoice', { status: 200, body: {} }],
  ['a script instead of an address', { status: 200, body: { ...invoice, checkoutLink: 'javascript:alert(1)' } }],
])('%s: the order cannot be begun', async (_what, given) => {
  answer = given;
  const failure = await btcpay.startCheckout(newOrder()).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'payment/unavailable' });
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('the-api-key');
});

describe('webhooks', () => {
  const settled = {
    deliveryId: 'D1',
    type: 'InvoiceSettled',
    timestamp: 1_799_000_000,
    storeId: 'store 1',
    invoiceId: 'Inv1',
    metadata: { orderId: reference },
  };
  const signatureOf = (body: string, secret = 'the secret') =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const post = (body: string, signature: string | undefined) =>
    btcpay.readPostback({
      method: 'POST',
      query: '',
      body,
      header: (name) => (name.toLowerCase() === 'btcpay-sig' ? signature : undefined),
      address: undefined,
    });
  const read = async (fields: object) => {
    const body = JSON.stringify({ ...settled, ...fields });
    return post(body, signatureOf(body));
  };

  test('a settled invoice is paid', async () => {
    expect(await read({})).toEqual([
      {
        id: 'InvoiceSettled:Inv1',
        type: 'InvoiceSettled',
        means: 'paid',
        reference,
        saleId: 'Inv1',
        at: new Date(1_799_000_000_000),
      },
    ]);
  });

  test('the raw body is signed: another spacing, another letter, another key are refused', async () => {
    const body = JSON.stringify(settled, undefined, 2);
    expect(await post(body, signatureOf(body))).toHaveLength(1);
    expect(await post(body, signatureOf(body).toUpperCase().replace('SHA256', 'sha256'))).toHaveLength(1);
    expect(await post(JSON.stringify(settled), signatureOf(body))).toBeUndefined();
    expect(await post(body, signatureOf(body, 'another'))).toBeUndefined();
    expect(await post(body, signatureOf(body).slice(7))).toBeUndefined();
    expect(await post(body, signatureOf(body).replace('sha256', 'sha512'))).toBeUndefined();
    expect(await post(body, undefined)).toBeUndefined();
    expect(await post(body, 'sha256=')).toBeUndefined();
    for (const name of Object.keys(settled))
      expect(
        await post(JSON.stringify({ ...settled, [name]: 'x' }), signatureOf(JSON.stringify(settled))),
      ).toBeUndefined();
  });

  test('another store and a body of another shape are refused', async () => {
    expect(await read({ storeId: 'store 2' })).toBeUndefined();
    expect(await read({ invoiceId: 7 })).toBeUndefined();
    expect(await post('x', signatureOf('x'))).toBeUndefined();
  });

  test('other invoices of the store are nothing of ours', async () => {
    for (const metadata of [undefined, null, {}, { orderId: 7 }, { orderId: 'cup of tea' }])
      expect(await read({ metadata })).toEqual([]);
  });

  test.each([
    ['InvoiceReceivedPayment', 'waits', 'InvoiceReceivedPayment:Inv1:P1'],
    ['InvoicePaymentSettled', 'waits', 'InvoicePaymentSettled:Inv1:P1'],
    ['InvoiceProcessing', 'waits', 'InvoiceProcessing:Inv1'],
    ['InvoiceExpired', 'closed', 'InvoiceExpired:Inv1'],
    ['InvoiceInvalid', 'closed', 'InvoiceInvalid:Inv1'],
    ['InvoiceOfNextYear', 'unknown', 'InvoiceOfNextYear:Inv1'],
  ])('%s means %s, once however often it is delivered', async (type, means, id) => {
    const payment = id.endsWith('P1') ? { id: 'P1' } : undefined;
    const first = await read({ type, payment });
    expect(first).toMatchObject([{ means, id, reference }]);
    expect(await read({ type, payment, deliveryId: 'D2', isRedelivery: true })).toEqual(first);
  });

  test('what an operator has to look at is said', async () => {
    expect(await read({ type: 'InvoiceExpired', partiallyPaid: true })).toMatchObject([{ reason: 'partially paid' }]);
    expect(await read({ manuallyMarked: true })).toMatchObject([{ reason: 'marked by hand' }]);
    expect(await read({ type: 'InvoiceCreated' })).toEqual([]);
  });
});

describe('asked about', () => {
  const about = (saleId: string | undefined) => btcpay.askAbout({ reference, saleId });

  test.each([
    ['Settled', 'paid', 'InvoiceSettled:Inv1'],
    ['Processing', 'waits', 'InvoiceProcessing:Inv1'],
    ['Expired', 'closed', 'InvoiceExpired:Inv1'],
    ['Invalid', 'closed', 'InvoiceInvalid:Inv1'],
  ])('%s says the same as its webhook', async (status, means, id) => {
    answer = { status: 200, body: { ...invoice, status } };
    expect(await about('Inv1')).toMatchObject([{ means, id, reference, saleId: 'Inv1' }]);
    expect(asked.at(-1)).toMatchObject({ method: 'GET', url: '/api/v1/stores/store%201/invoices/Inv1' });
  });

  test('amounts are exact, as text or as a number', async () => {
    answer = { status: 200, body: { ...invoice, status: 'Settled' } };
    expect(await about('Inv1')).toMatchObject([{ amount: 9588, currency: 'eur' }]);
    answer = { status: 200, body: { ...invoice, status: 'Settled', amount: 95.88 } };
    expect(await about('Inv1')).toMatchObject([{ amount: 9588 }]);
  });

  test('an order without a known invoice is found by its reference, the paid one first', async () => {
    answer = { status: 200, body: [invoice, { ...invoice, id: 'Inv2', status: 'Settled' }] };
    expect(await about(undefined)).toMatchObject([{ saleId: 'Inv2', means: 'paid' }]);
    expect(asked.at(-1)?.url).toBe(`/api/v1/stores/store%201/invoices?orderId=${reference}`);
    answer = { status: 200, body: [] };
    expect(await about(undefined)).toBeUndefined();
  });

  test('an unpaid one has no events, and another’s or an unknown one is not known', async () => {
    answer = { status: 200, body: invoice };
    expect(await about('Inv1')).toEqual([]);
    answer = { status: 200, body: { ...invoice, metadata: { orderId: 'x' } } };
    expect(await about('Inv1')).toBeUndefined();
    answer = { status: 200, body: { ...invoice, storeId: 'store 2' } };
    expect(await about('Inv1')).toBeUndefined();
    answer = { status: 404, body: {} };
    expect(await about('Inv1')).toBeUndefined();
  });
});

test('nothing renews, and the receipt is a page of the server', async () => {
  expect(await btcpay.cancel({ saleId: 'Inv1', returnUrl: '' })).toEqual({ ok: true });
  expect(btcpay.accountUrl({ saleId: 'Inv1' })).toMatch(/:\d+\/i\/Inv1\/receipt$/);
});
