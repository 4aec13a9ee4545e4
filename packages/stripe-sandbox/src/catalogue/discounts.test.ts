/** @module-tag slow */
import { expect, test } from 'vitest';
import { createPlans, createTestCustomer, createTestSandbox, failureOf, start } from '#test/test-sandbox.ts';

const { stripe, sandbox, events } = await createTestSandbox();
const { month, year } = await createPlans(stripe);

async function createCode(coupon: object, code: object = {}) {
  const { id } = await stripe.coupons.create(coupon);
  return stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: id }, ...code });
}

async function totalsOf(customer: string): Promise<number[]> {
  const { data } = await stripe.invoices.list({ customer, limit: 100 });
  return data.map(({ total }) => total).toReversed();
}

test('a one-time percentage applies to the first invoice with an amount, not to the trial', async () => {
  const { customer, until } = await createTestCustomer(stripe);
  const { id } = await createCode({ percent_off: 50, duration: 'once' });
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price: month.id }],
    trial_period_days: 7,
    discounts: [{ promotion_code: id }],
    expand: ['discounts.source.coupon', 'discounts.promotion_code'],
  });
  expect(subscription.discounts[0]).toMatchObject({
    object: 'discount',
    source: { type: 'coupon', coupon: { percent_off: 50 } },
    promotion_code: { id },
  });
  await until(75);
  expect(await totalsOf(customer)).toEqual([0, 399, 799, 799]);
  expect((await stripe.subscriptions.retrieve(subscription.id)).discounts).toEqual([]);
  await sandbox.settled();
  expect(events.filter(({ type }) => type === 'customer.discount.deleted')).toHaveLength(1);
});

test('a repeating amount off ends automatically, and one above the price leaves nothing to pay', async () => {
  const { customer, until } = await createTestCustomer(stripe);
  const { id } = await createCode({ amount_off: 1000, currency: 'usd', duration: 'repeating', duration_in_months: 3 });
  await stripe.subscriptions.create({ customer, items: [{ price: month.id }], discounts: [{ promotion_code: id }] });
  await until(125);
  expect(await totalsOf(customer)).toEqual([0, 0, 0, 799, 799]);
});

test('a percentage forever stays, and a deleted coupon stays on existing subscriptions', async () => {
  const { customer, until } = await createTestCustomer(stripe);
  const coupon = await stripe.coupons.create({ id: 'FRIENDS', percent_off: 12.5, duration: 'forever' });
  await stripe.subscriptions.create({ customer, items: [{ price: month.id }], discounts: [{ coupon: 'FRIENDS' }] });
  await stripe.coupons.del(coupon.id);
  await until(65);
  expect(await totalsOf(customer)).toEqual([699, 699, 699]);
  const gone = await failureOf(stripe.coupons.retrieve('FRIENDS'));
  expect(gone.code).toBe('resource_missing');
});

test('a code is found in any case, and only while it can be used', async () => {
  const { id } = await createCode({ percent_off: 10 }, { code: 'Winter', max_redemptions: 1 });
  const find = async (code: string) =>
    (await stripe.promotionCodes.list({ code, active: true })).data.map((one) => one.id);
  expect([await find('Winter'), await find('WINTER'), await find('winter '), await find('Wint')]).toEqual([
    [id],
    [id],
    [],
    [],
  ]);
  const double = await failureOf(createCode({ percent_off: 20 }, { code: 'wINTER' }));
  expect(double.code).toBe('resource_already_exists');

  const subscribe = async () => {
    const { customer } = await createTestCustomer(stripe);
    return stripe.subscriptions.create({ customer, items: [{ price: month.id }], discounts: [{ promotion_code: id }] });
  };
  await subscribe();
  expect(await find('Winter')).toEqual([]);
  expect((await stripe.promotionCodes.retrieve(id)).times_redeemed).toBe(1);
  const used = await failureOf(subscribe());
  expect([used.statusCode, used.code, used.param]).toEqual([
    400,
    'promotion_code_expired',
    'discounts[0][promotion_code]',
  ]);
  await stripe.promotionCodes.update((await createCode({ percent_off: 10 }, { code: 'off' })).id, { active: false });
  expect(await find('off')).toEqual([]);
  await createCode({ percent_off: 10 }, { code: 'late', expires_at: 1_000_000_000 });
  expect(await find('late')).toEqual([]);
});

