import { asc, desc, eq } from 'drizzle-orm';
import { createCard } from 'stripe-sandbox/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { formatMoney } from '#formats/numbers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';
import { operator } from '../../kernel/actor.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { invoiceText } from '../invoice-rules.ts';
import { findInvoice } from '../invoices.ts';
import { reconcile } from '../sync/reconcile.ts';
import { giftCards, invoices } from '../tables.ts';
import { issueDocuments } from './documents.ts';
import { withPresets } from './presets.ts';
import { sumTax } from './report.ts';
import { type TaxSettings, taxSetting } from './settings.ts';
import { taxDocuments } from './tables.ts';

const { db, url } = await createTestDatabase();
const { provider, sandbox, stripe, sent, enterCard, newCard } = await stripeHarness(url);
afterAll(() => sandbox.close());
const site = openTestMembership(db, { provider } as never);

async function setTax(change: Partial<TaxSettings>): Promise<void> {
  const { value, revision } = await findSetting(db, taxSetting);
  await db.transaction((tx) =>
    changeSetting(tx, taxSetting, { actor: operator, value: { ...value, ...change }, revision }),
  );
}
await setTax({
  mode: 'provider',
  rates: withPresets([]),
  seller: { name: 'Sotto Audio GmbH', address: 'Berlin', country: 'DE', vatId: '' },
});

type By = { card?: string; address?: string; promoCode?: string; period?: 'month' | 'year' };

async function subscribe({ card = '4000002500000003', address, ...order }: By, by = site) {
  const { id } = await createListener(site);
  await db.execute(`insert into memberships (user_id, trial_used_at) values ('${id}', now())`);
  const { id: cardId } = await createCard(stripe, card);
  const outcome = await by.createSubscription(id, orderOf(cardId, order), address);
  expect(outcome).toEqual({ ok: true, action: undefined });
  return id;
}

const documentsOf = (userId: string) =>
  db.select().from(taxDocuments).where(eq(taxDocuments.userId, userId)).orderBy(asc(taxDocuments.number));

/** As Stripe has it. */
async function chargedBy(userId: string) {
  const [row] = await db.select().from(invoices).where(eq(invoices.userId, userId));
  const invoice = await stripe.invoices.retrieve(row?.invoiceId ?? '');
  const tax = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return { tax, gross: invoice.amount_paid, automatic: invoice.automatic_tax.enabled };
}

test('the invoice has the tax that Stripe charged, of the card’s country, shared out over its lines', async () => {
  await provider.createPromoCode({ code: 'SOME33', percentOff: 33, duration: 'once', currency: 'usd' });
  const userId = await subscribe({ promoCode: 'SOME33', period: 'year' });
  const charged = await chargedBy(userId);
  const [document] = await documentsOf(userId);
  expect(charged.automatic).toBe(true);
  expect(document).toMatchObject({
    country: 'FR',
    permille: 200,
    tax: charged.tax,
    gross: charged.gross,
    taxes: [{ name: 'VAT', place: 'FR', percentage: 20, amount: charged.tax }],
    evidence: { payment: 'FR' },
  });
  const { lines = [] } = document ?? {};
  expect(lines.map(({ kind }) => kind)).toEqual(['plan', 'discount']);
  expect(lines.reduce((sum, { tax }) => sum + tax, 0)).toBe(charged.tax);
});

test('Stripe’s cents count where its rounding is another one', async () => {
  // 20% of 2.5 is 0.5: Stripe rounds the tax, and the table the net amount.
  await provider.createPromoCode({ code: 'MOST', amountOff: 799 - 63, duration: 'once', currency: 'usd' });
  const userId = await subscribe({ promoCode: 'MOST' });
  expect(await chargedBy(userId)).toMatchObject({ gross: 63, tax: 11 });
  expect(await documentsOf(userId)).toMatchObject([{ net: 52, tax: 11, gross: 63 }]);
});

test('the network says the place where the card does not, and several decimals are shown', async () => {
  const userId = await subscribe({ card: '4242424242424242', address: '192.0.2.5' });
  const [document] = await documentsOf(userId);
  expect(document).toMatchObject({ country: 'US', permille: 89, tax: 65, gross: 799 });
  const shown = await findInvoice(site.parts, userId, document?.invoiceId ?? '');
  if (shown === undefined) throw new Error('the invoice is missing');
  expect(invoiceText(shown).sums.map(({ label, amount }) => `${label} ${amount}`)).toEqual([
    `Net ${formatMoney(734, 'usd')}`,
    `Sales Tax US-NY, 8.875% ${formatMoney(65, 'usd')}`,
    `Total ${formatMoney(799, 'usd')}`,
  ]);
});

