/** @module-tag slow */
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createCard, createPlans, createTestCustomer, createTestSandbox, failureOf } from '#test/test-sandbox.ts';
import { openStripeSandbox } from '../stripe-sandbox.ts';

const { stripe, sandbox, pool, logged, databaseUrl } = await createTestSandbox();
const { month, product } = await createPlans(stripe);

const browserCall = (method: string, path: string, form: Record<string, string> = {}, key = sandbox.publishableKey) =>
  sandbox.browser.request(`/stripe-sandbox/v1/${path}${method === 'GET' ? `?${new URLSearchParams(form)}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'POST' ? { body: new URLSearchParams(form).toString() } : {}),
  });

test('a wrong or missing key is refused, and a publishable key where a secret one is needed', async () => {
  const wrong = await failureOf(new Stripe('sk_test_wrong', sandbox.connection).customers.list());
  expect([wrong.statusCode, wrong.type]).toEqual([401, 'StripeAuthenticationError']);
  const publishable = await failureOf(new Stripe(sandbox.publishableKey, sandbox.connection).customers.list());
  expect([publishable.statusCode, publishable.type, publishable.code]).toEqual([
    403,
    'StripePermissionError',
    'secret_key_required',
  ]);
  const { host, port } = sandbox.connection;
  expect((await fetch(`http://${host}:${port}/v1/customers`)).status).toBe(401);
});

test('text that the database cannot store, and oversized requests, are refused', async () => {
  const warned = logged.length;
  for (const [method, path, form, status] of [
    ['POST', 'payment_methods', { type: 'card', 'card[number]': '4242\0' }, 400],
    ['GET', 'payment_intents/%00', {}, 400],
    ['POST', 'payment_methods', { type: 'x'.repeat(16_400) }, 413],
  ] as const)
    expect((await browserCall(method, path, form)).status).toBe(status);
  expect((await sandbox.browser.request('/stripe-sandbox/invoices/%00')).status).toBe(404);
  expect(logged.length).toBe(warned);
});

test('a browser creates payment methods and accesses an intent by its secret, and nothing else', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 500,
    currency: 'usd',
    metadata: { order: 'secret' },
    payment_method: 'pm_card_visa',
  });
  const path = `payment_intents/${intent.id}`;
  const found = await browserCall('GET', path, { client_secret: String(intent.client_secret) });
  expect(await found.json()).not.toHaveProperty('metadata');
  for (const [form, status] of [
    [{}, 404],
    [{ client_secret: `${intent.id}_secret_wrong` }, 404],
  ] as const)
    expect((await browserCall('GET', path, form)).status).toBe(status);
  expect((await browserCall('POST', `${path}/confirm`, { client_secret: 'x' })).status).toBe(404);
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_confirmation');
  expect((await browserCall('GET', 'customers')).status).toBe(404);
  expect((await browserCall('POST', 'refunds')).status).toBe(404);
  // Browsers must not have the secret key, so their routes refuse it.
  expect((await browserCall('POST', 'payment_methods', { type: 'card' }, sandbox.apiKey)).status).toBe(401);
});

test('errors have the status, type, code and parameter of Stripe', async () => {
  type Case = [() => Promise<unknown>, number, string | undefined, string | undefined];
  const nobody = { customer: 'cus_none', items: [{ price: month.id }] };
  const cases: Case[] = [
    [() => stripe.customers.retrieve('cus_none'), 404, 'resource_missing', 'id'],
    [() => stripe.paymentIntents.retrieve('pi_none'), 404, 'resource_missing', 'intent'],
    [() => stripe.subscriptions.create(nobody), 400, 'resource_missing', 'customer'],
    [
      () => stripe.subscriptions.create({ items: [] } as unknown as typeof nobody),
      400,
      'parameter_missing',
      'customer',
    ],
    [() => stripe.customers.create({ nmae: 'Ada' } as object), 400, 'parameter_unknown', 'nmae'],
    [() => stripe.invoices.list({ limit: 101 }), 400, undefined, 'limit'],
    [
      () => stripe.prices.create({ currency: 'usd', unit_amount: 1.5, product: product.id }),
      400,
      undefined,
      'unit_amount',
    ],
    [() => stripe.rawRequest('GET', '/v1/nothing'), 404, undefined, undefined],
  ];
  for (const [call, status, code, param] of cases) {
    const error = await failureOf(call());
    expect([error.statusCode, error.type, error.code, error.param]).toEqual([
      status,
      'StripeInvalidRequestError',
      code,
      param,
    ]);
    if (code !== undefined) expect(error.requestId).toMatch(/^req_\w{14}$/);
  }
  const { customer } = await createTestCustomer(stripe);
  const error = await failureOf(stripe.customers.retrieve(customer, { expand: ['friends'] }));
  expect(error.message).toContain('This property cannot be expanded (friends).');
});