test('a first-purchase code is refused after a payment, and one with a minimum below it', async () => {
  const { customer } = await createTestCustomer(stripe);
  const first = await createCode({ percent_off: 10 }, { restrictions: { first_time_transaction: true } });
  const large = await createCode(
    { percent_off: 10 },
    { restrictions: { minimum_amount: 5000, minimum_amount_currency: 'usd' } },
  );
  const subscribe = (price: string, code: string) =>
    stripe.subscriptions.create({ customer, items: [{ price }], discounts: [{ promotion_code: code }] });
  expect((await failureOf(subscribe(month.id, large.id))).message).toContain('minimum amount');
  expect((await subscribe(year.id, large.id)).status).toBe('active');
  expect((await failureOf(subscribe(month.id, first.id))).message).toContain('prior transactions');
});

test('when 20 customers redeem a single-use code at once, one gets it', async () => {
  const { id } = await createCode({ percent_off: 50 }, { max_redemptions: 1 });
  const customers = [];
  for (let count = 0; count < 20; count += 1)
    customers.push(await stripe.customers.create({ payment_method: 'pm_card_visa' }));
  const outcomes = await Promise.all(
    customers.map((customer) =>
      stripe.subscriptions
        .create({
          customer: customer.id,
          items: [{ price: month.id }],
          trial_period_days: 7,
          discounts: [{ promotion_code: id }],
        })
        .then(
          () => 'redeemed',
          () => 'refused',
        ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'redeemed')).toHaveLength(1);
  expect((await stripe.subscriptions.list({ status: 'trialing', limit: 100 })).data).toHaveLength(1);
});

test('the discounted price can be shown without an account, and nothing is stored', async () => {
  const code = await createCode({ percent_off: 25, duration: 'forever' }, { max_redemptions: 1 });
  const countEvents = async () => (await stripe.events.list({ limit: 1 })).data[0]?.id;
  const before = await countEvents();
  const preview = await stripe.invoices.createPreview({
    subscription_details: { items: [{ price: year.id }] },
    discounts: [{ promotion_code: code.id }],
  });
  expect(preview).toMatchObject({ subtotal: 5988, total: 4491, amount_due: 4491, currency: 'usd', status: 'draft' });
  expect(preview.id).toMatch(/^upcoming_in_/);
  expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(0);
  expect(await countEvents()).toBe(before);
});

test('a code can be added to a running subscription, and applies to its next invoice', async () => {
  const { customer, until } = await createTestCustomer(stripe);
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
  const code = await createCode({ amount_off: 300, currency: 'usd', duration: 'once' });
  const preview = await stripe.invoices.createPreview({ subscription: id, discounts: [{ promotion_code: code.id }] });
  await stripe.subscriptions.update(id, { discounts: [{ promotion_code: code.id }] });
  await until(35);
  expect([preview.total, preview.period_end]).toEqual([499, start + 31 * 86_400]);
  expect(await totalsOf(customer)).toEqual([799, 499]);
});

test('prices and coupons have amounts in further currencies, and a customer keeps one currency', async () => {
  const price = await stripe.prices.create({
    product: typeof month.product === 'string' ? month.product : month.product.id,
    currency: 'usd',
    unit_amount: 799,
    recurring: { interval: 'month' },
    currency_options: { eur: { unit_amount: 849 }, jpy: { unit_amount: 1180 } },
  });
  expect(price.currency_options).toBeUndefined();
  const { currency_options } = await stripe.prices.retrieve(price.id, { expand: ['currency_options'] });
  expect(currency_options).toEqual({ eur: { unit_amount: 849 }, jpy: { unit_amount: 1180 } });
  const { customer, until } = await createTestCustomer(stripe);
  const coupon = {
    amount_off: 100,
    currency: 'usd',
    duration: 'forever',
    currency_options: { jpy: { amount_off: 150 } },
  };
  const { id } = await createCode(coupon);
  const order = { customer, items: [{ price: price.id }], discounts: [{ promotion_code: id }] };
  const refused = await failureOf(stripe.subscriptions.create({ ...order, currency: 'eur' }));
  expect(refused.message).toContain('takes nothing off in eur');
  const subscription = await stripe.subscriptions.create({ ...order, currency: 'jpy' });
  expect(subscription).toMatchObject({ currency: 'jpy', items: { data: [{ price: { currency: 'usd' } }] } });
  await until(35);
  expect(await totalsOf(customer)).toEqual([1030, 1030]);
  const { data } = await stripe.invoices.list({ customer });
  expect(new Set(data.map(({ currency }) => currency))).toEqual(new Set(['jpy']));
  expect(data[0]?.lines.data[0]?.description).toContain('¥1,180 / month');
  for (const currency of ['usd', 'eur'])
    expect((await failureOf(stripe.subscriptions.create({ customer, items: order.items, currency }))).param).toBe(
      'currency',
    );
  const { customer: another } = await createTestCustomer(stripe);
  const unknown = stripe.subscriptions.create({ customer: another, items: order.items, currency: 'chf' });
  expect((await failureOf(unknown)).message).toContain('only supports `usd`, `eur`, `jpy`');
});
