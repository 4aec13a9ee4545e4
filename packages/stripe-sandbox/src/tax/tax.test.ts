import { expect, test } from 'vitest';
import { createCard, createTestCustomer, createTestSandbox, failureOf } from '#test/test-sandbox.ts';

const { stripe } = await createTestSandbox();

const recurring = { interval: 'month' } as const;
const { id: product } = await stripe.products.create({ name: 'Sotto' });
const price = await stripe.prices.create({
  product,
  currency: 'eur',
  unit_amount: 799,
  tax_behavior: 'inclusive',
  currency_options: { usd: { unit_amount: 999, tax_behavior: 'inclusive' } },
  recurring,
});
const french = '4000002500000003';
const automatic_tax = { enabled: true };

test('an invoice has the tax of the card’s country within its price, and discounts reduce it', async () => {
  const { customer, until } = await createTestCustomer(stripe, { card: french });
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'once' });
  const { latest_invoice } = await stripe.subscriptions.create({
    customer,
    automatic_tax,
    items: [{ price: price.id }],
    discounts: [{ coupon: coupon.id }],
    expand: ['latest_invoice'],
  });
  // 799 less 160; 20% of 532.50 is 106.50.
  expect(latest_invoice).toMatchObject({
    automatic_tax: { enabled: true, status: 'complete' },
    subtotal: 799,
    total: 639,
    amount_paid: 639,
    total_excluding_tax: 532,
    total_taxes: [{ amount: 107, tax_behavior: 'inclusive', taxability_reason: 'standard_rated', taxable_amount: 532 }],
    lines: { data: [{ amount: 799, taxes: [{ amount: 107 }] }] },
  });
  await until(32);
  const { data } = await stripe.invoices.list({ customer, limit: 1 });
  const [tax] = data[0]?.total_taxes ?? [];
  expect([data[0]?.total, tax?.amount]).toEqual([799, 133]);
  expect(await stripe.taxRates.retrieve(tax?.tax_rate_details?.tax_rate ?? '')).toMatchObject({
    object: 'tax_rate',
    country: 'FR',
    percentage: 20,
    display_name: 'VAT',
    inclusive: true,
  });
});

test('where the account is not registered, the tax is nothing, and says why', async () => {
  const { customer } = await createTestCustomer(stripe, { card: '4000007560000009' });
  const made = await stripe.subscriptions.create({
    customer,
    automatic_tax,
    items: [{ price: price.id }],
    expand: ['latest_invoice'],
  });
  expect(made.latest_invoice).toMatchObject({
    total_excluding_tax: 799,
    total_taxes: [{ amount: 0, taxability_reason: 'not_collecting' }],
  });
});

test('a customer without a place is refused until the network or an address tells one', async () => {
  const { customer, method } = await createTestCustomer(stripe);
  const order = { customer, automatic_tax, currency: 'usd', items: [{ price: price.id }] };
  const refused = { code: 'customer_tax_location_invalid', statusCode: 400 };
  expect(await failureOf(stripe.subscriptions.create(order))).toMatchObject(refused);
  const unknown = { ip_address: '198.51.100.9', validate_location: 'immediately' } as const;
  expect(await failureOf(stripe.customers.update(customer, { tax: unknown }))).toMatchObject(refused);
  expect(await failureOf(stripe.customers.update(customer, { tax: { ip_address: 'none' } }))).toMatchObject({
    param: 'tax[ip_address]',
  });
  await stripe.customers.update(customer, { tax: { ip_address: '192.0.2.5', validate_location: 'immediately' } });
  expect((await stripe.customers.retrieve(customer, { expand: ['tax'] })) as object).toMatchObject({
    tax: { automatic_tax: 'supported', location: { country: 'US', state: 'NY', source: 'ip_address' } },
  });
  const made = await stripe.subscriptions.create({ ...order, expand: ['latest_invoice'] });
  expect(made.latest_invoice).toMatchObject({ total: 999, total_taxes: [{ amount: 81 }] });
  await stripe.customers.update(customer, { address: { country: 'DE' } });
  expect((await stripe.customers.retrieve(customer, { expand: ['tax'] })) as object).toMatchObject({
    tax: { location: { country: 'DE', source: 'billing_address' } },
  });
  expect(method).toMatch(/^pm_/);
});

test('an invoice goes on without tax when the place is lost', async () => {
  const { customer, until } = await createTestCustomer(stripe, { card: french });
  const { id } = await stripe.subscriptions.create({ customer, automatic_tax, items: [{ price: price.id }] });
  const other = await createCard(stripe, '4242424242424242');
  await stripe.paymentMethods.attach(other.id, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: other.id } });
  await until(32);
  expect((await stripe.subscriptions.retrieve(id)).automatic_tax).toMatchObject({
    enabled: false,
    disabled_reason: 'requires_location_inputs',
  });
  const { data } = await stripe.invoices.list({ customer, limit: 1 });
  expect(data[0]).toMatchObject({
    status: 'paid',
    total_taxes: [],
    automatic_tax: { enabled: false, disabled_reason: 'finalization_requires_location_inputs' },
  });
});

test('a price says once whether tax is within it, and without that none is worked out', async () => {
  const plain = await stripe.prices.create({
    product,
    currency: 'eur',
    unit_amount: 500,
    currency_options: { usd: { unit_amount: 600 } },
    recurring,
  });
  const { customer } = await createTestCustomer(stripe, { card: french });
  const order = { customer, automatic_tax, items: [{ price: plain.id }] };
  expect((await failureOf(stripe.subscriptions.create(order))).message).toContain('tax_behavior');
  await stripe.prices.update(plain.id, {
    tax_behavior: 'inclusive',
    currency_options: { usd: { tax_behavior: 'inclusive' } },
  });
  const changed = await stripe.prices.retrieve(plain.id, { expand: ['currency_options'] });
  expect(changed.currency_options).toMatchObject({ usd: { unit_amount: 600, tax_behavior: 'inclusive' } });
  expect(await failureOf(stripe.prices.update(plain.id, { tax_behavior: 'exclusive' }))).toMatchObject({
    param: 'tax_behavior',
  });
  const { id } = await stripe.subscriptions.create(order);
  const off = await stripe.subscriptions.update(id, { automatic_tax: { enabled: false } });
  expect(off.automatic_tax.enabled).toBe(false);
});

test('the account’s settings of tax can be read', async () => {
  expect(await stripe.tax.settings.retrieve()).toMatchObject({ status: 'active' });
  expect(await failureOf(stripe.taxRates.retrieve('txr_1'))).toMatchObject({ code: 'resource_missing' });
});