test('lists continue after their last item in both directions, and return everything once', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `page-${index}@example.org`);
  const made: string[] = [];
  for (const email of names) made.unshift((await stripe.customers.create({ email, metadata: { list: 'pages' } })).id);
  const first = await stripe.customers.list({ limit: 3 });
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([made.slice(0, 3), true]);
  const second = await stripe.customers.list({ limit: 3, starting_after: made[2] });
  expect(second.data.map(({ id }) => id)).toEqual(made.slice(3, 6));
  const back = await stripe.customers.list({ limit: 2, ending_before: made[5] });
  expect(back.data.map(({ id }) => id)).toEqual(made.slice(3, 5));
  const all: string[] = [];
  for await (const { id } of stripe.customers.list({ limit: 2 })) all.push(id);
  expect(all.slice(0, 7)).toEqual(made);
  expect(new Set(all).size).toBe(all.length);
  expect((await stripe.customers.list({ email: 'page-3@example.org' })).data.map(({ id }) => id)).toEqual([made[3]]);
});

test('expanded fields contain the object, through lists and several levels', async () => {
  const { customer } = await createTestCustomer(stripe);
  await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
  const list = await stripe.subscriptions.list({
    customer,
    expand: ['data.latest_invoice.payments', 'data.items.data.price.product', 'data.customer'],
  });
  const [subscription] = list.data;
  expect(subscription?.items.data[0]?.price.product).toMatchObject({ object: 'product', name: 'Sotto' });
  expect(subscription?.customer).toMatchObject({ object: 'customer', email: 'ada@example.org' });
  const invoice = subscription?.latest_invoice as Stripe.Invoice;
  expect(invoice.payments?.data[0]).toMatchObject({ object: 'invoice_payment', status: 'paid' });
  expect(await stripe.invoices.retrieve(invoice.id)).not.toHaveProperty('payments');
});

test('an invoice is a page and a file, only at its secret URL', async () => {
  const { customer } = await createTestCustomer(stripe);
  await stripe.customers.update(customer, { email: '<b>ada</b>@example.org' });
  await stripe.subscriptions.create({ customer, items: [{ price: month.id }] });
  const { data } = await stripe.invoices.list({ customer });
  const [invoice] = data;
  const page = await sandbox.browser.request(new URL(String(invoice?.hosted_invoice_url)).pathname);
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).toContain(`Invoice ${invoice?.number}`);
  expect(html).toContain('1 × Sotto (at $7.99 / month)');
  expect(html).not.toContain('<b>ada');
  const file = await sandbox.browser.request(new URL(String(invoice?.invoice_pdf)).pathname);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect(await file.text()).toMatch(/^%PDF-1\.4[\s\S]*1 x Sotto[\s\S]*%%EOF\n$/);
  expect((await sandbox.browser.request('/stripe-sandbox/invoices/wrong')).status).toBe(404);
});

test('a browser can load only the script’s files, without types', async () => {
  const script = await sandbox.browser.request('/stripe-sandbox/script/browser/client/stripe.ts');
  expect(script.headers.get('content-type')).toContain('text/javascript');
  expect(await script.text()).not.toContain('import type');
  for (const path of ['stripe-sandbox.ts', 'store/settings.ts', '../../package.json', '%2e%2e/config.ts'])
    expect((await sandbox.browser.request(`/stripe-sandbox/script/${path}`)).status).toBe(404);
});

test('no card number is in the database or in the log, whatever happened to it', async () => {
  const numbers = [
    '4242424242424242',
    '4000000000000002',
    '4000000000000341',
    '4000002760003184',
    '4012888888881881',
    '4242424242424241',
  ];
  const { customer } = await createTestCustomer(stripe);
  for (const number of numbers) {
    const form = {
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '12',
      'card[exp_year]': '2040',
      'card[cvc]': '739',
    };
    await browserCall('POST', 'payment_methods', form);
    const method = await createCard(stripe, number).catch(() => undefined);
    if (method !== undefined) await stripe.paymentMethods.attach(method.id, { customer }).catch(() => undefined);
    const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    await browserCall('POST', `payment_intents/${intent.id}/confirm`, {
      client_secret: String(intent.client_secret),
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '739',
    });
  }
  await sandbox.settled();
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema')`,
  );
  let dump = logged.join('\n');
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    dump += rows.map(({ row }) => row).join('\n');
  }
  expect(tables.map(({ name }) => name)).toContain('stripe_sandbox.objects');
  expect(dump).toContain('4242');
  for (const number of numbers) {
    expect(dump).not.toContain(number);
    expect(dump).not.toContain(number.slice(0, 12));
  }
  expect(dump).not.toMatch(/"cvc": ?"/);
  expect(dump).not.toContain('"739"');
});

test('a second process of the same site has the same keys and objects', async () => {
  const second = await openStripeSandbox({
    databaseUrl,
    siteUrl: 'https://sotto.example',
    log: { info: () => {}, warn: () => {} },
  });
  try {
    expect([second.apiKey, second.webhookSecret]).toEqual([sandbox.apiKey, sandbox.webhookSecret]);
    const other = new Stripe(second.apiKey, { ...second.connection, telemetry: false });
    expect((await other.prices.retrieve(month.id)).unit_amount).toBe(799);
    const { customer } = await createTestCustomer(stripe);
    const key = { idempotencyKey: `two-processes-${customer}`, maxNetworkRetries: 20 };
    const both = await Promise.all(
      [stripe, other].map((one) => one.subscriptions.create({ customer, items: [{ price: month.id }] }, key)),
    );
    expect(both[0]?.id).toBe(both[1]?.id);
  } finally {
    await second.close();
  }
});
