import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { OAuth2Server } from 'oauth2-mock-server';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { outageOf } from '#domain/kernel/database/outages.ts';
import { englishErrors } from '#domain/kernel/errors.ts';
import { type AttemptOf, countAttempts } from '#domain/identity/attempts.ts';
import { openKnownDevices } from '#domain/identity/known-devices.ts';
import type { ProviderAccount } from '#domain/identity/provider.ts';
import { openBuiltInIdentity } from '#gateways/built-in-identity/built-in-identity.ts';
import { openMail } from '#gateways/mail.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { lowHashCost } from '#test/support/identity.ts';
import { slow } from '#test/support/tags.ts';
import { createFailures } from './errors.ts';
import { identityProviderRoutes } from './identity-provider.ts';

type Arrived = { to: string[]; subject: string | undefined; text: string };

const { db, pool } = await createTestDatabase();
const log = pino({ level: 'silent' });
const arrived: Arrived[] = [];
const ended: ProviderAccount[] = [];

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    const take = async () => {
      const { subject, text } = await PostalMime.parse(await buffer(stream));
      arrived.push({ to: session.envelope.rcptTo.map(({ address }) => address), subject, text: text ?? '' });
      done();
    };
    void take();
  },
});
await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
const smtpPort = (smtp.server.address() as AddressInfo).port;

const openId = new OAuth2Server();
await openId.issuer.keys.generate('RS256');
await openId.start(0, '127.0.0.1');
const issuer = openId.issuer.url ?? '';
/** The person that the fake Google or Facebook reports. */
let person: { sub: string; id: string; email?: string } = { sub: '1', id: '1' };
openId.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
  Object.assign(token.payload, { sub: person.sub, email: person.email, email_verified: true, name: 'Real Name' });
});
openId.service.on('beforeUserinfo', (answer: { body: Record<string, unknown> }) => {
  answer.body = { ...person };
});

const app = new Hono();
const server = await new Promise<Server>((resolve) => {
  const listening = serve({ fetch: (request, env) => app.fetch(request, env), port: 0, hostname: '127.0.0.1' }, () =>
    resolve(listening),
  ) as Server;
});
const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const mail = await openMail({
  url: `smtp://127.0.0.1:${smtpPort}`,
  from: () => 'Sotto <no-reply@sotto.test>',
  db,
  log,
});
const secret = 'a secret of this test, of more than 32 characters';
const attempts = countAttempts(db, secret);
const devices = openKnownDevices(secret);
const identity = await openBuiltInIdentity({
  db,
  secret,
  siteUrl: site,
  takesAnswers: false,
  siteName: () => 'Sotto & Co',
  mail,
  social: {
    google: { clientId: 'g', clientSecret: 'gs', issuer },
    facebook: {
      clientId: 'f',
      clientSecret: 'fs',
      authorizationUrl: `${issuer}/authorize`,
      tokenUrl: `${issuer}/token`,
      userInfoUrl: `${issuer}/userinfo`,
    },
  },
  hashCost: lowHashCost,
  log,
  onPasswordChanged: async (account) => void ended.push(account),
});
const failures = createFailures({ log, outageOf });
app.route(
  '/',
  identityProviderRoutes({
    handle: identity.handle,
    attempts,
    knownDevices: devices,
    failures,
    trustProxy: 1,
    secure: false,
  }),
);
app.onError((error) => failures.respond(error, 'failed'));

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await mail.close();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  await openId.stop();
});

let client = 0;
beforeEach(() => {
  client += 1;
  arrived.length = 0;
  ended.length = 0;
});

