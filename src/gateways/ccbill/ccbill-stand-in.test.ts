import { createTestStandIns, press, visit } from 'payment-stand-ins/testing';
import { beforeEach, expect, test } from 'vitest';
import { openBuyers } from '#test/support/payments/hosted-buyers.ts';
import { openCcbill } from './ccbill.ts';

/** The gateway and the stand-in over HTTP, each with its own code for the same protocol. */

const { standIns, received } = await createTestStandIns({
  ccbillUrls: {
    approved: 'https://sotto.example/subscribe/return?reference=%%reference%%',
    denied: 'https://sotto.example/subscribe?reference=%%reference%%',
  },
});
const { sales } = standIns;
const local = { formUrl: standIns.url, dataLinkUrl: standIns.url, networks: ['127.0.0.0/8'] };
const ccbill = openCcbill({ ...standIns.credentials.ccbill, ...local });

const { heard, begin, buy } = openBuyers(ccbill, received);

beforeEach(() => {
  received.length = 0;
});

const end = (day: string) => new Date(`${day}T23:59:59Z`);

test('a payment is said with our reference and confirmed by DataLink', async () => {
  const { order, event, saleId } = await buy();
  expect(event).toMatchObject({
    means: 'paid',
    reference: order.reference,
    amount: 799,
    currency: 'eur',
    until: end('2027-02-14'),
    at: new Date('2027-01-15T12:00:00Z'),
    card: { brand: 'visa', last4: '1111' },
    country: 'NL',
  });
  expect(saleId).toMatch(/^0\d{18}$/);
});

test('trials, years, single payments and JPY', async () => {
  expect((await buy({ first: { amount: 0, days: 7 } })).event).toMatchObject({ amount: 0, until: end('2027-01-22') });
  expect((await buy({ period: 'year', amount: 5988 })).event).toMatchObject({ amount: 5988, until: end('2028-01-15') });
  expect((await buy({ kind: 'single' })).event).toMatchObject({ means: 'paid', amount: 799 });
  expect((await buy({ currency: 'jpy', amount: 800 })).event).toMatchObject({ amount: 800, currency: 'jpy' });
});

test('declined and closed', async () => {
  const { order, url } = await begin();
  const denied = `https://sotto.example/subscribe?reference=${order.reference}`;
  expect(await press(url, 'Decline')).toBe(denied);
  expect(await heard()).toMatchObject([{ means: 'declined', reference: order.reference, reason: 'Invalid Input.' }]);
  expect(await press(url, 'Close')).toBe(denied);
  expect(await heard()).toEqual([]);
});

test('renewals, a cancellation by DataLink, another mind and the end', async () => {
  const { saleId } = await buy();
  await sales.advance(saleId, { days: 31 });
  expect(await heard()).toMatchObject([
    { means: 'paid', type: 'RenewalSuccess', amount: 799, saleId, reference: undefined, until: end('2027-03-16') },
  ]);
  expect(await ccbill.cancel({ saleId, returnUrl: '' })).toEqual({ ok: true });
  await standIns.tick();
  expect(await heard()).toMatchObject([{ means: 'canceled', until: end('2027-03-16') }]);
  expect(await ccbill.cancel({ saleId, returnUrl: '' })).toEqual({ ok: true });
  await sales.uncancel(saleId);
  expect(await heard()).toMatchObject([{ means: 'resumed', until: end('2027-03-16') }]);
  await sales.cancel(saleId);
  await sales.advance(saleId, { days: 60 });
  // The cancellation was first, and both are read when it is over.
  expect(await heard()).toMatchObject([{ means: 'canceled' }, { means: 'ended' }]);
  expect(await ccbill.askAbout({ reference: '', saleId })).toMatchObject([
    { means: 'paid', id: `NewSaleSuccess:${saleId}` },
    { means: 'paid', amount: 0 },
    { means: 'canceled' },
    { means: 'ended' },
  ]);
});

test('a card that fails is said, and then the sale ends', async () => {
  const { saleId } = await buy();
  await sales.failCard(saleId, true);
  await sales.advance(saleId, { days: 30 });
  expect(await heard()).toMatchObject([{ means: 'declined', reason: 'Insufficient funds.' }]);
  await sales.advance(saleId, { days: 20 });
  expect((await heard()).map((event) => event?.means)).toEqual(['declined', 'declined', 'declined', 'ended']);
});

test('refunds in part and whole, and a chargeback after 40 days', async () => {
  const { saleId } = await buy();
  await sales.refund(saleId, { price: '2.00' });
  expect(await heard()).toMatchObject([{ means: 'refunded', amount: 200, currency: 'eur' }]);
  await sales.advance(saleId, { days: 40 });
  await sales.chargeBack(saleId);
  expect(await heard()).toMatchObject([
    { means: 'paid' },
    { means: 'charged-back', amount: 799, reason: 'Fraudulent transaction' },
    { means: 'ended' },
  ]);
});

test('an altered form is refused', async () => {
  const { url } = await begin();
  for (const name of [
    'initialPrice',
    'initialPeriod',
    'recurringPrice',
    'numRebills',
    'currencyCode',
    'clientAccnum',
  ]) {
    const altered = new URL(url);
    altered.searchParams.set(name, '3');
    expect((await visit(altered.href)).status).toBe(400);
  }
});

test('a webhook that DataLink contradicts, another account and a wrong password', async () => {
  const { saleId } = await buy();
  await sales.cancel(saleId);
  const [cancellation] = received.splice(0);
  await sales.uncancel(saleId);
  received.length = 0;
  expect(cancellation && (await ccbill.readPostback(cancellation))).toMatchObject([{ means: 'unknown' }]);
  const another = { ...standIns.credentials.ccbill, ...local, clientAccnum: '900100' };
  expect(cancellation && (await openCcbill(another).readPostback(cancellation))).toBeUndefined();
  const locked = openCcbill({ ...standIns.credentials.ccbill, ...local, dataLinkPassword: 'x' });
  const unavailable = expect.objectContaining({ code: 'payment/unavailable' });
  await expect(locked.askAbout({ reference: '', saleId })).rejects.toEqual(unavailable);
  expect(await ccbill.askAbout({ reference: '', saleId: '1' })).toBeUndefined();
});
