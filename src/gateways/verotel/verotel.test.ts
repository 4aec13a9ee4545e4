import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newOrder } from '#test/support/payments/hosted-orders.ts';
import type { HostedOrder, Postback } from '#domain/membership/hosted/hosted-provider.ts';
import { readSale } from './read-sale.ts';
import { isSigned, signatureOfRequest, signedAddress } from './signature.ts';
import { openVerotel } from './verotel.ts';

/** Shop and key of the official libraries' tests. */
const official = { shopId: '68849', signatureKey: 'zpXwe2D77g4P7ysGJcr3rY87TBYs6J' };
const sample = {
  shopID: '68849',
  saleID: '433456',
  priceAmount: '0.00',
  referenceID: 'reference1234',
  priceCurrency: 'USD',
  custom1: 'My',
  description: 'My Dščřčřřěřě&?=blah123',
  subscriptionType: 'RECURRING',
  period: 'P1M',
  name: 'My name',
  trialAmount: '0.01',
  trialPeriod: 'P3D',
  cancelDiscountPercentage: '30',
  blah: 'something',
};
const php = { ...sample, successURL: 'http://backURL.test', declineURL: 'http://declineURL.test' };
const java = { ...sample, successURL: 'http://successURL.test', declineURL: 'http://declineURL.test' };
const { saleID: _sale, blah: _blah, ...signedAlone } = java;

describe('signatures of the official libraries', () => {
  test.each([
    ['PHP', php, 'ff5cf9bcc0497c8cb40087065e5016dcfbe2efd23327f6c67614fa23537c24b2'],
    ['Java', java, '1a790e1ebf654b9a38884a5c9a867a7e57134f103a1c9c8d9854da794a839d03'],
  ])('a request signs its list of parameters: %s', (_library, parameters, signature) => {
    expect(signatureOfRequest(official, parameters)).toBe(signature);
  });

  test.each([
    ['PHP', php, 'e50b4e92fcd0a21114d3bf3a64f888edfbc784df170e70ee165c4350fe9ffc3c'],
    ['Java', signedAlone, '0df722dd32b8a9f68e3ae4e3f226651eba1397d7928862635ba32674dc7bed6a'],
  ])('a postback signs all of them: %s', (_library, parameters, signature) => {
    expect(isSigned(official, { ...parameters, signature })).toBe(true);
    expect(isSigned(official, { ...parameters, signature: signature.toUpperCase() })).toBe(true);
  });

  test('addresses of orders: Java', () => {
    const shop = { ...official, shopId: '60678' };
    const purchase = {
      priceAmount: '45.20',
      priceCurrency: 'EUR',
      description: 'My Dščřčřřěřě&?=blah123',
      paymentMethod: 'CC',
      email: 'foo@example.com',
      custom1: 'custom1',
      custom2: 'custom2',
      custom3: 'custom3',
      referenceID: 'ref1',
      successURL: 'http://example.com/approve',
      declineURL: 'http://example.com/decline',
      type: 'purchase',
    };
    const upgrade = {
      custom1: 'custom1 value',
      name: 'My Dščřčřřěřě&?=blah123',
      period: 'P1M',
      precedingSaleID: '433456',
      priceAmount: '0.00',
      priceCurrency: 'USD',
      subscriptionType: 'recurring',
      successURL: 'http://successURL.test',
      trialAmount: '0.01',
      trialPeriod: 'P3D',
      type: 'upgradesubscription',
    };
    const signatureIn = (parameters: Record<string, string>) =>
      new URL(signedAddress(shop, 'https://secure.verotel.com/startorder', parameters)).searchParams.get('signature');
    expect(signatureIn(purchase)).toBe('08a33095ae3f4cee4ba25bc50a4076d11c008b84e40423a1cd436c29d2a9225b');
    expect(signatureIn(upgrade)).toBe('cc4da94d214a4eb64a3f7affa3c39d168a9163c020f9caacca9bfd7498e33abc');
  });

  test('a shop is always signed', () => {
    const signature = 'acb4dd91827bc79999a04ac2082d0e43bb018a9ce563dfd3e863fbae32e5f381';
    expect(signatureOfRequest({ shopId: '123', signatureKey: 'aaB' }, { saleID: '345' })).toBe(signature);
    expect(isSigned({ shopId: '123', signatureKey: 'aaB' }, { saleID: '345', signature })).toBe(true);
  });

  test('SHA-1, which they still take, is refused', () => {
    expect(isSigned(official, { ...php, signature: '3650ddcc9360de60f4fc78604057c9f3246923cb' })).toBe(false);
  });

  test('absent and empty parameters are left out of requests', () => {
    const address = signedAddress({ shopId: '123', signatureKey: 'aaB' }, 'https://v.example/x', {
      saleID: '345',
      custom1: '',
      custom2: undefined,
    });
    expect([...new URL(address).searchParams.keys()]).toEqual(['version', 'shopID', 'saleID', 'signature']);
  });
});