/** A fake browser: stores cookies, sends the origin, and follows no redirects. Each test has its own client address. */
function openBrowser() {
  const jar = new Map<string, string>();
  async function call(path: string, init: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) {
    const { body, headers, method = body === undefined ? 'GET' : 'POST' } = init;
    const answer = await fetch(new URL(path, site), {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': `10.0.0.${client}`,
        ...(method === 'POST' && { origin: site, 'content-type': 'application/json' }),
        ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }
  return { call, jar };
}

const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  openBrowser().call(path, { body, ...(headers && { headers }), method: 'POST' });

async function account(password = 'open sesame'): Promise<{ email: string; password: string; subject: string }> {
  const email = `user-${crypto.randomUUID()}@sotto.test`;
  const made = await identity.provider.createAccount({ email, password });
  if (!made.ok) throw new Error(made.reason);
  return { email, password, subject: made.subject };
}

async function codeOf(answer: Response): Promise<[number, string]> {
  const { error } = (await answer.json()) as { error: { code: string } };
  return [answer.status, error.code];
}

/**
 * Runs social sign-in in its window, from the click to the final page.
 * @returns the final URL, and the ID token if any
 */
async function socialSignIn(provider: 'google' | 'facebook') {
  const browser = openBrowser();
  const start = await browser.call(`/identity/start?provider=${provider}`);
  const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
  const callback = await browser.call(there.headers.get('location') ?? '');
  const token = await browser.call('/identity/token');
  const { token: idToken } = token.ok ? ((await token.json()) as { token: string }) : { token: undefined };
  return { start, there, done: callback.headers.get('location'), idToken, browser };
}

describe('signing in with a password', () => {
  test('gives an ID token that the provider accepts, and signing out ends it there', async () => {
    const { email, password, subject } = await account();
    const browser = openBrowser();
    const before = Date.now();
    const signIn = await browser.call('/identity/sign-in/email', {
      body: { email: ` ${email.toUpperCase()} `, password },
    });
    expect([signIn.status, await signIn.json()]).toEqual([200, { ok: true }]);
    const [cookie = ''] = signIn.headers.getSetCookie();
    expect(cookie).toMatch(
      /^sotto_identity\.session_token=[^;]+; Max-Age=600; Path=\/identity; HttpOnly; SameSite=Lax$/,
    );

    const answer = await browser.call('/identity/token');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { token } = (await answer.json()) as { token: string };
    const verified = await identity.provider.verifyIdToken(token);
    expect(verified).toMatchObject({ subject, email, signInMethod: 'password' });
    expect(verified?.signedInAt.getTime()).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);
    expect((verified?.expiresAt.getTime() ?? 0) - (verified?.issuedAt.getTime() ?? 0)).toBe(300_000);

    const keys = (await (await browser.call('/identity/jwks')).json()) as { keys: Record<string, unknown>[] };
    expect(keys.keys[0]).toMatchObject({ alg: 'EdDSA', crv: 'Ed25519' });
    expect(keys.keys[0]).not.toHaveProperty('d');

    expect((await browser.call('/identity/sign-out', { method: 'POST' })).status).toBe(200);
    expect([...browser.jar.keys()]).toEqual(['sotto_device']);
    expect(await codeOf(await browser.call('/identity/token'))).toEqual([401, 'auth/login-required']);
    expect((await pool.query('select from provider_sessions where user_id = $1', [subject])).rowCount).toBe(0);
  });

  test('an unknown address and a wrong password get the same answer, after about the same time', slow, async () => {
    const { email } = await account();
    const answers: unknown[] = [];
    async function timed(address: string): Promise<number> {
      const start = performance.now();
      const answer = await post('/identity/sign-in/email', { email: address, password: 'not this one' });
      answers.push([answer.status, await answer.json()]);
      return performance.now() - start;
    }
    await timed(email);
    const wrong: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const tryWrong = async () => wrong.push(await timed(email));
      const tryUnknown = async () => unknown.push(await timed(`nobody-${round}@sotto.test`));
      for (const act of round % 2 === 0 ? [tryWrong, tryUnknown] : [tryUnknown, tryWrong]) await act();
    }
    const message = 'This combination does not exist. Please try again.';
    for (const answer of answers) expect(answer).toEqual([401, { error: { code: 'auth/wrong-password', message } }]);
    // Compares the fastest of each, because other load only adds time.
    const ratio = Math.min(...wrong) / Math.min(...unknown);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test(
    'ten failures lock the account for their address, even with the right password; success resets them',
    slow,
    async () => {
      const { email, password } = await account();
      const other = await account();
      const tryOnce = (address: string, given: string) =>
        post('/identity/sign-in/email', { email: address, password: given });
      for (let round = 0; round < 9; round += 1) await tryOnce(other.email, 'wrong');
      expect((await tryOnce(other.email, other.password)).status).toBe(200);
      expect((await tryOnce(other.email, 'wrong')).status).toBe(401);

      // On a busy machine some are refused before they are counted; more than ten never succeed.
      const statuses = await Promise.all(
        Array.from({ length: 14 }, async () => (await tryOnce(email, 'wrong')).status),
      );
      const tried = statuses.filter((status) => status === 401).length;
      expect(tried).toBeLessThanOrEqual(10);
      for (let rest = tried; rest < 10; rest += 1) expect((await tryOnce(email, 'wrong')).status).toBe(401);
      const closed = await tryOnce(email, password);
      expect([closed.status, await closed.json()]).toEqual([
        429,
        { error: { code: 'auth/too-many-requests', message: englishErrors['auth/too-many-requests'] } },
      ]);
    },
  );

  const guess = (email: string, from: string, password = 'wrong', cookie = '') =>
    post('/identity/sign-in/email', { email, password }, { 'x-forwarded-for': from, ...(cookie && { cookie }) });
  async function spend(tries: number, subjectAt: (index: number) => AttemptOf) {
    for (let index = 0; index < tries; index += 1)
      expect(await attempts.take('log-in', subjectAt(index))).toBeUndefined();
  }
  const strangersGuess = (email: string) =>
    spend(50, (index) => ({ account: email, address: `10.${client}.9.${index}` }));
  const deviceCookie = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .find((line) => line.startsWith('sotto_device='))
      ?.split(';')[0];

  test('ten wrong passwords of a stranger lock out only the stranger, who gets a Retry-After', async () => {
    const { email, password } = await account();
    await spend(10, () => ({ account: email, address: '10.7.0.1' }));
    const refused = await guess(email, '10.7.0.1', password);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    expect((await guess(email, '10.7.0.2', password)).status).toBe(200);
  });

  test(
    'strangers at many addresses share one budget per account, real or not; a known device gets in',
    slow,
    async () => {
      const { email, password } = await account();
      const owner = await guess(email, '10.8.0.1', password);
      const line = owner.headers.getSetCookie().find((cookie) => cookie.startsWith('sotto_device='));
      expect(line).toMatch(/; Max-Age=34560000; Path=\/identity\/sign-in; HttpOnly; SameSite=Lax$/);
      const known = deviceCookie(owner);
      for (const name of [email, 'nobody-there@sotto.test']) {
        await strangersGuess(name);
        expect(await codeOf(await guess(name, '10.8.2.1'))).toEqual([429, 'auth/too-many-requests']);
      }
      expect((await guess(email, '10.8.2.2', password)).status).toBe(429);
      expect((await guess(email, '10.8.2.2', password, known)).status).toBe(200);

      // A known device has a budget too, and is known for this account only.
      const device = devices.find(known?.split('=')[1], email);
      await spend(9, () => ({ account: email, device }));
      expect((await guess(email, '10.8.2.2', 'wrong', known)).status).toBe(401);
      expect((await guess(email, '10.8.2.2', password, known)).status).toBe(429);
      expect((await guess('nobody-there@sotto.test', '10.8.2.2', 'wrong', known)).status).toBe(429);
    },
  );

  test.each(['x', 'sotto_device=', 'sotto_device=a.b', `sotto_device=${'A'.repeat(22)}.${'B'.repeat(22)}`])(
    "a device cookie without the site's signature is not a known device: %s",
    async (forged) => {
      const { email, password } = await account();
      await strangersGuess(email);
      expect((await guess(email, '10.9.2.1', password, forged)).status).toBe(429);
    },
  );

  test('two people who share a browser are both known on it', slow, async () => {
    const [one, two] = [await account(), await account()];
    const first = deviceCookie(await guess(one.email, '10.10.0.1', one.password));
    const both = deviceCookie(await guess(two.email, '10.10.0.1', two.password, first));
    for (const { email, password } of [one, two]) {
      await strangersGuess(email);
      expect((await guess(email, '10.10.0.1', password)).status).toBe(429);
      expect((await guess(email, '10.10.0.1', password, both)).status).toBe(200);
    }
  });

  test('a request refused for overload does not count as an attempt', slow, async () => {
    const taken: unknown[] = [];
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const busy = new Hono();
    busy.onError((error) => failures.respond(error, 'failed'));
    busy.route(
      '/',
      identityProviderRoutes({
        handle: async () => {
          if (taken.length === 3) entered.resolve();
          await release.promise;
          return new Response(null, { status: 401 });
        },
        attempts: { take: async (...asked) => void taken.push(asked), succeeded: async () => {} },
        knownDevices: devices,
        failures,
        trustProxy: 1,
        secure: false,
      }),
    );
    const tryOnce = () =>
      busy.request('/identity/sign-in/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.1.0.1' },
        body: JSON.stringify({ email: 'a@sotto.test', password: 'wrong' }),
      });
    const inside = [tryOnce(), tryOnce(), tryOnce()];
    await entered.promise;
    expect(await codeOf(await tryOnce())).toEqual([429, 'request/too-many']);
    expect(taken).toHaveLength(3);
    release.resolve();
    for (const answer of await Promise.all(inside)) expect(answer.status).toBe(401);
  });

  test('redirect addresses from a client are ignored', async () => {
    const { email, password } = await account();
    const answer = await post('/identity/sign-in/email', { email, password, callbackURL: 'https://evil.example' });
    expect([answer.status, answer.headers.get('location'), await answer.json()]).toEqual([200, null, { ok: true }]);
  });
});

