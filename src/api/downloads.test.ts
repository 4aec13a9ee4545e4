import { eq, sql } from 'drizzle-orm';
import { importJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import { openLicenceKey } from '#domain/listening/licence-key.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { memberships, subscriptions } from '#domain/membership/tables.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, site } = await startTestSite();
const dayMs = 24 * 60 * 60 * 1000;

async function call(token: string, method: string, path = '', body?: object) {
  const response = await fetch(`${url}/v1/api/user/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const add = (token: string) => call(token, 'POST', 'offline-devices');
const renew = (token: string, id: string, body?: object) => call(token, 'POST', `offline-devices/${id}/licence`, body);
const list = async (token: string) => (await call(token, 'GET', 'offline-devices')).body.items;

async function newSubscriber(months = 1) {
  const { id } = await createUser(db);
  if (months > 0) await giveMonths(db, id, months);
  return { id, ...(await newDevice(id)) };
}

async function newDevice(userId: string, device?: string) {
  const session = await createSession(db, userId, device);
  return { sessionId: session.id, token: session.token };
}

function daysUntil(time: string): number {
  return (Date.parse(time) - Date.now()) / dayMs;
}

test('a subscriber’s device gets a signed licence for 14 days, and a renewed one on the same device', async () => {
  const { id, token } = await newSubscriber();
  const first = await add(token);
  expect(first).toMatchObject({ status: 200, body: { userId: id } });
  expect(daysUntil(first.body.expiresAt)).toBeCloseTo(14, 2);
  const key = await importJWK(site.listening.licenceKey, 'ES256');
  const { payload } = await jwtVerify(first.body.licence, key, { algorithms: ['ES256'] });
  expect(payload).toMatchObject({ sub: id, jti: first.body.deviceId });
  expect(payload.exp).toBe(Math.floor(Date.parse(first.body.expiresAt) / 1000));
  const foreign = await importJWK(openLicenceKey('another secret').publicJwk, 'ES256');
  await expect(jwtVerify(first.body.licence, foreign)).rejects.toThrow('signature');

  expect((await add(token)).body.deviceId).toBe(first.body.deviceId);
  expect(await renew(token, first.body.deviceId)).toMatchObject({
    status: 200,
    body: { deviceId: first.body.deviceId },
  });
  expect(await list(token)).toMatchObject([{ id: first.body.deviceId, device: 'Chrome on Linux', isCurrent: true }]);
});

test('a licence ends with the access that is known to end, and with the days of grace', async () => {
  const { id, token } = await newSubscriber();
  const until = (days: number) => new Date(Date.now() + days * dayMs);
  await db
    .update(memberships)
    .set({ giftUntil: until(3) })
    .where(sql`user_id = ${id}`);
  expect(daysUntil((await add(token)).body.expiresAt)).toBeCloseTo(3, 2);

  const subscription = {
    userId: id,
    subscriptionId: 'sub_offline',
    status: 'active' as const,
    period: 'month' as const,
    amount: 999,
    currency: 'usd',
    startedAt: new Date(),
    periodEndsAt: until(30),
  };
  await db.insert(subscriptions).values(subscription);
  expect(daysUntil((await add(token)).body.expiresAt)).toBeCloseTo(14, 2);
  await db
    .update(subscriptions)
    .set({ endsAt: until(5) })
    .where(sql`user_id = ${id}`);
  expect(daysUntil((await add(token)).body.expiresAt)).toBeCloseTo(5, 2);
  await db
    .update(subscriptions)
    .set({ endsAt: null, status: 'past-due', unpaidSince: until(-3) })
    .where(sql`user_id = ${id}`);
  expect(daysUntil((await add(token)).body.expiresAt)).toBeCloseTo(4, 2);
});

test('without a subscription, or after it, there is no licence', async () => {
  const none = await newSubscriber(0);
  expect(await add(none.token)).toMatchObject({ status: 402, body: { error: { code: 'subscription/required' } } });
  expect(await list(none.token)).toEqual([]);

  const ended = await newSubscriber();
  const { deviceId } = (await add(ended.token)).body;
  await db
    .update(memberships)
    .set({ giftUntil: new Date(Date.now() - 1000) })
    .where(sql`user_id = ${ended.id}`);
  expect((await renew(ended.token, deviceId)).status).toBe(402);
});

test('five devices at most, even concurrently; a removed one makes room and must delete its downloads', async () => {
  const { id, token } = await newSubscriber();
  const others = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => newDevice(id, name)));
  const answers = await Promise.all([token, ...others.map((other) => other.token)].map(add));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('offline/too-many-devices');

  const devices = [token, ...others.map((other) => other.token)];
  const refused = devices[answers.findIndex(({ status }) => status === 409)] ?? '';
  const keptIndex = answers.findIndex(({ status }) => status === 200);
  const { deviceId } = answers[keptIndex]?.body ?? {};
  expect((await call(refused, 'DELETE', `offline-devices/${deviceId}`)).status).toBe(204);
  expect((await renew(devices[keptIndex] ?? '', deviceId)).status).toBe(404);
  expect((await add(refused)).status).toBe(200);
  // So does one whose session has ended.
  const sixth = await newDevice(id, 'f');
  expect((await add(sixth.token)).status).toBe(409);
  await db.execute(sql`update sessions set expires_at = now() - interval '1 second'
    where id = (select session_id from offline_devices where user_id = ${id} limit 1)`);
  expect((await add(sixth.token)).status).toBe(200);
});

test('a device ends with its session: by log-out on another device, or everywhere', async () => {
  const { id, token, sessionId } = await newSubscriber();
  const other = await newDevice(id);
  const { deviceId } = (await add(token)).body;
  await add(other.token);
  expect(await list(other.token)).toHaveLength(2);
  // A licence is renewed by its own device only.
  expect((await renew(other.token, deviceId)).status).toBe(404);
  expect((await call(other.token, 'DELETE', `sessions/${sessionId}`)).status).toBe(204);
  expect((await renew(token, deviceId)).status).toBe(401);
  // Logged in again on the same device: a new session, without this device.
  expect((await renew((await newDevice(id)).token, deviceId)).status).toBe(404);
  expect(await list(other.token)).toHaveLength(1);
  await call(other.token, 'DELETE', 'sessions');
  expect(await list((await newDevice(id)).token)).toEqual([]);
});

test('a renewal names the downloads that are no longer published, or no longer for downloads', async () => {
  const { token } = await newSubscriber();
  const { deviceId } = (await add(token)).body;
  const there = await createAudio(db);
  const draft = await createAudio(db, { publishedAt: null });
  const planned = await createAudio(db, { publishedAt: new Date(Date.now() + dayMs) });
  const deleted = newId();
  const heardOnly = await createAudio(db);
  await db.update(audios).set({ isStreamOnly: true }).where(eq(audios.id, heardOnly.id));
  const audioIds = [deleted, there.id, draft.id, planned.id, heardOnly.id];
  expect(await renew(token, deviceId, { audioIds })).toMatchObject({
    status: 200,
    body: { deviceId, gone: [deleted, draft.id, planned.id, heardOnly.id], streamOnly: [heardOnly.id] },
  });
  expect((await renew(token, deviceId)).body.gone).toEqual([]);
});

test('bad input gets a 4xx', async () => {
  const { token } = await newSubscriber();
  const { deviceId } = (await add(token)).body;
  expect((await renew(token, deviceId, { audioIds: ['no-id'] })).status).toBe(400);
  expect((await renew(token, deviceId, { audioIds: Array.from({ length: 1001 }, newId) })).status).toBe(400);
  expect((await renew(token, 'no-id')).status).toBe(400);
  expect((await renew(token, newId())).status).toBe(404);
  expect((await call(token, 'DELETE', `offline-devices/${newId()}`)).status).toBe(404);
  for (const method of ['GET', 'POST']) expect((await call('x', method, 'offline-devices')).status).toBe(401);
});