test('where Stripe collects none, the invoice has none, whatever the table says', async () => {
  await setTax({ rates: [...withPresets([]), { country: 'CH', from: '2024-01-01', permille: 81 }] });
  const userId = await subscribe({ card: '4000007560000009' });
  expect(await documentsOf(userId)).toMatchObject([{ country: 'CH', permille: null, net: 799, tax: 0, taxes: [] }]);
});

test('a customer of an unknown place is charged the same, and the table says the tax', async () => {
  const userId = await subscribe({ card: '4242424242424242', address: '127.0.0.1' });
  expect(await chargedBy(userId)).toEqual({ tax: 0, gross: 799, automatic: false });
  const [document] = await documentsOf(userId);
  expect(document).toMatchObject({ taxes: null, country: 'US', permille: null });
});

test('an order whose answer was lost is one subscription, whether tax is worked out by then or not', async () => {
  const customerId = await provider.createCustomer({ userId: 'lost', email: undefined });
  const { id: cardId } = await createCard(stripe, '4000002500000003');
  const plan = { period: 'month', amount: 799, currency: 'usd' } as const;
  const order = { customerId, cardId, plan, free: undefined, promoCodeId: undefined, key: 'lost answer' };
  const made = [];
  for (const tax of [{ address: undefined }, undefined, { address: undefined }])
    made.push(await provider.subscribe({ ...order, tax }));
  expect(new Set(made.map((one) => one.ok && one.subscription.id)).size).toBe(1);
  expect((await provider.readCustomer(customerId))?.invoices).toHaveLength(1);
});

test('the address goes to Stripe only while it works out tax, and of an IPv6 network its first one', async () => {
  const before = sent.length;
  await subscribe({ address: '2001:db8:1:2::/64' });
  const asked = sent.slice(before).map(({ body }) => decodeURIComponent(body));
  expect(asked.join('\n')).toContain('tax[ip_address]=2001:db8:1:2::');
  await setTax({ mode: 'table' });
  const later = sent.length;
  const userId = await subscribe({ address: '192.0.2.1' });
  const now = sent.slice(later).map(({ body }) => decodeURIComponent(body));
  expect(now.join('\n')).not.toMatch(/ip_address|automatic_tax/);
  expect(await documentsOf(userId)).toMatchObject([{ taxes: null, country: 'FR', permille: 200, tax: 133 }]);
  await setTax({ mode: 'provider' });
});

describe('where an earlier version made the prices, which do not say whether tax is within them', () => {
  const year = { period: 'year', amount: 5988, currency: 'usd' } as const;

  async function withFormerPrices(behavior?: 'exclusive') {
    const product = await stripe.products.create({ name: 'Sotto' });
    for (const [interval, unit_amount] of [['month', 799] as const, ['year', year.amount] as const])
      await stripe.prices.create({
        product: product.id,
        currency: 'usd',
        unit_amount,
        recurring: { interval },
        lookup_key: `sotto_${interval}`,
        transfer_lookup_key: true,
        ...(interval === 'year' && behavior !== undefined && { tax_behavior: behavior }),
      });
    const { apiKey, webhookSecret, connection } = sandbox;
    const payments = openStripePayments({ apiKey, webhookSecret, connection, siteName: () => 'Sotto' });
    return openTestMembership(db, { provider: payments } as never);
  }

  test.each([undefined, 'exclusive'] as const)('a change to the year charges its price: %s', async (behavior) => {
    const former = await withFormerPrices(behavior);
    const userId = await subscribe({}, former);
    const asked = await former.previewPeriodChange(userId, 'year');
    expect(asked).toMatchObject({ ok: true, preview: { dueToday: year.amount - 799, credit: 799 } });
    expect(await former.changePeriod(userId, 'year')).toEqual({ ok: true, action: undefined });
    const made = await db.select().from(invoices).where(eq(invoices.userId, userId)).orderBy(desc(invoices.total));
    expect(made).toMatchObject([{ amountPaid: year.amount - 799 }, { amountPaid: 799 }]);
    const invoice = await stripe.invoices.retrieve(made[0]?.invoiceId ?? '');
    expect(invoice.automatic_tax.enabled).toBe(behavior === undefined);
  });

  test('a change back at the end of the year can be planned', async () => {
    const former = await withFormerPrices();
    const userId = await subscribe({ period: 'year' }, former);
    expect(await former.changePeriod(userId, 'month')).toEqual({ ok: true, action: undefined });
    const { data } = await stripe.prices.list({ lookup_keys: ['sotto_month'] });
    expect(data).toMatchObject([{ tax_behavior: 'inclusive' }]);
  });
});

