import { expect, test } from 'vitest';
import { createSession, createUser } from '#test/support/factories.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';

const plain = openPlainPayments();
const { url, db } = await startTestSite({ TRUST_PROXY: '1' }, { openPayments: async () => plain.provider });

async function post(path: string, from: string, body?: unknown, token?: string) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method: 'POST',
    headers: {
      'x-forwarded-for': from,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const form = { months: 1, recipientEmail: 'friend@example.org', buyerEmail: 'me@example.org' };
const buy = (from: string, token?: string) => post('/gift-cards', from, form, token);

test('without an account an address begins ten gift cards an hour, besides those that are paid', async () => {
  const from = '198.51.100.7';
  const bought = [];
  for (let card = 0; card < 10; card += 1) bought.push(await buy(from));
  expect(bought.map(({ status }) => status)).toEqual(Array(10).fill(201));

  const [first] = bought;
  const refresh = () => post(`/gift-cards/${first?.body.giftCard.id}/refresh`, from);
  expect(await refresh()).toMatchObject({ body: { giftCard: { state: 'awaiting-payment' } } });
  plain.finish(first?.body.clientSecret, { cardId: plain.newCard('good') });
  for (let time = 0; time < 3; time += 1)
    expect(await refresh()).toMatchObject({ body: { giftCard: { state: 'paid' } } });
  expect((await buy(from)).status).toBe(201);
  expect(await buy(from)).toMatchObject({ status: 429, body: { error: { code: 'request/too-many' } } });
  expect((await buy('198.51.100.8')).status).toBe(201);
  const { id } = await createUser(db);
  expect((await buy(from, (await createSession(db, id)).token)).status).toBe(201);
});
