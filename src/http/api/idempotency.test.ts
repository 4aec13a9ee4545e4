import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { setAdmin } from '#domain/identity/operators.ts';
import { repeatedCalls } from '#domain/identity/tables.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { startTestSite } from '#test/support/site.ts';
import { keyedCalls } from './idempotency.ts';

const plain = openPlainPayments();
const { url, port, db, site, errors } = await startTestSite({}, { openPayments: async () => plain.provider });

async function newPerson(isAdmin = false) {
  const { id } = await createUser(db);
  if (isAdmin) await setAdmin(db, id, true);
  return { id, token: (await createSession(db, id)).token };
}
const [admin, ana, bo] = [await newPerson(true), await newPerson(), await newPerson()];
const audio = await createAudio(db, { isFree: true });

let made = 0;
const newKey = () => `a-key-for-one-act-${(made += 1)}`;

type Sent = { by?: { token: string }; key?: string | undefined; body?: unknown; at?: string };

async function call(method: string, path: string, { by, key, body, at = url }: Sent) {
  const response = await fetch(`${at}/v1/api${path}`, {
    method,
    headers: {
      ...(by && { authorization: `Bearer ${by.token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
}

/** Months of gift time from now on. */
async function monthsOf(userId: string): Promise<number> {
  const { rows } = await db.execute<{ days: number }>(
    sql`select extract(epoch from gift_until - now())::float8 / 86400 as days from memberships where user_id = ${userId}`,
  );
  return Math.round((rows[0]?.days ?? 0) / 30.4);
}

const gift = { months: 1, reason: 'Thanks' };
const give = (userId: string, sent: Sent = {}) =>
  call('POST', `/admin/users/${userId}/months`, { by: admin, body: gift, ...sent });

/** A proxy that loses the answer to the first request: it resets the connection once the site has answered. */
async function startLossyProxy(): Promise<string> {
  let isFirst = true;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) open.add(socket.on('error', () => undefined));
    near.pipe(far);
    far.on('data', (bytes) => {
      if (!isFirst) return void near.write(bytes);
      isFirst = false;
      far.destroy();
      return void near.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a call whose answer was lost, sent again with its key, gives once and gets the first answer', async () => {
  const at = await startLossyProxy();
  const key = newKey();
  await expect(give(ana.id, { key, at })).rejects.toThrow('fetch failed');
  expect(await monthsOf(ana.id)).toBe(1);
  const again = await give(ana.id, { key, at });
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.body).toEqual({ until: expect.any(String) });
  expect(await monthsOf(ana.id)).toBe(1);
  expect((await give(ana.id, { key: newKey() })).headers.has('idempotency-replayed')).toBe(false);
  expect(await monthsOf(ana.id)).toBe(2);
});

test('taking months back, sent again, takes the last ones only', async () => {
  const person = await newPerson();
  for (const key of [newKey(), newKey()]) await give(person.id, { key });
  const key = newKey();
  const takeBack = () => call('DELETE', `/admin/users/${person.id}/months`, { by: admin, key });
  const answers = [await takeBack(), await takeBack()];
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [204, null],
    [204, null],
  ]);
  expect(await monthsOf(person.id)).toBe(1);
});

test('repeats at the same time wait for the first one, and do nothing', async () => {
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 8 }, () => give(bo.id, { key })));
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(await monthsOf(bo.id)).toBe(1);
});

test('a visitor’s gift card is bought once per key, and its secret is not readable in the database', async () => {
  const form = { months: 3, recipientEmail: 'friend@example.org', buyerEmail: 'me@example.org' };
  const key = newKey();
  const buy = () => call('POST', '/gift-cards', { key, body: form });
  const [first, second] = [await buy(), await buy()];
  expect(first.status).toBe(201);
  expect(second.body).toEqual(first.body);
  const { rows } = await db.execute(sql`select r::text as row from repeated_calls r`);
  for (const hidden of [first.body.clientSecret, key, 'friend@example.org'])
    expect(JSON.stringify(rows)).not.toContain(hidden);
});

test('a key belongs to its call and to its user', async () => {
  const key = newKey();
  const write = (by: typeof ana, text: string, audioId = audio.id) =>
    call('POST', `/audios/${audioId}/comments`, { by, key, body: { text } });
  expect((await write(ana, 'Lovely.')).status).toBe(201);
  expect(await write(ana, 'Awful.')).toMatchObject({
    status: 422,
    body: { error: { code: 'request/key-of-another' } },
  });
  const other = await createAudio(db, { isFree: true });
  expect((await write(ana, 'Lovely.', other.id)).status).toBe(422);
  const his = await write(bo, 'Lovely.');
  expect([his.status, his.headers.has('idempotency-replayed')]).toEqual([201, false]);
});

test('a refusal is not kept: the same key may be tried again', async () => {
  const key = newKey();
  const person = await newPerson();
  const ask = (by: typeof ana) => give(person.id, { key, by });
  expect((await ask(person)).status).toBe(404);
  expect((await call('POST', `/admin/users/${person.id}/months`, { by: admin, key, body: {} })).status).toBe(400);
  expect((await ask(admin)).status).toBe(200);
  for (const bad of ['short', 'with spaces in it, too many', 'x'.repeat(101)])
    expect([bad, (await give(person.id, { key: bad })).status]).toEqual([bad, 400]);
  expect(await monthsOf(person.id)).toBe(1);
});

test('a declined card is kept as an answer: the order sent again asks the bank no second time', async () => {
  const body = { paymentMethodId: plain.newCard('declining'), period: 'month' };
  const order = { by: await newPerson(), key: newKey(), body };
  const first = await call('POST', '/stripe/create-subscription', order);
  expect([first.status, first.body.error.code]).toEqual([402, 'payment/card-declined']);
  const asked = plain.calls.length;
  const second = await call('POST', '/stripe/create-subscription', order);
  expect([second.status, second.body]).toEqual([402, first.body]);
  expect([second.headers.get('idempotency-replayed'), plain.calls.length]).toEqual(['true', asked]);
});

test('a call without an answer is not made again, and says so', async () => {
  const form = { key: newKey(), userId: ana.id, call: 'POST /x' };
  expect(await site.identity.beginCall(form)).toMatchObject({ is: 'first' });
  expect(await site.identity.beginCall(form, 0)).toEqual({ is: 'unanswered' });
});

test('answers are kept for a day, and erased with their user', async () => {
  const person = await newPerson();
  const key = newKey();
  await give(person.id, { key, by: admin });
  const body = { text: 'Gone soon.' };
  await call('POST', `/audios/${audio.id}/comments`, { by: person, key, body });
  const own = () => db.$count(repeatedCalls, eq(repeatedCalls.userId, person.id));
  expect(await own()).toBe(1);
  await db.execute(
    sql`update repeated_calls set created_at = now() - interval '23 hours' where user_id = ${person.id}`,
  );
  await site.identity.purgeEndedSessions();
  expect(await own()).toBe(1);
  await db.execute(
    sql`update repeated_calls set created_at = now() - interval '25 hours' where user_id = ${person.id}`,
  );
  await site.identity.purgeEndedSessions();
  expect(await own()).toBe(0);
});

/** Calls by POST that need no key, with the reason. */
const without: Record<string, string> = Object.fromEntries(
  (
    [
      [
        'it sets a state, which a second time is there already',
        [
          '/admin/articles/{id}/restore',
          '/admin/audios/acts',
          '/admin/bulk-acts/{id}/stop',
          '/admin/facets/presets',
          '/admin/facets/{id}/tags',
          '/admin/look/{part}/reset',
          '/admin/categories/{id}/restore',
          '/admin/playlists/{id}/restore',
          '/admin/system/jobs/{id}/cancel',
          '/admin/system/jobs/{id}/retry',
          '/admin/voices/{id}/restore',
          '/studio/voices/{id}/agreement',
          '/admin/webhook-events/{id}/replay',
          '/admin/provider-moves/{id}/act',
          '/admin/member-imports/{id}/act',
          '/auth/logout',
          '/admin/notices/{id}/reporter',
          '/comments/{id}/report',
          '/notices',
          '/notices/{token}/appeal',
          '/notices/{token}/answer',
          '/gift-cards/{id}/refresh',
          '/tips/{id}/refresh',
          '/history/me/play-here',
          '/history/me/value',
          '/studio/audios/acts',
          '/studio/audios/{id}/restore',
          '/studio/audios/{id}/timing/draft',
          '/studio/series/{id}/audios',
          '/studio/series/{id}/move',
          '/studio/series/{id}/restore',
          '/studio/uploads/{id}/retry',
          '/user/block/{id}',
          '/user/favorite/{id}',
          '/user/hidden-tags/{slug}',
          '/user/hidden/audios/{id}',
          '/user/hidden/voices/{id}',
          '/user/mixes/{id}/restore',
          '/user/mixes/{id}/visit',
          '/user/moments',
          '/user/notifications/read',
          '/user/offline-devices',
          '/user/offline-devices/{id}/licence',
          '/user/profile',
          '/user/push-subscriptions',
          '/user/recent-searches',
          '/user/subscription/checkouts/{reference}/refresh',
          '/user/subscription/refresh',
          '/users-playlists/{id}/audios',
          '/users-playlists/{id}/move',
          '/users-playlists/{id}/restore',
        ],
      ],
      [
        'it changes nothing',
        [
          '/admin/info-pages/{name}/preview',
          '/admin/mails/{key}/preview',
          '/admin/markdown-preview',
          '/admin/second-factor/challenge',
          '/admin/second-factor/passkeys/options',
          '/subscription/preview',
          '/user/subscription/period/preview',
        ],
      ],
      [
        'a second one is refused: its link, proof, name or state is used up',
        [
          '/admin/bulk-acts/{id}/undo',
          '/admin/categories',
          '/admin/categories/{id}/delete',
          '/admin/system/search/rebuild',
          '/admin/voices/{id}/delete',
          '/admin/look/import',
          '/admin/look/undo-import',
          '/admin/payouts/{month}/lock',
          '/admin/reconciliations',
          '/admin/provider-moves',
          '/admin/second-factor/passkeys',
          '/admin/second-factor/proof',
          '/admin/system/backups',
          '/admin/tags/{id}/merge',
          '/admin/voices/{id}/merge',
          '/admin/voices/{id}/verification/refuse',
          '/admin/voices/{id}/verification/withdraw',
          '/admin/creator-agreements',
          '/studio/voices/{id}/verification',
          '/studio/audios/{id}/performers',
          '/studio/audios/{id}/credits',
          '/auth/email/confirm',
          '/auth/login',
          '/auth/register',
          '/studio/audios/{id}/changes/discard',
          '/studio/audios/{id}/changes/publish',
          '/studio/audios/{id}/timing/take',
          '/studio/feed-imports/{id}/choose',
          '/studio/feed-imports/{id}/confirm',
          '/studio/feed-imports/{id}/run',
          '/studio/feed-imports/{id}/stop',
          '/user/password',
        ],
      ],
      [
        'it replaces what the first one made',
        [
          '/admin/second-factor/app',
          '/admin/second-factor/recovery-codes',
          '/auth/session',
          '/auth/session/token',
          '/studio/audios/{id}/performers/{performerId}/link',
          '/studio/voices/{id}/feed-imports',
          '/user/feeds/{id}/address',
          '/user/subscription/card',
        ],
      ],
      [
        'it makes one more of one’s own, which nobody is told of and which can be removed',
        [
          '/admin/articles',
          '/admin/facets',
          '/admin/playlists',
          '/admin/voices',
          '/studio/voices/{id}/series',
          '/user/feeds',
          '/user/mixes',
          '/users-playlists',
        ],
      ],
      [
        'it is counted once for each listener and period',
        ['/history/me/increase-counter', '/users-playlists/{id}/play'],
      ],
      ['a lost or doubled one changes a statistic', ['/events']],
      [
        'a second one finds it done, and changes nothing',
        [
          '/audios/{id}/clips',
          '/admin/reviews/{id}/decision',
          '/admin/held-comments/{id}/decision',
          '/admin/settings/age/presets/{name}',
          '/admin/settings/tax/presets',
          '/admin/translations/import',
          '/age/statement',
          '/age/proof/answer',
          '/admin/settings/age/issuers',
        ],
      ],
    ] as const
  ).flatMap(([reason, paths]) => paths.map((path) => [`POST ${path}`, reason])),
);

test('each POST takes a key, or has a reason to need none', async () => {
  const { paths } = (await (await fetch(`${url}/v1/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
  };
  const keyed = new Set<string>(keyedCalls);
  const posts = Object.entries(paths).flatMap(([path, { post }]) => (post === undefined ? [] : [`POST ${path}`]));
  expect(posts.filter((post) => !keyed.has(post) && without[post] === undefined)).toEqual([]);
  expect(Object.keys(without).filter((post) => keyed.has(post) || !posts.includes(post))).toEqual([]);
  for (const call of keyedCalls) {
    const [method = '', path = ''] = call.split(' ');
    const parameters = paths[path]?.[method.toLowerCase()]?.parameters ?? [];
    expect([call, parameters.map(({ name }) => name)]).toEqual([call, expect.arrayContaining(['Idempotency-Key'])]);
  }
});

test('none of it was a failure of the site', async () => {
  await vi.waitFor(() => expect(errors).toEqual([]));
});