describe('calls that are refused', () => {
  test.each([
    ['POST', '/identity/sign-up/email'],
    ['POST', '/identity/sign-in/social'],
    ['POST', '/identity/update-user'],
    ['POST', '/identity/change-email'],
    ['POST', '/identity/delete-user'],
    ['POST', '/identity/callback/google'],
    ['GET', '/identity/get-session'],
    ['GET', '/identity/list-sessions'],
    ['GET', '/identity/reset-password/abc?callbackURL=https://evil.example'],
    ['GET', '/identity/error?error=x'],
    ['GET', '/identity/sign-in/email'],
    ['GET', '/identity/token/'],
    ['GET', '/identity//token'],
    ['DELETE', '/identity/token'],
    ['GET', '/identity/'],
  ])('%s %s is not found', async (method, path) => {
    expect(await codeOf(await openBrowser().call(path, { method }))).toEqual([404, 'request/not-found']);
  });

  test('invalid JSON, oversized bodies and other types', async () => {
    const path = '/identity/sign-in/email';
    expect(await codeOf(await post(path, '{'))).toEqual([400, 'request/invalid']);
    expect(await codeOf(await post(path, { email: 'a@b.example' }))).toEqual([400, 'request/invalid']);
    expect(await codeOf(await post(path, { email: ['a@b.example'], password: 'x' }))).toEqual([400, 'request/invalid']);
    expect(await codeOf(await post(path, { email: 'a'.repeat(9000), password: 'x' }))).toEqual([
      413,
      'request/too-large',
    ]);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await codeOf(await post(path, 'email=a%40b.example&password=x', form))).toEqual([
      415,
      'request/unsupported-type',
    ]);
    expect(await codeOf(await post(path, '{}', { 'content-type': 'text/plain' }))).toEqual([
      415,
      'request/unsupported-type',
    ]);
  });

  test.each([
    '/identity/sign-in/email',
    '/identity/sign-out',
    '/identity/request-password-reset',
    '/identity/reset-password',
  ])('POST %s from a page of another site', async (path) => {
    const { email, password } = await account();
    const browser = openBrowser();
    await browser.call('/identity/sign-in/email', { body: { email, password } });
    const body = { email, password, token: 'x', newPassword: 'long enough' };
    const elsewhere: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${site}.evil.example` },
      { origin: site, 'sec-fetch-site': 'cross-site' },
      { origin: site, 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of elsewhere)
      expect(await codeOf(await browser.call(path, { body, headers }))).toEqual([400, 'request/invalid']);
    await identity.settled();
    expect(arrived).toEqual([]);
    expect((await browser.call('/identity/token')).status).toBe(200);
  });
});

describe('a forgotten password', () => {
  const ask = (email: string) => post('/identity/request-password-reset', { email });

  async function linkIn(): Promise<string> {
    await identity.settled();
    return /https?:\S+/.exec(arrived.at(-1)?.text ?? '')?.[0] ?? '';
  }

  test('the mailed link sets a new one once; all sessions end and a mail is sent', async () => {
    const { email, password, subject } = await account();
    const browser = openBrowser();
    await browser.call('/identity/sign-in/email', { body: { email, password } });

    expect((await ask(email)).status).toBe(200);
    const link = new URL(await linkIn());
    expect(arrived).toMatchObject([{ to: [email], subject: 'Set a new password' }]);
    expect(arrived[0]?.text).toContain('Sotto & Co');
    expect(link.origin + link.pathname).toBe(`${site}/reset-password`);
    const token = link.searchParams.get('token') ?? '';
    expect(
      (await pool.query('select from provider_verifications where identifier like $1', [`%${token}%`])).rowCount,
    ).toBe(0);

    const set = (newPassword: string, given = token) => post('/identity/reset-password', { token: given, newPassword });
    expect(await codeOf(await set('short'))).toEqual([400, 'auth/weak-password']);
    expect(await codeOf(await set('Letmein'))).toEqual([400, 'auth/common-password']);
    expect(await codeOf(await set('x'.repeat(257)))).toEqual([400, 'auth/weak-password']);
    expect(await codeOf(await set('a new password', `${token}x`))).toEqual([400, 'auth/invalid-link']);
    // ID tokens have whole seconds: only one from an earlier second is recognized as stale.
    await pool.query(`update provider_sessions set created_at = now() - interval '5 s' where user_id = $1`, [subject]);
    const { token: staleIdToken } = (await (await browser.call('/identity/token')).json()) as { token: string };
    expect(await identity.provider.verifyIdToken(staleIdToken)).toBeUndefined();
    await pool.query(`update provider_accounts set updated_at = now() - interval '9 s' where user_id = $1`, [subject]);
    expect(await identity.provider.verifyIdToken(staleIdToken)).toMatchObject({ subject });

    expect((await set('a new password')).status).toBe(200);
    expect(ended).toEqual([{ subject, email }]);
    expect(await identity.provider.verifyIdToken(staleIdToken)).toBeUndefined();
    expect(await codeOf(await set('another password'))).toEqual([400, 'auth/invalid-link']);
    expect(await codeOf(await browser.call('/identity/token'))).toEqual([401, 'auth/login-required']);
    expect((await post('/identity/sign-in/email', { email, password })).status).toBe(401);
    expect((await post('/identity/sign-in/email', { email, password: 'a new password' })).status).toBe(200);
    await identity.settled();
    expect(arrived.at(-1)).toMatchObject({ to: [email], subject: 'Your password was changed' });
  });

  test('using one of two links invalidates the other; an expired link fails too', async () => {
    const { email, subject } = await account();
    await ask(email);
    const first = new URL(await linkIn()).searchParams.get('token');
    await ask(email);
    const second = new URL(await linkIn()).searchParams.get('token');
    expect((await post('/identity/reset-password', { token: second, newPassword: 'a new password' })).status).toBe(200);
    expect((await post('/identity/reset-password', { token: first, newPassword: 'an old password' })).status).toBe(400);
    await ask(email);
    const late = new URL(await linkIn()).searchParams.get('token');
    await pool.query(`update provider_verifications set expires_at = now() - interval '1 s' where value = $1`, [
      subject,
    ]);
    expect((await post('/identity/reset-password', { token: late, newPassword: 'a late password' })).status).toBe(400);
  });

  test('the answer does not reveal whether an address is known, and unknown ones get no mail', async () => {
    const { email } = await account();
    const answers: unknown[] = [];
    for (const address of [email, 'nobody@sotto.test', 'not an address', `${email}, other@sotto.test`]) {
      const answer = await ask(address);
      answers.push([answer.status, await answer.json(), Object.fromEntries(answer.headers)['content-type']]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await identity.settled();
    expect(arrived.map(({ to }) => to)).toEqual([[email]]);
  });

  test('an account gets three mails an hour, with the same answer after; a client with many accounts is stopped', async () => {
    const { email } = await account();
    for (let round = 0; round < 5; round += 1) expect((await ask(email)).status).toBe(200);
    await identity.settled();
    expect(arrived).toHaveLength(3);
    for (let round = 0; round < 15; round += 1) expect((await ask(`nobody-${round}@sotto.test`)).status).toBe(200);
    expect(await codeOf(await ask('one-more@sotto.test'))).toEqual([429, 'auth/too-many-requests']);
  });
});

describe('signing in with Google and Facebook', () => {
  test.each(['google', 'facebook'] as const)(
    '%s: the window ends at /identity/done, and there is an ID token',
    async (provider) => {
      const id = String(Math.floor(Math.random() * 1e15));
      person = { sub: id, id, email: `Social-${id}@sotto.test` };
      const { start, there, done, idToken, browser } = await socialSignIn(provider);
      const asked = new URL(start.headers.get('location') ?? '');
      expect(asked.origin).toBe(issuer);
      expect(asked.searchParams.get('redirect_uri')).toBe(`${site}/identity/callback/${provider}`);
      expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
      expect(start.headers.getSetCookie()[0]).toMatch(
        /^sotto_identity\.oauth_state=.*Path=\/identity; HttpOnly; SameSite=Lax$/,
      );
      expect(done).toBe('/identity/done');
      const first = await identity.provider.verifyIdToken(idToken ?? '');
      expect(first).toMatchObject({ email: `social-${id}@sotto.test`, signInMethod: provider });
      expect(await identity.provider.hasPassword({ subject: first?.subject ?? '', email: '' })).toBe(false);

      // The same person gets the same account; code and state are single-use.
      expect((await browser.call(there.headers.get('location') ?? '')).headers.get('location')).toMatch(
        /^\/identity\/done\?error=/,
      );
      const again = await socialSignIn(provider);
      expect((await identity.provider.verifyIdToken(again.idToken ?? ''))?.subject).toBe(first?.subject);

      const kept = await pool.query(
        'select * from provider_accounts a join provider_users u on u.id = a.user_id where a.account_id = $1',
        [id],
      );
      expect(kept.rows).toHaveLength(1);
      expect(kept.rows[0]).toMatchObject({
        name: '',
        image: null,
        access_token: null,
        refresh_token: null,
        id_token: null,
      });
    },
  );

  test('an email with a password account is not taken over', async () => {
    const { email, subject } = await account();
    person = { sub: '77', id: '77', email };
    for (const provider of ['google', 'facebook'] as const) {
      const { done, idToken, browser } = await socialSignIn(provider);
      expect(idToken).toBeUndefined();
      expect(done).toBe('/identity/done?error=account_not_linked');
      const page = await (await browser.call(done ?? '')).text();
      expect(page).toContain('{"ok":false,"code":"auth/account-exists-with-different-credential"}');
    }
    expect((await pool.query('select from provider_accounts where user_id = $1', [subject])).rowCount).toBe(1);
  });

  test('a Facebook account without an email becomes an account without one', async () => {
    person = { sub: '4711', id: '4711' };
    const { idToken } = await socialSignIn('facebook');
    expect(await identity.provider.verifyIdToken(idToken ?? '')).toMatchObject({
      email: undefined,
      signInMethod: 'facebook',
    });
    expect(await identity.provider.createAccount({ email: '4712@facebook.invalid', password: 'long enough' })).toEqual({
      ok: false,
      reason: 'invalid-email',
    });
  });

  test('a Google ID token with a foreign signature is refused', async () => {
    person = { sub: '5000', id: '5000', email: 'forged@sotto.test' };
    const forge = ({ body }: { body: Record<string, unknown> | '' | undefined }) => {
      if (!body) return;
      const [header, , signature] = String(body['id_token']).split('.');
      const payload = { iss: issuer, aud: 'g', sub: '1', email: 'forged@sotto.test', exp: 4_000_000_000, iat: 1 };
      body['id_token'] = [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.');
    };
    openId.service.on('beforeResponse', forge);
    const { done, idToken } = await socialSignIn('google');
    openId.service.off('beforeResponse', forge);
    expect([done, idToken]).toEqual(['/identity/done?error=unable_to_get_user_info', undefined]);
  });

  test('a callback without its window’s cookie, or for an unknown provider, fails', async () => {
    person = { sub: '6000', id: '6000', email: 'stolen@sotto.test' };
    const browser = openBrowser();
    const start = await browser.call('/identity/start?provider=google');
    const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
    const callback = there.headers.get('location') ?? '';
    const elsewhere = await openBrowser().call(callback);
    expect(elsewhere.headers.get('location')).toBe('/identity/done?error=state_mismatch');
    expect(elsewhere.headers.getSetCookie()).toEqual([]);
    expect((await browser.call('/identity/callback/twitter?code=x&state=y')).headers.get('location')).toBe(
      '/identity/done?error=unavailable',
    );
  });

  test.each(['', '?provider=', '?provider=twitter', '?provider=__proto__', '?provider=google%20'])(
    'start%s lands on the page that says so',
    async (query) => {
      const start = await openBrowser().call(`/identity/start${query}`);
      expect(start.headers.get('location')).toBe(`${site}/identity/done?error=not_configured`);
    },
  );

  test('the last page reports by script only, under its own policy, and echoes no input', async () => {
    const page = await openBrowser().call('/identity/done?error=%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    const html = await page.text();
    const nonce = /<script nonce="([^"]+)">/.exec(html)?.[1] ?? '';
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'nonce-${nonce}'`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toContain('alert');
    expect(html).toContain('{"ok":false,"code":"auth/internal-error"}');
    for (const [query, report] of [
      ['', '{"ok":true}'],
      ['?error=access_denied', '{"ok":false,"code":"auth/popup-closed-by-user"}'],
      ['?error=not_configured', '{"ok":false,"code":"auth/not-configured"}'],
      ['?error=constructor', '{"ok":false,"code":"auth/internal-error"}'],
    ])
      expect(await (await openBrowser().call(`/identity/done${query}`)).text()).toContain(`postMessage(${report})`);
  });
});

test('links that set a password are rate limited', slow, async () => {
  const follow = () => post('/identity/reset-password', { token: 'a'.repeat(24), newPassword: 'another one' });
  for (let round = 0; round < 60; round += 1) expect(await codeOf(await follow())).toEqual([400, 'auth/invalid-link']);
  expect(await codeOf(await follow())).toEqual([429, 'auth/too-many-requests']);
});

test('the privacy page names every cookie that signing in sets', async () => {
  const { email, password } = await account();
  const answers = [
    await post('/identity/sign-in/email', { email, password }),
    await openBrowser().call('/identity/start?provider=google'),
  ];
  const names = answers.flatMap((answer) => answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0]));
  expect(names.length).toBeGreaterThan(1);
  const privacy = await readFile(new URL('../domain/editorial/texts/privacy.md', import.meta.url), 'utf8');
  for (const name of [...names, 'sotto_session']) expect(privacy).toContain(`| \`${name}\` |`);
});
