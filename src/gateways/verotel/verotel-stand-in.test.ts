import { createTestStandIns, press, visit } from 'payment-stand-ins/testing';
import { beforeEach, expect, test } from 'vitest';
import { openBuyers } from '#test/support/payments/hosted-buyers.ts';
import { newOrder } from '#test/support/payments/hosted-orders.ts';
import { openVerotel } from './verotel.ts';

/** The gateway and the stand-in over HTTP, each with its own code for the same protocol. */

const { standIns, received, answers, clock } = await createTestStandIns();
const { shopId, signatureKey } = standIns.credentials.verotel;
const verotel = openVerotel({ shopId, signatureKey, baseUrl: standIns.url, now: clock.now });

const { heard, begin, buy } = openBuyers(verotel, received);

beforeEach(() => {
  received.length = 0;
  answers.length = 0;
});

const meaning = (events: Awaited<ReturnType<typeof heard>>) => events.map((event) => event?.means);
const end = (day: string) => new Date(`${day}T23:59:59Z`);

test('the page says what is bought, that it is a stand-in, and needs no script', async () => {
  const { order, url } = await begin({ first: { amount: 0, days: 7 } });
  const { status, text, headers } = await visit(url);
  expect(status).toBe(200);
  expect(text).toContain('This is not Verotel.');
  expect(text).toContain('0.00 EUR for 7 days');
  expect(text).toContain('7.99 EUR for 1 month, renewed until it is canceled');
  expect(text).toContain(order.reference);
  expect(text).not.toContain('<script');
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' https://sotto.example");
  expect((await visit(url)).text).toBe(text);
});

test('a payment is said before the buyer is back', async () => {
  const { order, event } = await buy();
  expect(event).toMatchObject({
    means: 'paid',
    reference: order.reference,
    amount: 799,
    currency: 'eur',
    until: end('2027-02-15'),
    card: { brand: 'visa', last4: '1111' },
  });
});

test('trials, years and single payments', async () => {
  expect((await buy({ first: { amount: 0, days: 7 } })).event).toMatchObject({ amount: 0, until: end('2027-01-22') });
  expect((await buy({ first: { amount: 399, days: 30 } })).event).toMatchObject({ amount: 399 });
  expect((await buy({ period: 'year', amount: 5988 })).event).toMatchObject({ amount: 5988, until: end('2028-01-15') });
  const { event } = await buy({ kind: 'single' });
  expect(event).toMatchObject({ type: 'purchase', means: 'paid', amount: 799 });
  expect(event?.until).toBeUndefined();
  expect((await buy({ kind: 'prepaid' })).event).toMatchObject({ means: 'paid', until: end('2027-02-15') });
});

test('who declines or closes comes back, and nothing is said', async () => {
  for (const button of ['Decline', 'Close']) {
    const { order, url } = await begin();
    expect(await press(url, button)).toBe(order.closeUrl);
    // The order stays open.
    expect(await press(url, 'Pay')).toBe(order.returnUrl);
    expect(meaning(await heard())).toEqual(['paid']);
    expect((await visit(url)).text).toContain('This order is active.');
  }
});

test('renewals, a cancellation on its page, another mind and the end', async () => {
  const { order, saleId } = await buy();
  await standIns.sales.advance(saleId, { days: 31 });
  expect(await heard()).toMatchObject([{ means: 'paid', type: 'rebill', amount: 799, until: end('2027-03-15') }]);

  const canceled = await verotel.cancel({ saleId, returnUrl: 'https://sotto.example/account' });
  const page = 'url' in canceled ? (canceled.url ?? '') : '';
  await press(page, 'Cancel the subscription');
  expect(await heard()).toMatchObject([
    { means: 'canceled', saleId, reference: order.reference, until: end('2027-03-15') },
  ]);
  expect((await visit(page)).text).not.toContain('<button');

  await standIns.sales.uncancel(saleId);
  await standIns.sales.advance(saleId, { days: 28 });
  expect(await heard()).toMatchObject([
    { means: 'resumed', until: end('2027-03-15') },
    { means: 'paid', until: end('2027-04-15') },
  ]);
  await standIns.sales.extend(saleId, 3);
  await standIns.sales.cancel(saleId);
  await standIns.sales.advance(saleId, { days: 40 });
  expect(await heard()).toMatchObject([
    { means: 'paid', amount: 0, until: end('2027-04-18') },
    { means: 'canceled', until: end('2027-04-18') },
    { means: 'ended' },
  ]);
});

test('a card that fails is tried again in silence, and then the sale ends', async () => {
  const { saleId } = await buy();
  await standIns.sales.failCard(saleId, true);
  await standIns.sales.advance(saleId, { days: 50 });
  expect(meaning(await heard())).toEqual(['ended']);
});

test('refunds in part and whole, and a chargeback after 40 days', async () => {
  const { saleId, event } = await buy();
  await standIns.sales.refund(saleId, { price: '2.00' });
  expect(await heard()).toMatchObject([
    { means: 'refunded', amount: 200, currency: 'eur', ofTransaction: event?.transactionId },
  ]);
  await standIns.sales.advance(saleId, { days: 40 });
  expect(meaning(await heard())).toEqual(['paid']);
  await standIns.sales.chargeBack(saleId);
  expect(await heard()).toMatchObject([{ means: 'charged-back', amount: 799 }, { means: 'ended' }]);
});

test('what was missed is known when it is asked about', async () => {
  await standIns.setDisorder({ lose: 2 });
  const { order, url } = await begin();
  expect(await verotel.askAbout({ reference: order.reference, saleId: undefined })).toBeUndefined();
  await press(url, 'Pay');
  const sale = await standIns.sales.find('verotel', order.reference);
  await standIns.sales.advance(sale?.id ?? '', { days: 31 });
  expect(await heard()).toEqual([]);
  const about = await verotel.askAbout({ reference: order.reference, saleId: undefined });
  expect(about).toMatchObject([
    { means: 'paid', id: `initial:${sale?.id}`, amount: 799, reference: order.reference, until: end('2027-03-15') },
    { means: 'paid', amount: 0, until: end('2027-03-15') },
  ]);
  await standIns.sales.cancel(sale?.id ?? '');
  const [canceled] = await heard();
  const again = await verotel.askAbout({ reference: order.reference, saleId: sale?.id });
  expect(again?.at(-1)).toMatchObject({ means: 'canceled', id: canceled?.id });
});

test('an order that was altered on its way is refused', async () => {
  const { url } = await begin();
  for (const [name, value] of Object.entries({ priceAmount: '0.01', shopID: '2', signature: 'a', period: 'P9Y' })) {
    const altered = new URL(url);
    altered.searchParams.set(name, value);
    const { status, text } = await visit(altered.href);
    expect(status).toBe(400);
    expect(text).toContain('This order is not right');
  }
});

test('while it is off there is no answer, and later everything is said', async () => {
  const { saleId, order } = await buy();
  await standIns.setDisorder({ off: ['verotel'] });
  const { url } = await verotel.startCheckout(newOrder());
  expect((await visit(url)).status).toBe(503);
  const unavailable = expect.objectContaining({ code: 'payment/unavailable' });
  await expect(verotel.askAbout({ reference: order.reference, saleId })).rejects.toEqual(unavailable);
  clock.pass(31 * 86_400_000);
  await standIns.tick();
  expect(await heard()).toEqual([]);
  await standIns.setDisorder({ off: [] });
  await standIns.tick();
  expect(meaning(await heard())).toContain('paid');
});
