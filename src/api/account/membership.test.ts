import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, expect, test, vi } from 'vitest';
import { findCustomerId, writeCustomer } from '#domain/membership/customers.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { registerUser } from '#test/support/identity.ts';
import { readEverything } from '#test/support/payments/membership.ts';
import { type StripeHarness, stripeHarness, withSiteSettled } from '#test/support/payments/payment-harness.ts';
import { startTestSite } from '#test/support/site.ts';
import { testPayments } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';
import { testCards } from 'stripe-sandbox/test-cards';

vi.setConfig({ testTimeout: 60_000 });

let harness: StripeHarness | undefined;
const started = await startTestSite(
  {},
  {
    async openPayments(database) {
      harness = await stripeHarness(database.url);
      return harness.provider;
    },
  },
);
if (harness === undefined) throw new Error('the sandbox is not open');
const { stripe, provider, newCard, answerBank, enterCard } = harness;
const { url, site, identity, db, blobs, logged, errors } = started;
const sandbox = withSiteSettled(harness.sandbox, started.eventsSettled);
await site.membership.checkPlans();
sandbox.sendEventsTo(`${url}/webhooks/payments`);
afterAll(() => sandbox.close());

async function call(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows its answer
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

let count = 0;

/** Registers without a typed password, because hashing is slow. */
async function register() {
  const email = `member-${(count += 1)}@example.org`;
  const { id } = await createUser(db, { email });
  return { id, email, token: (await createSession(db, id)).token };
}

/** A user with an own test clock that starts now. */
async function registerInOwnTime(startsAt = new Date()) {
  const user = await register();
  const customerId = await provider.testClock?.createCustomer({ userId: user.id, email: user.email, startsAt });
  await writeCustomer(db, user.id, customerId ?? '');
  const moveTo = async (days: number) => {
    await provider.testClock?.advance(customerId ?? '', new Date(startsAt.getTime() + days * 24 * 60 * 60 * 1000));
    await sandbox.settled();
  };
  return { ...user, customerId: customerId ?? '', moveTo };
}

const create = (token: string, body: object) => call('POST', '/stripe/create-subscription', { token, body });

async function subscribed(period: 'month' | 'year' = 'month', startsAt?: Date) {
  const user = await registerInOwnTime(startsAt);
  const answer = await create(user.token, { paymentMethodId: await newCard('good'), period, withoutTrial: true });
  expect(answer.status).toBe(200);
  return user;
}

test('from visitor to listener: 401, 402, then the same file', async () => {
  const key = 'audio/locked.mp3';
  await blobs.write(key, new TextEncoder().encode('sound'));
  const audio = await createAudio(db, { fileKey: key, fileBytes: 5 });
  const listen = (token?: string) =>
    fetch(
      `${url}/media/audios/${audio.id}`,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
  expect((await listen()).status).toBe(401);
  const user = await registerUser(site, identity);
  const refused = await listen(user.token);
  expect([refused.status, await refused.json()]).toMatchObject([402, { error: { code: 'subscription/required' } }]);

  const answer = await create(user.token, {
    paymentMethodId: await newCard('good'),
    subIsWeb: true,
    period: 'year',
    promoCode: '  ',
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(answer.body).toMatchObject({
    action: null,
    user: { id: user.id, isSubscribed: true },
    subscription: {
      state: 'trialing',
      period: 'year',
      amount: 5988,
      currency: 'usd',
      card: { brand: 'visa', last4: '4242' },
      nextCharge: { amount: 5988 },
    },
  });
  const heard = await listen(user.token);
  expect([heard.status, await heard.text()]).toEqual([200, 'sound']);
  expect(heard.headers.get('cache-control')).not.toContain('public');
  expect((await call('GET', '/user/me', { token: user.token })).body.isSubscribed).toBe(true);

  // Deleting the account ends the subscription first.
  const customerId = (await findCustomerId(db, user.id)) ?? '';
  const deleted = await fetch(`${url}/v1/api/user`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password: user.password }),
  });
  expect(deleted.status).toBe(204);
  const { data } = await stripe.subscriptions.list({ status: 'all', limit: 100 });
  expect(data.find(({ customer }) => customer === customerId)?.status ?? 'canceled').toBe('canceled');
  // Wait for the provider's events about the end.
  await sandbox.settled();
  const everything = await readEverything(db);
  for (const trace of [customerId, user.id, user.email]) expect(everything).not.toContain(trace);
});

test('calls without a session are refused', async () => {
  for (const [method, path, body] of [
    ['POST', '/stripe/create-subscription', { paymentMethodId: 'pm_1', period: 'year' }],
    ['GET', '/user/subscription'],
    ['POST', '/user/subscription/refresh'],
    ['PUT', '/user/subscription/period', { period: 'year' }],
    ['POST', '/user/subscription/cancel', {}],
    ['GET', '/user/invoices'],
    ['POST', '/user/gift-card/redeem', { code: 'AAAA' }],
  ] as const) {
    const answer = await call(method, path, { body });
    expect([path, answer.status, answer.body.error?.code]).toEqual([path, 401, 'auth/login-required']);
  }
});

test('invalid input is refused with its field', async () => {
  const { token } = await register();
  for (const body of [
    {},
    { paymentMethodId: '', period: 'year' },
    { paymentMethodId: 'pm_1', period: 'week' },
    { paymentMethodId: 'pm_1', period: 'year', promoCode: 'x'.repeat(101) },
    { paymentMethodId: 'x'.repeat(300), period: 'year' },
    { paymentMethodId: ['pm_1'], period: 'year' },
  ])
    expect(await create(token, body)).toMatchObject({ status: 400, body: { error: { code: 'request/invalid' } } });
  for (const paymentMethodId of ['pm_none', '../v1/customers', 'cus_1', 'pm_1 '])
    expect(await create(token, { paymentMethodId, period: 'year' })).toMatchObject({
      status: 400,
      body: { error: { code: 'payment/unknown-method' } },
    });
  // An amount only states which price the listener saw; nobody chooses one.
  expect(
    await create(token, { paymentMethodId: await newCard('good'), period: 'month', withoutTrial: true, amount: 1 }),
  ).toMatchObject({ status: 409, body: { error: { code: 'subscription/price-changed' } } });
  for (const wish of [{ price: 'price_1' }, { trialDays: 3650 }])
    expect(
      await create(token, { paymentMethodId: await newCard('good'), period: 'month', amount: 799, ...wish }),
    ).toMatchObject({ status: 400, body: { error: { code: 'request/invalid' } } });
});

test.each([
  ['4000000000000002', 'payment/card-declined', 'Your card was declined.'],
  ['4000000000009995', 'payment/insufficient-funds', 'Your card has insufficient funds.'],
  ['4000000000000069', 'payment/expired-card', 'Your card has expired.'],
  ['4000000000000127', 'payment/incorrect-cvc', 'Your card’s security code is incorrect.'],
  [
    '4000000000000119',
    'payment/processing-error',
    'Your card could not be charged just now. Please try again in a moment.',
  ],
])('card %s is answered with %s', async (number, code, message) => {
  const { token } = await register();
  const method = await stripe.paymentMethods.create({
    type: 'card',
    card: { number, exp_month: 12, exp_year: 2040, cvc: '123' },
  });
  expect(await create(token, { paymentMethodId: method.id, period: 'year', withoutTrial: true })).toMatchObject({
    status: 402,
    body: { error: { code, message } },
  });
  expect((await call('GET', '/user/subscription', { token })).body).toMatchObject({
    state: 'none',
    isSubscribed: false,
  });
});

test('20 concurrent calls create one subscription and one charge', slow, async () => {
  const user = await registerInOwnTime();
  const body = { paymentMethodId: await newCard('good'), period: 'month', withoutTrial: true };
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(user.token, body)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { data } = await stripe.subscriptions.list({ customer: user.customerId, status: 'all' });
  const charges = await stripe.charges.list({ customer: user.customerId });
  process.stdout.write(
    `20 simultaneous subscribe calls over HTTP → ${data.length} subscription, ${charges.data.length} charge\n`,
  );
  expect([data.length, charges.data.length]).toEqual([1, 1]);
  expect(await create(user.token, { ...body, paymentMethodId: await newCard('good') })).toMatchObject({
    status: 409,
    body: { error: { code: 'subscription/already-subscribed' } },
  });
});

test('3-D Secure: no access until the bank agrees; after a refusal another card works', async () => {
  const { token } = await register();
  const waiting = await create(token, {
    paymentMethodId: await newCard('needs-bank'),
    period: 'year',
    withoutTrial: true,
  });
  expect(waiting.body).toMatchObject({
    subscription: { state: 'confirming', isSubscribed: false },
    action: { clientSecret: expect.stringContaining('_secret_') as string },
    user: { isSubscribed: false },
  });
  await answerBank(waiting.body.action.clientSecret as string, false);
  const refused = await call('POST', '/user/subscription/refresh', { token });
  expect(refused.body).toMatchObject({ action: null, user: { isSubscribed: false } });

  const again = await create(token, {
    paymentMethodId: await newCard('needs-bank'),
    period: 'year',
    withoutTrial: true,
  });
  expect(again.body.action).not.toBeNull();
  await answerBank(again.body.action.clientSecret as string, true);
  const done = await call('POST', '/user/subscription/refresh', { token });
  expect(done.body).toMatchObject({ action: null, user: { isSubscribed: true }, subscription: { state: 'trialing' } });
  expect((await call('GET', '/user/invoices', { token })).body.items).toEqual([]);
});

test('3-D Secure without a trial: the payment itself waits for the bank, and is made once', slow, async () => {
  const { id, token } = await register();
  const order = { paymentMethodId: await newCard('needs-bank'), period: 'month' };
  const [asked] = await Promise.all([create(token, order), create(token, order)]);
  // The card used its trial in the previous test.
  expect(asked).toMatchObject({ status: 409, body: { error: { code: 'subscription/trial-used' } } });
  expect(asked.body.error.message).toContain('$7.99 is charged today');
  const waiting = await create(token, { ...order, withoutTrial: true });
  expect(waiting.body).toMatchObject({ action: { kind: 'payment' }, user: { isSubscribed: false } });
  expect((await create(token, { ...order, withoutTrial: true })).body.action).toEqual(waiting.body.action);
  await answerBank(waiting.body.action.clientSecret as string, true);
  const done = await call('POST', '/user/subscription/refresh', { token });
  expect(done.body).toMatchObject({ action: null, user: { isSubscribed: true }, subscription: { state: 'active' } });
  expect((await call('GET', '/user/invoices', { token })).body.items).toMatchObject([{ amount: 799, status: 'paid' }]);
  const charges = await stripe.charges.list({ customer: await findCustomerId(db, id) });
  expect(charges.data).toHaveLength(1);
});

test('a year of a subscription, driven by webhooks alone', slow, async () => {
  const user = await registerInOwnTime();
  const { token } = user;
  const get = async () => (await call('GET', '/user/subscription', { token })).body;
  await create(token, { paymentMethodId: await newCard('good'), period: 'month', withoutTrial: true });
  await user.moveTo(70);
  expect(await get()).toMatchObject({ state: 'active', period: 'month' });
  const { items } = (await call('GET', '/user/invoices', { token })).body;
  expect(items).toMatchObject([{ amount: 799 }, { amount: 799 }, { amount: 799 }]);
  const invoice = (await call('GET', `/user/invoices/${items[0].id}`, { token })).body;
  expect(invoice).toMatchObject({ seller: 'Sotto', billedTo: user.email, lines: [{ amount: 799 }], amountPaid: 799 });
  const stranger = await register();
  expect((await call('GET', `/user/invoices/${items[0].id}`, { token: stranger.token })).status).toBe(404);
  const pdfOf = (who?: string) =>
    fetch(`${url}/v1/api/user/invoices/${items[0].id}/pdf`, { headers: who ? { authorization: `Bearer ${who}` } : {} });
  const pdf = await pdfOf(token);
  expect(Object.fromEntries(pdf.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="invoice-${invoice.number}.pdf"`,
    'cache-control': 'private, no-store',
  });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer())), {
    mergePages: true,
  });
  expect(text).toContain(`Invoice ${invoice.number}`);
  expect(text).toContain(user.email);
  expect((await pdfOf(stranger.token)).status).toBe(404);
  expect((await pdfOf()).status).toBe(401);

  const preview = await call('POST', '/user/subscription/period/preview', { token, body: { period: 'year' } });
  expect(preview.body).toMatchObject({ when: 'now', amount: 5988 });
  expect(preview.body.dueToday).toBeGreaterThan(5000);
  expect(preview.body.dueToday).toBe(5988 - (preview.body.credit as number));
  const changed = await call('PUT', '/user/subscription/period', { token, body: { period: 'year' } });
  expect(changed.body).toMatchObject({ action: null, subscription: { period: 'year', state: 'active' } });
  const charged = (await call('GET', '/user/invoices', { token })).body.items[0];
  expect(charged.amount).toBe(preview.body.dueToday);

  const later = await call('PUT', '/user/subscription/period', { token, body: { period: 'month' } });
  expect(later.body.subscription).toMatchObject({ period: 'year', nextPeriod: 'month' });
  const cancelled = await call('POST', '/user/subscription/cancel', { token, body: { reason: 'too quiet' } });
  expect(cancelled.body).toMatchObject({
    subscription: { state: 'ending', nextPeriod: null, nextCharge: null, renewsAt: null },
    user: { isSubscribed: true },
  });
  const resumed = await call('POST', '/user/subscription/resume', { token });
  expect(resumed.body.subscription).toMatchObject({ state: 'active', endsAt: null, nextPeriod: 'month' });
  await call('POST', '/user/subscription/cancel', { token, body: {} });
  await user.moveTo(70 + 370);
  expect(await get()).toMatchObject({ state: 'ended', isSubscribed: false });
});

test('a charge that fails, the days of grace, a new card', slow, async () => {
  const started8DaysAgo = new Date(Date.now() - 9 * 24 * 60 * 60 * 1000);
  const user = await registerInOwnTime(started8DaysAgo);
  const { token } = user;
  const answer = await create(token, { paymentMethodId: await newCard('fails-later'), period: 'month' });
  expect(answer.body.subscription.state).toBe('trialing');
  await user.moveTo(9);
  expect((await call('GET', '/user/subscription', { token })).body).toMatchObject({
    state: 'past-due',
    isSubscribed: true,
    graceEndsAt: expect.any(String) as string,
    openAmount: 799,
  });
  expect(await call('POST', '/user/subscription/pay', { token })).toMatchObject({ status: 402 });
  expect(await call('PUT', '/user/subscription/period', { token, body: { period: 'year' } })).toMatchObject({
    status: 409,
    body: { error: { code: 'subscription/payment-due' } },
  });
  const { setupId, clientSecret } = (await call('POST', '/user/subscription/card', { token })).body;
  await enterCard(clientSecret as string, await newCard('good'));
  const response = await call('PUT', '/user/subscription/card', { token, body: { setupId } });
  expect(response.body).toMatchObject({
    subscription: { state: 'active', card: { last4: '4242' }, graceEndsAt: null, openAmount: null },
    user: { isSubscribed: true },
  });
  const other = await subscribed();
  expect(await call('PUT', '/user/subscription/card', { token: other.token, body: { setupId } })).toMatchObject({
    status: 400,
    body: { error: { code: 'payment/unknown-method' } },
  });
});

test('a promo code: shown before paying, deducted from the charge, refused where it does not apply', async () => {
  await provider.createPromoCode({ code: 'CANDLE', percentOff: 25, currency: 'usd', duration: 'once' });
  const user = await registerInOwnTime();
  const { token } = user;
  const preview = await call('POST', '/subscription/preview', {
    token,
    body: { period: 'month', promoCode: ' candle ' },
  });
  expect(preview.body).toMatchObject({
    amount: 799,
    dueToday: 0,
    firstCharge: { amount: 599 },
    thenAmount: 799,
    discount: { code: 'CANDLE', percentOff: 25, duration: 'once' },
  });
  expect(
    await call('POST', '/subscription/preview', { token, body: { period: 'month', promoCode: 'nothing' } }),
  ).toMatchObject({ status: 400, body: { error: { code: 'promo-code/unknown' } } });
  const { body } = await call('POST', '/subscription/preview', { body: { period: 'month', promoCode: 'candle' } });
  expect(body).toMatchObject({ dueToday: 0, firstCharge: { amount: 599 }, discount: { code: 'CANDLE' } });
  await create(token, {
    paymentMethodId: await newCard('good'),
    period: 'month',
    promoCode: 'CANDLE',
    withoutTrial: true,
  });
  const charged = (await call('GET', '/user/subscription', { token })).body;
  const invoices = (await call('GET', '/user/invoices', { token })).body.items;
  expect(charged.state === 'trialing' ? charged.nextCharge.amount : invoices[0].amount).toBe(599);
});

test('a gift card from buying to redeeming, by API calls only', slow, async () => {
  const bought = await call('POST', '/gift-cards', {
    body: { months: 3, recipientEmail: 'Nora@Example.org ', buyerEmail: 'ada@example.org', senderName: 'Ada' },
  });
  expect(bought).toMatchObject({ status: 201, body: { giftCard: { state: 'awaiting-payment', amount: 2199 } } });
  const { giftCard, clientSecret } = bought.body;
  await enterCard(clientSecret as string, await newCard('good'));
  await sandbox.settled();
  expect((await call('POST', `/gift-cards/${giftCard.id}/refresh`)).body.giftCard).toMatchObject({
    state: 'paid',
    recipientEmail: null,
  });
  await site.membership.sendDueMails();
  const mail = identity.mails.find(({ to }) => to === 'nora@example.org');
  const code = /Your code is (\S+)\./.exec(mail?.text ?? '')?.[1];
  const { token } = await register();
  expect(await call('POST', '/user/gift-card/redeem', { token, body: { code } })).toMatchObject({
    status: 200,
    body: { months: 3, nextChargeAt: null, user: { isSubscribed: true }, subscription: { state: 'none' } },
  });
  expect(await call('POST', '/user/gift-card/redeem', { token, body: { code } })).toMatchObject({
    status: 409,
    body: { error: { code: 'gift-card/already-redeemed' } },
  });
  expect(await call('POST', '/user/gift-card/redeem', { token, body: { code: 'AAAA-BBBB' } })).toMatchObject({
    status: 404,
  });
  for (const body of [
    { months: 2, recipientEmail: 'a@example.org', buyerEmail: 'b@example.org' },
    { months: 3, recipientEmail: 'nobody', buyerEmail: 'b@example.org' },
    { months: 3, recipientEmail: 'a@example.org' },
    { months: 3, recipientEmail: 'a@example.org', buyerEmail: 'b@example.org', message: 'x'.repeat(501) },
    { months: 3, recipientEmail: 'a@example.org', buyerEmail: 'b@example.org', deliverAt: '2999-01-01T00:00:00Z' },
  ])
    expect((await call('POST', '/gift-cards', { body })).status).toBe(400);
});

test('the offer is public, and matches the settings', async () => {
  expect((await call('GET', '/subscription/offer')).body).toEqual({
    trialDays: 7,
    graceDays: 7,
    currency: 'usd',
    plans: [
      { period: 'month', amount: 799, perMonth: 799 },
      { period: 'year', amount: 5988, perMonth: 499 },
    ],
    giftCards: [
      { months: 1, amount: 799 },
      { months: 3, amount: 2199 },
      { months: 6, amount: 3999 },
      { months: 12, amount: 5988 },
    ],
    currencies: [],
    testCards: [],
    payments: testPayments,
    cardPayments: testPayments,
  });
});

test('the site’s own database and logs contain no card data', async () => {
  await sandbox.settled();
  const everything = `${await readEverything(db)}\n${JSON.stringify(logged)}`;
  expect(logged.length).toBeGreaterThan(100);
  expect(everything).toContain('cus_');
  // Last digits, brands and Stripe's card identifiers. Other identifiers contain any digits by chance.
  for (const trace of [/(?<![\w-])4242(?![\w-])/, /\bvisa\b/i, /last4/, /\bpm_/, /fingerprint/, /_secret_/])
    expect(everything).not.toMatch(trace);
  // The sandbox is not part of the site: it stores the card data that Stripe returns, but no number.
  const kept = await readEverything(db, ['stripe_sandbox']);
  expect(kept).toContain('last4');
  for (const { number } of testCards)
    for (const text of [everything, kept]) expect(text.replaceAll(/[ -]/g, '')).not.toContain(number);
  expect(kept).not.toMatch(/"cvc": "\d/);
  expect(errors).toEqual([]);
});