test('parts that are given back take back what was charged, and the quarter has the rest', async () => {
  const userId = await subscribe({});
  const [invoice] = await documentsOf(userId);
  for (const amount of [100, 250, 449]) await stripe.refunds.create({ payment_intent: await intentOf(userId), amount });
  await site.refreshSubscription(userId);
  const [, ...notes] = (await documentsOf(userId)).toSorted((one, other) => +(one.kind < other.kind));
  expect(notes.reduce((sum, { tax }) => sum + tax, 0)).toBe(-(invoice?.tax ?? 0));
  for (const { tax, taxes } of notes) expect(taxes?.map(({ amount }) => amount)).toEqual([tax]);
  const totals = await sumTax(db, `${new Date().getUTCFullYear()}-Q${Math.ceil((new Date().getUTCMonth() + 1) / 3)}`);
  const rows = await db.select().from(taxDocuments);
  expect(totals?.reduce((sum, { tax }) => sum + tax, 0)).toBe(rows.reduce((sum, { tax }) => sum + tax, 0));
});

test('a dispute is no decision: a lost one has a credit note, a won one changes nothing', async () => {
  const [lost, won] = [await subscribe({ card: '4000000000000259' }), await subscribe({ card: '4000000000000259' })];
  const kinds = async (userId: string) => {
    await site.refreshSubscription(userId);
    return (await documentsOf(userId)).map(({ kind, gross }) => [kind, gross]);
  };
  for (const userId of [lost, won]) expect(await kinds(userId)).toEqual([['invoice', 799]]);
  await stripe.disputes.close(await disputeOf(lost));
  await stripe.disputes.update(await disputeOf(won), { evidence: { uncategorized_text: 'winning_evidence' } });
  for (let again = 0; again < 2; again++) {
    expect(await kinds(lost)).toEqual([
      ['invoice', 799],
      ['credit-note', -799],
    ]);
    expect(await kinds(won)).toEqual([['invoice', 799]]);
  }
});

test('a gift card’s documents are taken back once its dispute is lost, and a won one changes nothing', async () => {
  const [lost, won] = [await disputedGift(), await disputedGift()];
  const issued = async ({ id }: { id: string }) => {
    const card = await site.refreshGiftCard(id, undefined);
    await issueDocuments(db);
    const rows = await db.select().from(taxDocuments).where(eq(taxDocuments.giftCardId, id));
    return [card?.state, ...rows.map(({ kind, subject }) => `${subject} ${kind}`).toSorted()];
  };
  const before = ['redeemed', 'redemption invoice', 'voucher invoice'];
  for (const gift of [lost, won]) expect(await issued(gift)).toEqual(before);
  await stripe.disputes.close(await disputeAbout(lost.paymentId));
  const evidence = { uncategorized_text: 'winning_evidence' };
  await stripe.disputes.update(await disputeAbout(won.paymentId), { evidence });
  // As if the events had been lost.
  await reconcile(site.parts);
  for (let again = 0; again < 2; again++) {
    const notes = ['redemption credit-note', 'redemption invoice', 'voucher credit-note', 'voucher invoice'];
    expect(await issued(lost)).toEqual(['redeemed', ...notes]);
    expect(await issued(won)).toEqual(before);
  }
});

/** Redeemed before the bank asks. */
async function disputedGift() {
  const [months, recipientEmail, buyerEmail] = [3 as const, 'nora@example.org', 'ada@example.org'];
  const form = { months, recipientEmail, buyerEmail, senderName: undefined, message: undefined };
  const { giftCard, clientSecret } = await site.buyGiftCard(undefined, form);
  await enterCard(clientSecret, await newCard('disputed'));
  const at = new Date();
  const redeemed = { paidAt: at, redeemedAt: at, appliedAt: at };
  const [row] = await db.update(giftCards).set(redeemed).where(eq(giftCards.id, giftCard.id)).returning();
  return { id: giftCard.id, paymentId: row?.paymentId ?? '' };
}

const disputeOf = async (userId: string) => disputeAbout(await intentOf(userId));

async function disputeAbout(payment_intent: string): Promise<string> {
  const { data } = await stripe.disputes.list({ payment_intent });
  return data[0]?.id ?? '';
}

async function intentOf(userId: string): Promise<string> {
  const [row] = await db.select().from(invoices).where(eq(invoices.userId, userId));
  return row?.paymentId ?? '';
}
