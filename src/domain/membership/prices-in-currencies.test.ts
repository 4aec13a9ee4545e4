import { eq } from 'drizzle-orm';
import { press } from 'payment-stand-ins/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { formatMoney } from '#formats/numbers.ts';
import { fromDecimalText, toDecimalText } from '#formats/currency-decimals.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { hostedHarness } from '#test/support/payments/hosted-harness.ts';
import { openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';
import { operator } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { changeSetting } from '../settings/change-setting.ts';
import { priceLines } from '#web/membership/price-lines.ts';
import { giveMonths } from './entitlement.ts';
import type { NewPromoCode, PaymentProvider } from './payment-provider.ts';
import { type Period, periods } from './rules.ts';
import { MembershipSettings, membershipSetting } from './settings.ts';
import { invoices, memberships, subscriptions } from './tables.ts';

/** Every price that is said is the one that is charged, for all providers and currencies. */

const pricesOf = (month: number, countries: string[]) => ({
  countries,
  plans: { month, year: month * 10 },
  giftCards: { 1: month, 3: month * 3 - 7, 6: month * 5, 12: month * 10 },
});
const value = MembershipSettings.parse({
  currencies: {
    eur: pricesOf(849, ['FR']),
    gbp: pricesOf(699, ['GB']),
    jpy: pricesOf(1180, ['JP']),
    kwd: pricesOf(2490, []),
  },
});
const currencies = ['usd', 'eur', 'gbp', 'jpy', 'kwd'];
const codes: (Omit<NewPromoCode, 'currency'> | undefined)[] = [
  undefined,
  { code: 'ONCE30', percentOff: 30, duration: 'once' },
  { code: 'EVER15', percentOff: 15, duration: 'forever' },
  { code: 'OFF', amountOff: 190, amounts: { jpy: 300, kwd: 500, usd: 150 }, duration: 'once' },
  { code: 'EVEROFF', amountOff: 210, duration: 'forever' },
];

/** The first currency of codes with an amount. */
const amountsIn = 'eur';
type Way = { currency: string; period: Period; hasTrial: boolean; gift: number; code: string | undefined };
const ways: Way[] = currencies.flatMap((currency) =>
  periods.flatMap((period) =>
    [true, false].flatMap((hasTrial) =>
      [0, 1].flatMap((gift) => codes.map((code) => ({ currency, period, hasTrial, gift, code: code?.code }))),
    ),
  ),
);
/** All of them with `PRICE_WAYS=200` for each provider. */
const count = Number(process.env['PRICE_WAYS'] ?? 50);
// Coprime to their number, so that none repeats.
const some = Array.from({ length: count }, (_, index) => ways[(index * 67) % ways.length] as Way);

async function prepare(db: Db, provider: PaymentProvider): Promise<void> {
  await changeSetting(db, membershipSetting, { actor: operator, value, revision: 0 });
  for (const code of codes) if (code !== undefined) await provider.createPromoCode({ ...code, currency: amountsIn });
}

let users = 0;
async function newListener(db: Db, { hasTrial, gift }: Way): Promise<string> {
  users += 1;
  const { id } = await createUser(db, { email: `buyer-${users}@example.org` });
  if (!hasTrial) await db.insert(memberships).values({ userId: id, trialUsedAt: new Date() });
  if (gift > 0) await giveMonths(db, id, gift);
  return id;
}

function isRefused({ code, currency }: Way): boolean {
  const { amountOff, amounts = {} } = codes.find((one) => one?.code === code) ?? {};
  return amountOff !== undefined && currency !== amountsIn && !(currency in amounts);
}

async function invoicesOf(db: Db, userId: string) {
  const rows = await db.select().from(invoices).where(eq(invoices.userId, userId));
  return rows.map(({ amountPaid, currency }) => ({ amountPaid, currency }));
}

describe('at Stripe', async () => {
  const { db, url } = await createTestDatabase();
  const harness = await stripeHarness(url);
  afterAll(() => harness.sandbox.close());
  const { provider } = harness;
  const site = openTestMembership(db, { provider } as never);
  await prepare(db, provider);
  await site.checkPlans();

  test('one price for each period has all currencies', async () => {
    const { data } = await harness.stripe.prices.list({ expand: ['data.currency_options'] });
    expect(data.map(({ currency, currency_options }) => [currency, Object.keys(currency_options ?? {})])).toEqual([
      ['usd', ['eur', 'gbp', 'jpy', 'kwd']],
      ['usd', ['eur', 'gbp', 'jpy', 'kwd']],
    ]);
  });

  test('what is said is charged', { timeout: 120_000 }, async () => {
    for (const way of some) {
      const { period, currency, code } = way;
      const userId = await newListener(db, way);
      const order = orderOf(await harness.newCard('good'), { period, currency, promoCode: code, withoutTrial: true });
      const asked = await site.previewSubscription(userId, { ...order, withoutTrial: false });
      if (isRefused(way)) {
        expect([way, asked]).toEqual([way, { ok: false, reason: 'promo-code/other-currency' }]);
        continue;
      }
      if (!asked.ok) throw new Error(`${JSON.stringify(way)}: ${asked.reason}`);
      // The sandbox has one good card, so all but its first trial are used up.
      const { preview } = way.hasTrial && users > 1 ? await withoutTrial(userId, order) : asked;
      const outcome = await site.createSubscription(userId, {
        ...order,
        amount: preview.amount,
        firstCharge: preview.firstCharge.amount,
        thenAmount: preview.thenAmount,
      });
      expect([way, outcome]).toEqual([way, { ok: true, action: undefined }]);
      const account = await site.findSubscription(userId);
      const [invoice] = await invoicesOf(db, userId);
      const then = preview.trialEndsAt === null ? preview.thenAmount : preview.firstCharge.amount;
      expect([way, invoice, account.amount, account.currency, account.nextCharge?.amount]).toEqual([
        way,
        { amountPaid: preview.dueToday, currency },
        preview.amount,
        currency,
        then,
      ]);
      const lines = priceLines(preview);
      expect(`${lines.today} ${lines.later}`).toContain(formatMoney(preview.firstCharge.amount, currency));
    }
  });

  async function withoutTrial(userId: string, order: Parameters<typeof site.previewSubscription>[1]) {
    const asked = await site.previewSubscription(userId, { ...order, withoutTrial: true });
    if (!asked.ok) throw new Error(asked.reason);
    return asked;
  }

  test('a discount takes off the amount of its currency, also once its charge has moved', async () => {
    await provider.createPromoCode({
      code: 'QUARTER',
      amountOff: 190,
      currency: amountsIn,
      amounts: { jpy: 300 },
      duration: 'months',
      months: 3,
    });
    const userId = await newListener(db, {
      currency: 'jpy',
      period: 'month',
      hasTrial: false,
      gift: 0,
      code: undefined,
    });
    const order = orderOf(await harness.newCard('good'), { currency: 'jpy', promoCode: 'QUARTER', withoutTrial: true });
    expect(await site.createSubscription(userId, order)).toMatchObject({ ok: true });
    expect(await site.findSubscription(userId)).toMatchObject({
      discount: { code: 'QUARTER', amountOff: 300 },
      nextCharge: { amount: 880, currency: 'jpy' },
    });
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    await provider.delayCharge(row?.subscriptionId ?? '', new Date(Date.now() + 60 * 24 * 60 * 60 * 1000));
    await site.refreshSubscription(userId);
    expect(await site.findSubscription(userId)).toMatchObject({
      discount: { code: 'QUARTER', amountOff: 300 },
      nextCharge: { amount: 880, currency: 'jpy' },
    });
  });

  test('a customer keeps the currency of the first subscription, also when the period changes', async () => {
    const userId = await newListener(db, {
      currency: 'jpy',
      period: 'month',
      hasTrial: false,
      gift: 0,
      code: undefined,
    });
    const cardId = await harness.newCard('good');
    expect(await site.findCurrency(userId, 'FR')).toEqual({ currency: 'eur', isFixed: false });
    expect(await site.createSubscription(userId, orderOf(cardId, { currency: 'jpy' }))).toMatchObject({ ok: true });
    expect(await site.findCurrency(userId, 'FR')).toEqual({ currency: 'jpy', isFixed: true });
    expect(await site.previewPeriodChange(userId, 'year')).toMatchObject({
      preview: { currency: 'jpy', amount: 11_800, credit: 1180, dueToday: 11_800 - 1180 },
    });
    expect(await site.changePeriod(userId, 'year')).toMatchObject({ ok: true });
    const paid = { amountPaid: 11_800 - 1180, currency: 'jpy' };
    expect(await invoicesOf(db, userId)).toEqual(expect.arrayContaining([paid, { amountPaid: 1180, currency: 'jpy' }]));
    await site.cancelSubscription(userId, undefined);
    const other = { period: 'month', currency: 'eur', promoCode: undefined, withoutTrial: false } as const;
    expect(await site.previewSubscription(userId, other)).toEqual({ ok: false, reason: 'subscription/currency-fixed' });
  });

  test('an unknown currency is refused, and so is a gift card in one', async () => {
    const userId = await newListener(db, {
      currency: 'chf',
      period: 'month',
      hasTrial: false,
      gift: 0,
      code: undefined,
    });
    const order = orderOf(await harness.newCard('good'), { currency: 'chf' });
    const refused = { ok: false, reason: 'subscription/currency-not-offered' };
    expect(await site.createSubscription(userId, order)).toEqual(refused);
    const gift = { months: 3, recipientEmail: 'a@example.org', buyerEmail: 'b@example.org' } as const;
    await expect(site.buyGiftCard(undefined, { ...gift, currency: 'chf' } as never)).rejects.toMatchObject({
      code: 'subscription/currency-not-offered',
    });
    for (const currency of currencies) {
      const { giftCard, clientSecret } = await site.buyGiftCard(undefined, { ...gift, currency } as never);
      const [id = ''] = clientSecret.split('_secret_');
      const asked = await harness.stripe.paymentIntents.retrieve(id);
      const offer = await site.findOffer();
      const prices = [offer, ...offer.currencies].find((one) => one.currency === currency);
      expect([asked.amount, asked.currency]).toEqual([giftCard.amount, currency]);
      expect(prices?.giftCards.find(({ months }) => months === 3)?.amount).toBe(giftCard.amount);
    }
  });
});

describe.each(['verotel', 'ccbill', 'btcpay'] as const)('at %s', async (name) => {
  const { db, url } = await createTestDatabase();
  const harness = await hostedHarness({ db, databaseUrl: url, name });
  const { membership: site, payments, standIns } = harness;
  await prepare(db, harness.provider);
  const { currencies: taken } = payments.capabilities;

  test('what is said is what the provider is sent, and charges', { timeout: 120_000 }, async () => {
    for (const way of some) {
      const { period, currency, code } = way;
      const userId = await newListener(db, way);
      const order = { period, currency, promoCode: code };
      const asked = await site.previewSubscription(userId, { ...order, withoutTrial: false });
      if (taken !== 'any' && !taken.includes(currency)) {
        const refused = { ok: false, reason: 'subscription/currency-not-offered' };
        expect([asked, await site.startCheckout(userId, order)]).toEqual([refused, refused]);
        continue;
      }
      if (isRefused(way)) {
        expect([way, asked]).toEqual([way, { ok: false, reason: 'promo-code/other-currency' }]);
        continue;
      }
      if (!asked.ok) throw new Error(`${JSON.stringify(way)}: ${asked.reason}`);
      const { preview } = asked;
      const shown = { amount: preview.amount, firstCharge: preview.firstCharge.amount, thenAmount: preview.thenAmount };
      const begun = await site.startCheckout(userId, { ...order, ...shown });
      if (!begun.ok) throw new Error(`${JSON.stringify(way)}: ${begun.reason}`);
      await press(begun.url, 'Pay');
      const sale = await harness.saleOf(begun.reference);
      if (name === 'btcpay') await standIns.sales.advance(sale.id, { minutes: 60 });
      await harness.takeAll();
      const charged = (await harness.saleOf(begun.reference)).charges[0];
      const sent = sale.first === undefined ? sale.price : sale.first.price;
      const first = preview.trialEndsAt === null ? preview.firstCharge.amount : 0;
      expect([way, sale.currency, fromDecimalText(sent, currency)]).toEqual([way, currency.toUpperCase(), first]);
      if (sale.kind === 'recurring')
        expect([way, fromDecimalText(sale.price, currency)]).toEqual([
          way,
          preview.trialEndsAt === null ? preview.thenAmount : preview.firstCharge.amount,
        ]);
      if (first > 0) {
        expect(charged?.price).toBe(toDecimalText(first, currency));
        expect([way, await invoicesOf(db, userId)]).toEqual([way, [{ amountPaid: first, currency }]]);
      }
    }
  });
});

test('the ways differ, and all providers together are asked for at least 200', () => {
  expect(new Set(some.map((way) => JSON.stringify(way))).size).toBe(count);
  expect(4 * count).toBeGreaterThanOrEqual(200);
});