const shop = { shopId: '60001', signatureKey: 'key-of-these-tests' };
const now = new Date('2027-01-10T12:00:00Z');
const verotel = openVerotel({ ...shop, ownParameters: ['provider'], now: () => now });
const reference = '0123456789abcdef0123456789abcdef';
const initial = {
  event: 'initial',
  type: 'subscription',
  shopID: '60001',
  saleID: '3445',
  referenceID: reference,
  priceAmount: '7.99',
  priceCurrency: 'EUR',
  amount: '7.99',
  transactionID: '99001',
  paymentMethod: 'CC',
  CCBrand: 'VISA',
  truncatedPAN: '411111xxxxxx1111',
  period: 'P1M',
  nextChargeOn: '2027-02-10',
  subscriptionType: 'recurring',
  subscriptionPhase: 'normal',
  custom1: '',
};

/** As Verotel's own description says it, apart from the gateway's code. */
function sign(parameters: Record<string, string>, key = shop.signatureKey): string {
  const pairs = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${parameters[name]}`);
  return createHash('sha256')
    .update([key, ...pairs].join(':'))
    .digest('hex');
}

const encoded = (parameters: Record<string, string>) =>
  new URLSearchParams({ ...parameters, signature: sign(parameters) }).toString();

function postback(query: string, more: Partial<Postback> = {}): Postback {
  return { method: 'GET', query, body: '', header: () => undefined, address: '192.0.2.1', ...more };
}

const read = (parameters: Record<string, string>) => verotel.readPostback(postback(encoded(parameters)));

describe('postbacks', () => {
  test('an initial one is a charge until the next', async () => {
    expect(await read(initial)).toEqual([
      {
        id: 'initial:3445',
        type: 'initial',
        means: 'paid',
        reference,
        saleId: '3445',
        at: now,
        until: new Date('2027-02-10T23:59:59Z'),
        amount: 799,
        currency: 'eur',
        transactionId: '99001',
        card: { brand: 'visa', last4: '1111' },
      },
    ]);
  });

  test('they come as GET or POST, and what our own address adds is not signed', async () => {
    const expected = await read(initial);
    expect(await verotel.readPostback(postback('', { method: 'POST', body: encoded(initial) }))).toEqual(expected);
    expect(
      await verotel.readPostback(postback('provider=verotel', { method: 'POST', body: encoded(initial) })),
    ).toEqual(expected);
    expect(await verotel.readPostback(postback(`provider=verotel&${encoded(initial)}`))).toEqual(expected);
    expect(await verotel.readPostback(postback(encoded(initial), { method: 'POST' }))).toEqual(expected);
  });

  test.each(Object.keys(initial))('an altered %s is refused', async (name) => {
    const query = new URLSearchParams(encoded(initial));
    query.set(name, `${query.get(name)}1`);
    expect(await verotel.readPostback(postback(query.toString()))).toBeUndefined();
    query.delete(name);
    const left = await verotel.readPostback(postback(query.toString()));
    // Without a shop it is the signing one, as in the official libraries.
    if (name === 'shopID') expect(left).toHaveLength(1);
    else expect(left).toBeUndefined();
  });

  test.each([
    ['an added parameter', `${encoded(initial)}&more=1`],
    ['a parameter that comes twice', `${encoded(initial)}&saleID=3445`],
    ['no signature', new URLSearchParams(initial).toString()],
    ['an empty signature', `${new URLSearchParams(initial).toString()}&signature=`],
    ['another key', new URLSearchParams({ ...initial, signature: sign(initial, 'another') }).toString()],
    ['nothing', ''],
  ])('%s is refused', async (_what, query) => {
    expect(await verotel.readPostback(postback(query))).toBeUndefined();
  });

  test('another shop is refused, even with the same key', async () => {
    expect(await read({ ...initial, shopID: '60002' })).toBeUndefined();
  });

  test('parameters joined into one value have the same signature, and are refused', async () => {
    const { custom1: _custom1, ...rest } = initial;
    const apart = { ...rest, custom1: 'a', custom2: 'b' };
    const joined = { ...rest, custom1: 'a:custom2=b' };
    expect(sign(joined)).toBe(sign(apart));
    expect(await read(apart)).toHaveLength(1);
    expect(await read(joined)).toBeUndefined();
    expect(await read({ ...rest, 'custom1=a:custom2': 'b' })).toBeUndefined();
  });

  test('only our own references and numbers are taken from it', async () => {
    const [event] = (await read({ ...initial, referenceID: 'reference1234' })) ?? [];
    expect(event).toMatchObject({ reference: undefined, saleId: '3445' });
    expect(await read({ ...initial, referenceID: 'x', saleID: 'x' })).toEqual([]);
  });

  const sale = { shopID: '60001', saleID: '3445', referenceID: reference, type: 'subscription' };
  const money = { priceAmount: '7.99', priceCurrency: 'EUR' };
  test.each([
    [
      { event: 'rebill', amount: '7.99', transactionID: '7', nextChargeOn: '2027-03-10' },
      'paid',
      'rebill:7',
      '2027-03-10',
    ],
    [{ event: 'rebill', nextChargeOn: '2027-03-10' }, 'paid', 'rebill:3445:2027-03-10', '2027-03-10'],
    [{ event: 'extend', nextChargeOn: '2027-03-12' }, 'paid', 'extend:3445:2027-03-12', '2027-03-12'],
    [{ event: 'cancel', expiresOn: '2027-03-10' }, 'canceled', 'cancel:3445:2027-03-10', '2027-03-10'],
    [{ event: 'uncancel', nextChargeOn: '2027-03-10' }, 'resumed', 'uncancel:3445:2027-03-10', '2027-03-10'],
    [{ event: 'expiry' }, 'ended', 'expiry:3445', undefined],
    [{ event: 'credit', amount: '2.00', transactionID: '8', parentID: '7' }, 'refunded', 'credit:8', undefined],
    [
      { event: 'chargeback', amount: '-7.99', transactionID: '9', parentID: '7' },
      'charged-back',
      'chargeback:9',
      undefined,
    ],
    [{ event: 'upgrade', precedingSaleID: '3000', nextChargeOn: '2027-03-10' }, 'paid', 'upgrade:3445', '2027-03-10'],
    [{ type: 'purchase', transactionID: '4' }, 'paid', 'purchase:3445', undefined],
    [
      { event: 'downgrade', precedingSaleID: '3445' },
      'unknown',
      expect.stringMatching(/^downgrade:[0-9a-f]{16}$/),
      undefined,
    ],
    [{ event: 'downgrade' }, 'unknown', expect.stringMatching(/^downgrade:[0-9a-f]{16}$/), undefined],
    [{ event: 'of-next-year' }, 'unknown', expect.stringMatching(/^of-next-year:[0-9a-f]{16}$/), undefined],
  ])('%j', async (parameters, means, id, day) => {
    const [event] = (await read({ ...sale, ...money, ...parameters } as Record<string, string>)) ?? [];
    expect(event).toMatchObject({ means, id, reference, saleId: '3445' });
    expect(event?.until).toEqual(day === undefined ? undefined : new Date(`${day}T23:59:59Z`));
  });

  test('amounts of refunds, trials, extensions and replaced sales', async () => {
    const amountOf = async (parameters: object) => {
      const [event] = (await read({ ...sale, ...money, ...parameters })) ?? [];
      return { amount: event?.amount, currency: event?.currency, of: event?.ofTransaction };
    };
    expect(await amountOf({ event: 'credit', amount: '2.00', transactionID: '8', parentID: '7' })).toEqual({
      amount: 200,
      currency: 'eur',
      of: '7',
    });
    expect(await amountOf({ event: 'chargeback', amount: '-7.99', transactionID: '9' })).toMatchObject({ amount: 799 });
    expect(await amountOf({ event: 'initial', subscriptionPhase: 'trial', trialAmount: '0.00' })).toMatchObject({
      amount: 0,
    });
    expect(await amountOf({ event: 'extend', nextChargeOn: '2027-03-12' })).toMatchObject({ amount: 0 });
    expect(await amountOf({ event: 'initial', amount: 'seven' })).toMatchObject({ amount: undefined });
    const [, replaced] = (await read({ ...sale, ...money, event: 'upgrade', precedingSaleID: '3000' })) ?? [];
    expect(replaced).toMatchObject({ means: 'ended', saleId: '3000', reference: undefined });
  });
});

const order = newOrder({ reference });
const asked = async (more: Partial<HostedOrder>) =>
  Object.fromEntries(new URL((await verotel.startCheckout({ ...order, ...more })).url).searchParams);

test('a checkout is a signed address that names nobody', async () => {
  const { url } = await verotel.startCheckout(order);
  expect(url).toMatch(/^https:\/\/secure\.verotel\.com\/startorder\?/);
  const { signature, ...parameters } = await asked({});
  expect(parameters).toEqual({
    version: '4',
    shopID: '60001',
    type: 'subscription',
    subscriptionType: 'recurring',
    name: 'Sotto',
    period: 'P1M',
    priceAmount: '7.99',
    priceCurrency: 'EUR',
    referenceID: reference,
    successURL: order.returnUrl,
    declineURL: order.closeUrl,
  });
  expect(signature).toBe(sign(parameters));
});

test('years, trials, reduced first charges, prepaid and single payments', async () => {
  expect(await asked({ period: 'year', amount: 5988, first: { amount: 0, days: 7 } })).toMatchObject({
    period: 'P1Y',
    priceAmount: '59.88',
    trialAmount: '0.00',
    trialPeriod: 'P7D',
  });
  expect(await asked({ first: { amount: 399, days: 30 } })).toMatchObject({ trialAmount: '3.99', trialPeriod: 'P30D' });
  expect(await asked({ kind: 'prepaid' })).toMatchObject({ subscriptionType: 'one-time', period: 'P1M' });
  const single = await asked({ kind: 'single' });
  expect(single).toMatchObject({ type: 'purchase', description: 'Sotto' });
  expect(Object.keys(single)).not.toContain('period');
});

test('a subscriber cancels on a signed page', async () => {
  const answer = await verotel.cancel({ saleId: '3445', returnUrl: 'https://sotto.example/account' });
  const { signature, ...parameters } = Object.fromEntries(
    new URL('url' in answer ? (answer.url ?? '') : '').searchParams,
  );
  expect(parameters).toEqual({ version: '4', shopID: '60001', saleID: '3445' });
  expect(signature).toBe(sign(parameters));
});

describe('the status of a sale', () => {
  const lines = (facts: Record<string, string>) =>
    Object.entries({ response: 'FOUND', shopID: '60001', saleID: '3445', saleResult: 'APPROVED', ...facts })
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n');
  const means = (facts: Record<string, string>) =>
    readSale(lines(facts), '60001', now)?.map((event) => [event.means, event.id, event.amount]);
  const recurring = { type: 'subscription', subscriptionType: 'recurring', priceAmount: '7.99', priceCurrency: 'EUR' };

  test('says the same as the postbacks', () => {
    expect(means({ ...recurring, nextChargeOn: '2027-02-10', expiresOn: '' })).toEqual([
      ['paid', 'initial:3445', 799],
      ['paid', 'status:3445:2027-02-10', 0],
    ]);
    expect(means({ ...recurring, trialAmount: '0.00', trialPeriod: 'P7D', nextChargeOn: '2027-01-17' })?.[0]).toEqual([
      'paid',
      'initial:3445',
      0,
    ]);
    expect(means({ ...recurring, expiresOn: '2027-02-10' })?.at(-1)).toEqual([
      'canceled',
      'cancel:3445:2027-02-10',
      undefined,
    ]);
    expect(means({ ...recurring, expiresOn: '2027-01-08' })?.at(-1)?.[0]).toBe('ended');
    expect(means({ type: 'purchase', priceAmount: '7.99', priceCurrency: 'EUR' })).toEqual([
      ['paid', 'purchase:3445', 799],
    ]);
    expect(means({ ...recurring, saleResult: 'DECLINED' })).toEqual([]);
  });

  test('an unknown sale has no events, and another shop or an error page is no answer', () => {
    expect(readSale('response: NOTFOUND', '60001', now)).toBeUndefined();
    const unavailable = expect.objectContaining({ code: 'payment/unavailable' });
    expect(() => readSale(lines({ shopID: '60002' }), '60001', now)).toThrow(unavailable);
    expect(() => readSale('<html><p>Maintenance</p></html>', '60001', now)).toThrow(unavailable);
  });
});
