import { eq } from 'drizzle-orm';
import { press } from 'payment-stand-ins/testing';
import { createCard } from 'stripe-sandbox/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { formatMoney } from '#formats/numbers.ts';
import { fromDecimalText, toDecimalText } from '#formats/currency-decimals.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { hostedHarness } from '#test/support/payments/hosted-harness.ts';
import { openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';
import { slow } from '#test/support/tags.ts';
import { operator } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { changeSetting, findSetting } from '../settings/change-setting.ts';
import { priceLines } from '#web/membership/price-lines.ts';
import { giveMonths } from './entitlement.ts';
import { invoiceText } from './invoice-rules.ts';
import type { NewPromoCode, PaymentProvider } from './payment-provider.ts';
import { type Period, periods } from './rules.ts';
import { MembershipSettings, membershipSetting } from './settings.ts';
import { noteRegion } from './tax/buyer.ts';
import { withPresets } from './tax/presets.ts';
import { taxSetting } from './tax/settings.ts';
import { taxDocuments } from './tax/tables.ts';
import { invoices, memberships, subscriptions } from './tables.ts';

/** Every price that is said is the one that is charged and invoiced, for all providers, currencies and countries. */

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
/** Buyers' countries: by their card at Stripe, and by their network elsewhere. Rates are of today, in permille. */
const places = [
  { country: 'FR', card: '4000002500000003', byTable: 200, byStripe: 200 },
  { country: 'FI', card: '4000002460000001', byTable: 255, byStripe: 255 },
  { country: 'GB', card: '4000008260000000', byTable: 200, byStripe: 200 },
  // Its rate changed this week; Stripe collects none there.
  { country: 'CH', card: '4000007560000009', byTable: 81, byStripe: null },
  // Stripe does not know where in the United States this card is, and leaves it to the table.
  { country: 'US', card: '4242424242424242', byTable: null, byStripe: null },
] as const;
type Place = (typeof places)[number];
const dayIn = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const rates = [
  ...withPresets([]),
  { country: 'CH', from: '2018-01-01', permille: 77 },
  { country: 'CH', from: dayIn(-3), permille: 81 },
  { country: 'CH', from: dayIn(3), permille: 83 },
];
const modes = ['off', 'table', 'provider'] as const;

type Way = {
  currency: string;
  period: Period;
  hasTrial: boolean;
  gift: number;
  code: string | undefined;
  place: Place;
  mode: (typeof modes)[number];
};
const ways: Way[] = currencies.flatMap((currency) =>
  periods.flatMap((period) =>
    [true, false].flatMap((hasTrial) =>
      [0, 1].flatMap((gift) =>
        codes.flatMap((code) =>
          places.flatMap((place) =>
            modes.map((mode) => ({ currency, period, hasTrial, gift, code: code?.code, place, mode })),
          ),
        ),
      ),
    ),
  ),
);
/** Few of them in `npm test`. By mode of tax, so that it changes twice. */
const [few, many] = [18, 130].map((count) =>
  // Coprime to their number, so that none repeats.
  Array.from({ length: count }, (_, index) => ways[(index * 1237) % ways.length] as Way).toSorted(
    (one, other) => modes.indexOf(one.mode) - modes.indexOf(other.mode),
  ),
) as [Way[], Way[]];

const plain = { hasTrial: false, gift: 0, code: undefined, place: places[4], mode: 'off' } as const;

async function setTax(db: Db, mode: Way['mode']): Promise<void> {
  const { value, revision } = await findSetting(db, taxSetting);
  if (value.mode === mode) return;
  const seller = { name: 'Sotto GmbH', address: 'Berlin', country: 'DE', vatId: 'DE123456789' };
  await changeSetting(db, taxSetting, { actor: operator, value: { ...value, mode, rates, seller }, revision });
}

/** Tax of a first payment, worked out apart from the code that is tested. @param list price before a discount */
function taxOf({ mode, place }: Way, list: number, paid: number, isAtStripe: boolean): [number | null, number] {
  const isCharged = mode === 'provider' && isAtStripe && place.country !== 'US';
  const permille = mode === 'off' ? null : isCharged ? place.byStripe : place.byTable;
  if (permille === null) return [null, 0];
  if (isCharged) return [permille, Math.round((paid * permille) / (1000 + permille))];
  const within = (cents: number) => cents - Math.round((cents * 1000) / (1000 + permille));
  return [permille, within(list) - within(list - paid)];
}

/** The invoice says what was paid, and the tax of the buyer's country in it, to the cent. */
async function expectInvoice(
  site: Pick<ReturnType<typeof openTestMembership>, 'findInvoice'>,
  db: Db,
  way: Way,
  { userId, list, paid, isAtStripe }: { userId: string; list: number; paid: number; isAtStripe: boolean },
): Promise<void> {
  const [document] = await db.select().from(taxDocuments).where(eq(taxDocuments.userId, userId));
  const [permille, tax] = taxOf(way, list, paid, isAtStripe);
  expect([way, document]).toMatchObject([
    way,
    { country: way.place.country, permille, net: paid - tax, tax, gross: paid, currency: way.currency },
  ]);
  const shown = await site.findInvoice(userId, document?.invoiceId ?? '');
  if (shown === undefined) throw new Error('the invoice is missing');
  const money = (cents: number) => formatMoney(cents, way.currency);
  const { sums } = invoiceText(shown);
  const expected = permille === null ? [paid] : [paid - tax, tax, paid];
  expect([way, sums.map(({ amount }) => amount)]).toEqual([way, expected.map(money)]);
}

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

  test('what is said is charged and invoiced', () => walk(few));
  test('so it is in many more ways', { ...slow, timeout: 300_000 }, () => walk(many));

  const tried = new Set<string>();

  async function walk(some: Way[]): Promise<void> {
    for (const way of some) {
      const { period, currency, code, place } = way;
      await setTax(db, way.mode);
      const userId = await newListener(db, way);
      const { id: cardId } = await createCard(harness.stripe, place.card);
      const order = orderOf(cardId, { period, currency, promoCode: code, withoutTrial: true });
      const asked = await site.previewSubscription(userId, { ...order, withoutTrial: false });
      if (isRefused(way)) {
        expect([way, asked]).toEqual([way, { ok: false, reason: 'promo-code/other-currency' }]);
        continue;
      }
      if (!asked.ok) throw new Error(`${JSON.stringify(way)}: ${asked.reason}`);
      // A card has one trial, so all but the first of each are used up.
      const { preview } = way.hasTrial && tried.has(place.card) ? await withoutTrial(userId, order) : asked;
      if (way.hasTrial) tried.add(place.card);
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
      const paid = preview.dueToday;
      if (paid > 0) await expectInvoice(site, db, way, { userId, list: preview.amount, paid, isAtStripe: true });
    }
  }

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
      ...plain,
      currency: 'jpy',
      period: 'month',
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
      ...plain,
      currency: 'jpy',
      period: 'month',
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
      ...plain,
      currency: 'chf',
      period: 'month',
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

  test('what is said is what the provider is sent, charges and has an invoice', () => walk(few));
  test('so it is in many more ways', { ...slow, timeout: 300_000 }, () => walk(many));

  async function walk(some: Way[]): Promise<void> {
    for (const way of some) {
      const { period, currency, code } = way;
      await setTax(db, way.mode);
      const userId = await newListener(db, way);
      await noteRegion(db, userId, way.place.country);
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
        const paid = { userId, list: preview.amount, paid: first, isAtStripe: false };
        if (!payments.capabilities.sellsInOwnName) await expectInvoice(site, db, way, paid);
        else expect(await db.$count(taxDocuments, eq(taxDocuments.userId, userId))).toBe(0);
      }
    }
  }
});

test('the ways differ, and all providers together are asked for more than 500', () => {
  for (const some of [few, many]) {
    expect(new Set(some.map((way) => JSON.stringify(way))).size).toBe(some.length);
    expect(new Set(some.map(({ currency, mode }) => `${currency} ${mode}`)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(some.map(({ place }) => place)).size).toBe(places.length);
  }
  expect(4 * many.length).toBeGreaterThan(500);
});
