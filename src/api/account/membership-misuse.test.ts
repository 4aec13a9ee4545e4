import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { setAdmin } from '#domain/identity/operators.ts';
import { findCustomerId } from '#domain/membership/customers.ts';
import { giftCards, memberships } from '#domain/membership/tables.ts';
import { startPayingApi } from '#test/support/payments/paying-api.ts';
import { slow } from '#test/support/tags.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Misuse and races: concurrent requests, outdated requests, invalid text. */

const { call, register, subscribe, db, provider, sandbox, stripe, newCard, enterCard, errors } = await startPayingApi();

/** A user with a used trial, so that the first charge is due at once. */
async function registerAfterTrial() {
  const user = await register();
  await db.insert(memberships).values({ userId: user.id, trialUsedAt: new Date() });
  return user;
}

test('operators create one promo code at once: it is created once, and the others are told', async () => {
  const operator = await register();
  await setAdmin(db, operator.id, true);
  const create = (code: string) =>
    call('POST', '/admin/promo-codes', {
      token: operator.token,
      body: { code, percentOff: 10, duration: 'once' },
    });
  for (const code of ['ATONCE1', 'ATONCE2', 'ATONCE3']) {
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  }
});

test('eight users take the last two uses of a promo code at once: two succeed and six are refused', slow, async () => {
  await provider.createPromoCode({
    code: 'LASTTWO',
    percentOff: 50,
    currency: 'usd',
    duration: 'forever',
    maxRedemptions: 2,
  });
  const users = await Promise.all(
    Array.from({ length: 8 }, async () => ({ ...(await registerAfterTrial()), card: await newCard('good') })),
  );
  const answers = await Promise.all(
    users.map(({ token, card }) =>
      subscribe(token, { paymentMethodId: card, period: 'month', promoCode: 'LASTTWO', withoutTrial: true }),
    ),
  );
  const refused = users.filter((_user, index) => answers[index]?.status !== 200);
  expect(refused).toHaveLength(6);
  for (const { status, body } of answers.filter(({ status: one }) => one !== 200))
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'promo-code/used-up' });
  const [one] = refused;
  const without = { paymentMethodId: one?.card, period: 'month', withoutTrial: true };
  expect(await subscribe(one?.token ?? '', without)).toMatchObject({
    status: 200,
    body: { subscription: { state: 'active', discount: null } },
  });
});

test('a card with a failed charge can be retried without limit', slow, async () => {
  const { id, token } = await registerAfterTrial();
  const order = { paymentMethodId: await newCard('fails-later'), period: 'month' };
  for (const _try of [1, 2, 3])
    expect(await subscribe(token, order)).toMatchObject({
      status: 402,
      body: { error: { code: 'payment/card-declined' } },
    });
  expect((await subscribe(token, { ...order, paymentMethodId: await newCard('good') })).status).toBe(200);
  const customer = (await findCustomerId(db, id)) ?? '';
  const { data } = await stripe.subscriptions.list({ customer, status: 'all' });
  expect(data.filter(({ status }) => status === 'active')).toHaveLength(1);
});

test('when two users send one card at once, one gets it', async () => {
  const [one, other] = [await registerAfterTrial(), await registerAfterTrial()];
  const order = { paymentMethodId: await newCard('good'), period: 'month' };
  const answers = await Promise.all([subscribe(one.token, order), subscribe(other.token, order)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(answers.find(({ status }) => status === 400)?.body.error.code).toBe('payment/unknown-method');
});

test('a card detached by a later change cannot be attached again', slow, async () => {
  const { token } = await registerAfterTrial();
  await subscribe(token, { paymentMethodId: await newCard('good'), period: 'month' });
  const setups = [];
  for (const _setup of [1, 2]) {
    const { body } = await call('POST', '/user/subscription/card', { token });
    await enterCard(body.clientSecret as string, await newCard('good'));
    setups.push(body.setupId);
  }
  const change = (setupId: unknown) => call('PUT', '/user/subscription/card', { token, body: { setupId } });
  expect((await change(setups[1])).status).toBe(200);
  expect(await change(setups[0])).toMatchObject({ status: 400, body: { error: { code: 'payment/unknown-method' } } });
  expect((await change(setups[1])).status).toBe(200);
});

test('text that the database cannot store is refused before the provider is called', async () => {
  const { token } = await register();
  for (const promoCode of ['\0', 'CANDLE\0', '\uD800']) {
    const order = { paymentMethodId: await newCard('good'), period: 'month', promoCode };
    expect((await subscribe(token, order)).status).toBe(400);
    expect((await call('POST', '/subscription/preview', { token, body: order })).status).toBe(400);
    const body = { promoCode };
    expect((await call('POST', '/user/subscription/promo-code', { token, body })).status).toBe(400);
  }
});

test('a gift card scheduled in the past arrives now', async () => {
  for (const deliverAt of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '2020-01-01T00:00:00+02:00']) {
    const body = { months: 1, recipientEmail: 'a@example.org', buyerEmail: 'b@example.org', deliverAt };
    const answer = await call('POST', '/gift-cards', { body });
    expect(answer.status).toBe(201);
    const [row] = await db
      .select()
      .from(giftCards)
      .where(eq(giftCards.id, answer.body.giftCard.id as string));
    expect(Math.abs((row?.deliverAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  }
});

test('a disputed charge ends the paid membership', async () => {
  const { token } = await registerAfterTrial();
  const order = { paymentMethodId: await newCard('disputed'), period: 'year' };
  await subscribe(token, order);
  await sandbox.settled();
  expect((await call('GET', '/user/subscription', { token })).body).toMatchObject({
    state: 'ended',
    isSubscribed: false,
  });
  const again = await subscribe(token, { ...order, paymentMethodId: await newCard('good') });
  expect(again.body).toMatchObject({ subscription: { state: 'active' }, user: { isSubscribed: true } });
});

test('no request above was a server error', () => {
  expect(errors).toEqual([]);
});
