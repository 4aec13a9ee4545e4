import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailMessage } from '#domain/gateways.ts';
import type { ProviderAccount } from '#domain/identity/provider.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { type BuiltInIdentityOptions, openBuiltInIdentity } from './built-in-identity.ts';
import { slow } from '#test/support/tags.ts';

const { db, pool } = await createTestDatabase();
const origin = 'https://sotto.example';
const mails: MailMessage[] = [];
const ended: ProviderAccount[] = [];
const lines: { level: number; msg: string }[] = [];

const open = (options: Partial<BuiltInIdentityOptions> = {}) =>
  openBuiltInIdentity({
    db,
    secret: 'the first secret of this test, of more than 32 characters',
    siteUrl: `${origin}/`,
    siteName: () => 'Sotto',
    takesAnswers: false,
    mail: {
      send: async (message) => void mails.push(message),
      purge: async (to) => void mails.splice(0, mails.length, ...mails.filter((mail) => mail.to !== to)),
    },
    social: {},
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as { level: number; msg: string }) }),
    onPasswordChanged: async (account) => void ended.push(account),
    ...options,
  });

type Identity = Awaited<ReturnType<typeof open>>;

const identity = await open();
const { provider } = identity;

beforeEach(() => {
  mails.length = 0;
  ended.length = 0;
  lines.length = 0;
});

async function account(password = 'open sesame'): Promise<ProviderAccount> {
  const email = `user-${crypto.randomUUID()}@sotto.test`;
  const made = await provider.createAccount({ email, password });
  if (!made.ok) throw new Error(made.reason);
  return { email, subject: made.subject };
}

async function idTokenOf(email: string, password = 'open sesame', at: Identity = identity): Promise<string> {
  const signIn = await at.handle(
    new Request(`${origin}/identity/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email, password }),
    }),
  );
  const [cookie = ''] = signIn.headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Secure-sotto_identity\.session_token=.*; Path=\/identity; HttpOnly; Secure; SameSite=Lax$/,
  );
  const answer = await at.handle(
    new Request(`${origin}/identity/token`, { headers: { cookie: cookie.split(';')[0] ?? '' } }),
  );
  return ((await answer.json()) as { token: string }).token;
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;

test('a reset whose mail cannot be sent fails, for operators; for others it says nothing', async () => {
  const failing = await open({
    mail: { send: () => Promise.reject(new Error('no outbox')), purge: async () => {} },
  });
  const { email } = await account();
  await expect(failing.provider.requestPasswordReset(email)).rejects.toThrow('no outbox');
  await failing.provider.requestPasswordReset('nobody@sotto.test');
  const asked = await failing.handle(
    new Request(`${origin}/identity/request-password-reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email }),
    }),
  );
  expect(await asked.json()).toEqual({ status: true });
  await expect.poll(() => lines.map(({ msg }) => msg)).toContain('A new password could not be prepared');
});

test('an address with any mark that is allowed before the @ logs in, and gets a new password', async () => {
  const email = `a&b!#%/=?^{|}~*+$'\`-${crypto.randomUUID()}@sotto.test`;
  const made = await provider.createAccount({ email, password: 'open sesame' });
  if (!made.ok) expect.fail(made.reason);
  const token = await idTokenOf(email);
  expect(await provider.verifyIdToken(token)).toMatchObject({ subject: made.subject, email });
  await provider.requestPasswordReset(email);
  expect(mails.map(({ to }) => to)).toEqual([email]);
});

describe('ID tokens', () => {
  test('a token of the provider is accepted, with user, method and time', async () => {
    const { email, subject } = await account();
    const token = await idTokenOf(email);
    const [header, payload] = token.split('.').map((text) => text);
    expect(read(header)).toMatchObject({ alg: 'EdDSA', kid: expect.any(String) });
    expect(Object.keys(read(payload)).sort()).toEqual([
      'aud',
      'auth_time',
      'email',
      'exp',
      'iat',
      'iss',
      'jti',
      'sign_in_method',
      'sub',
    ]);
    expect(read(payload)).toMatchObject({ iss: origin, aud: origin, sub: subject, email, sign_in_method: 'password' });
    expect(await provider.verifyIdToken(token)).toMatchObject({ subject, email, signInMethod: 'password' });
  });

  test('a token of another process with a newer key is accepted', async () => {
    const { email, subject } = await account();
    await pool.query('delete from provider_keys');
    const other = await open();
    const token = await idTokenOf(email, 'open sesame', other);
    expect(await provider.verifyIdToken(token)).toMatchObject({ subject });
  });

  test('forged tokens are refused', async () => {
    const { email, subject } = await account();
    const token = await idTokenOf(email);
    const [headerPart = '', payloadPart = '', signature = ''] = token.split('.');
    const header = read(headerPart);
    const payload = read(payloadPart);
    const now = Math.floor(Date.now() / 1000);

    // Signed with the site's stored key, so that only the claim is wrong.
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    await pool.query(
      `insert into provider_keys (id, public_key, private_key, alg) values ('known', $1, '""', 'EdDSA')`,
      [JSON.stringify(await exportJWK(publicKey))],
    );
    const sign = (claims: object, protectedHeader: object = {}) =>
      new SignJWT({ ...payload, iat: now, exp: now + 300, auth_time: now, ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid: 'known', ...protectedHeader })
        .sign(privateKey);
    expect(await provider.verifyIdToken(await sign({}))).toMatchObject({ subject });

    const foreign = await generateKeyPair('EdDSA');
    const rsa = await generateKeyPair('RS256', { extractable: true });
    await pool.query(`insert into provider_keys (id, public_key, private_key, alg) values ('rsa', $1, '""', 'RS256')`, [
      JSON.stringify(await exportJWK(rsa.publicKey)),
    ]);
    const jwk = await exportJWK(publicKey);
    const publicBytes = Buffer.from(jwk.x ?? '', 'base64url');
    const forgeries: Record<string, string> = {
      'no token': 'x',
      empty: '',
      'three dots': '..',
      'alg none': `${part({ ...header, alg: 'none' })}.${payloadPart}.`,
      'alg none with the old signature': `${part({ ...header, alg: 'none' })}.${payloadPart}.${signature}`,
      'without its signature': `${headerPart}.${payloadPart}.`,
      'another account': `${headerPart}.${part({ ...payload, sub: 'someone' })}.${signature}`,
      'wrong issuer': await sign({ iss: 'https://evil.example' }),
      'wrong audience': await sign({ aud: 'https://evil.example' }),
      'no audience': await sign({ aud: undefined }),
      expired: await sign({ iat: now - 600, exp: now - 300, auth_time: now - 600 }),
      'too old although it says otherwise': await sign({ iat: now - 600, exp: now + 300 }),
      'from the future': await sign({ iat: now + 600, exp: now + 900 }),
      'not before': await sign({ nbf: now + 60 }),
      'without expiry': await sign({ exp: undefined }),
      'without times': await sign({ iat: undefined }),
      'without sign-in time': await sign({ auth_time: undefined }),
      'without subject': await sign({ sub: undefined }),
      'no such account': await sign({ sub: 'nobody' }),
      'unknown key': await sign({}, { kid: 'unknown' }),
      'no key': await sign({}, { kid: undefined }),
      'key with a zero byte': await sign({}, { kid: 'known\0' }),
      'key as a path': await sign({}, { kid: '../../known' }),
      'a critical extension': `${part({ ...header, crit: ['b64'], b64: false })}.${payloadPart}.${signature}`,
      'a foreign key under a known name': await new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'EdDSA', kid: 'known' })
        .sign(foreign.privateKey),
      'a foreign key brought along': await new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'EdDSA', kid: 'known', jwk: await exportJWK(foreign.publicKey) })
        .sign(foreign.privateKey),
      'the public key as a secret': await new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'HS256', kid: 'known' })
        .sign(publicBytes),
      'the public key as text as a secret': await new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'HS256', kid: 'known' })
        .sign(Buffer.from(JSON.stringify(jwk))),
      'another algorithm, with a key of it': await new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
        .sign(rsa.privateKey),
    };
    const believed: string[] = [];
    for (const [name, forgery] of Object.entries(forgeries))
      if ((await provider.verifyIdToken(forgery)) !== undefined) believed.push(name);
    expect(believed).toEqual([]);
    await pool.query(`delete from provider_keys where id in ('known', 'rsa')`);
  });

  test('tokens of a deleted account, or from before a password change, are refused', async () => {
    const one = await account();
    const token = await idTokenOf(one.email);
    await pool.query(`update provider_accounts set updated_at = now() + interval '2 s' where user_id = $1`, [
      one.subject,
    ]);
    expect(await provider.verifyIdToken(token)).toBeUndefined();
    const two = await account();
    const other = await idTokenOf(two.email);
    await provider.deleteAccount(two, { password: 'open sesame' });
    expect(await provider.verifyIdToken(other)).toBeUndefined();
    expect((await pool.query('select from provider_accounts where user_id = $1', [two.subject])).rowCount).toBe(0);
  });
});

test('a process with another secret signs with a key of its own, and deletes no key of the others', async () => {
  const { email, subject } = await account();
  const token = await idTokenOf(email);
  const keys = async () => (await pool.query<{ id: string }>('select id from provider_keys order by id')).rows;
  const before = await keys();
  const other = await open({ secret: 'the second secret of this test, of more than 32 characters' });
  expect(await keys()).toEqual(before);
  expect(await other.provider.verifyIdToken(token)).toMatchObject({ subject });
  const fresh = await idTokenOf(email, 'open sesame', other);
  expect(await keys()).toHaveLength(before.length + 1);
  expect(await other.provider.verifyIdToken(fresh)).toMatchObject({ subject });
  expect(await other.provider.verifyIdToken(await idTokenOf(email))).toMatchObject({ subject });
  expect(await keys()).toHaveLength(before.length + 1);
});

describe('accounts', () => {
  test('an address has one account, also under concurrency; short passwords are refused', async () => {
    const email = `user-${crypto.randomUUID()}@sotto.test`;
    const made = await Promise.all(
      Array.from({ length: 5 }, () => provider.createAccount({ email, password: 'open sesame' })),
    );
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(made.filter((one) => !one.ok && one.reason === 'email-in-use')).toHaveLength(4);
    expect((await pool.query('select from provider_users where email = $1', [email])).rowCount).toBe(1);
    for (const password of ['', '12345', 'x'.repeat(257)])
      expect(await provider.createAccount({ email: `x${email}`, password })).toEqual({
        ok: false,
        reason: 'weak-password',
      });
    expect(await provider.createAccount({ email: `y${email}`, password: '123456' })).toMatchObject({ ok: true });
    const { rows } = await pool.query<{ cost: string }>(
      "select distinct split_part(password, '$', 4) as cost from provider_accounts where password is not null",
    );
    expect(rows).toEqual([{ cost: 'm=19456,t=2,p=1' }]);
  });

  test('a password change needs the old password, notifies the owner and invalidates links', async () => {
    const one = await account();
    expect(await provider.hasPassword(one)).toBe(true);
    expect(await provider.checkPassword(one, 'open sesame')).toEqual({ ok: true });
    expect(await provider.checkPassword(one, 'Open sesame')).toEqual({ ok: false, reason: 'wrong-password' });
    expect(await provider.checkPassword({ ...one, subject: 'nobody' }, 'open sesame')).toEqual({
      ok: false,
      reason: 'wrong-password',
    });
    const change = (currentPassword: string, newPassword: string) =>
      provider.changePassword(one, { currentPassword, newPassword });
    expect(await change('wrong', 'a new password')).toEqual({ ok: false, reason: 'wrong-password' });
    expect(await change('open sesame', 'short')).toEqual({ ok: false, reason: 'weak-password' });
    await provider.requestEmailChange(one, { password: 'open sesame', newEmail: 'new@sotto.test' });
    await identity.settled();
    expect(await change('open sesame', 'a new password')).toEqual({ ok: true });
    expect(await provider.checkPassword(one, 'a new password')).toEqual({ ok: true });
    expect(await provider.checkPassword(one, 'open sesame')).toEqual({ ok: false, reason: 'wrong-password' });
    await identity.settled();
    expect(mails.at(-1)).toMatchObject({ to: one.email, subject: 'Your password was changed' });
    expect(await provider.confirmEmailChange(tokenIn(mails[0]))).toBeUndefined();
  });

  test('an operator can set a password, also for an account without one, and its sessions end', async () => {
    const one = await account();
    await pool.query('delete from provider_accounts where user_id = $1', [one.subject]);
    expect(await provider.hasPassword(one)).toBe(false);
    expect(await provider.setPassword(one.email.toUpperCase(), 'set by hand')).toBe(true);
    expect(ended).toEqual([one]);
    expect(await provider.checkPassword(one, 'set by hand')).toEqual({ ok: true });
    expect(await provider.setPassword('nobody@sotto.test', 'set by hand')).toBe(false);
    await expect(provider.setPassword(one.email, 'short')).rejects.toMatchObject({ code: 'auth/weak-password' });
  });

  test('somebody who is brought in sets a password by a link of two weeks; until then it is one account', async () => {
    const email = `brought-in-${crypto.randomUUID()}@sotto.test`;
    const made = await provider.createInvited(email);
    if (!made.ok) expect.fail(made.reason);
    const { subject } = made;
    expect(await Promise.all([provider.createInvited(email), provider.createInvited(email)])).toEqual([made, made]);
    expect(await provider.hasPassword({ subject, email })).toBe(false);
    expect(await provider.checkPassword({ subject, email }, '')).toEqual({ ok: false, reason: 'wrong-password' });

    const link = new URL((await provider.invite({ subject, email })) ?? '');
    expect([link.origin, link.pathname, link.hash]).toEqual([
      origin,
      '/reset-password',
      `#email=${encodeURIComponent(email)}`,
    ]);
    const { rows } = await pool.query<{ days: number }>(
      `select extract(epoch from expires_at - now()) / 86400 as days from provider_verifications where value = $1`,
      [subject],
    );
    expect(rows.map(({ days }) => Math.round(days))).toEqual([14]);
    const set = (newPassword: string) =>
      identity.handle(
        new Request(`${origin}/identity/reset-password`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin },
          body: JSON.stringify({ token: link.searchParams.get('token'), newPassword }),
        }),
      );
    expect((await set('open sesame')).status).toBe(200);
    expect((await set('another one')).status).toBe(400);
    expect(await provider.checkPassword({ subject, email }, 'open sesame')).toEqual({ ok: true });
    // It is somebody's by now.
    expect(await provider.createInvited(email)).toEqual({ ok: false, reason: 'email-in-use' });
  });

  test('an account that a user has, and a reserved address, are not brought in', async () => {
    const one = await account();
    await createUser(db, { identityProvider: 'built-in', identitySubject: one.subject });
    await pool.query('delete from provider_accounts where user_id = $1', [one.subject]);
    expect(await provider.createInvited(one.email)).toEqual({ ok: false, reason: 'email-in-use' });
    expect(await provider.createInvited('somebody@google.invalid')).toMatchObject({ ok: false });
  });

  test('the export has all stored data of an account, and no secret', async () => {
    const one = await account();
    const exported = await provider.exportOf(one.subject);
    expect(exported).toMatchObject({
      account: { id: one.subject, email: one.email },
      signInMethods: [{ method: 'credential' }],
    });
    expect(JSON.stringify(exported)).not.toContain('argon2');
  });

  test('expired sessions and links are deleted', async () => {
    const one = await account();
    await idTokenOf(one.email);
    await provider.requestEmailChange(one, { password: 'open sesame', newEmail: 'other@sotto.test' });
    await identity.settled();
    await identity.purgeExpired();
    const rows = async () => {
      const sessions = await pool.query('select from provider_sessions where user_id = $1', [one.subject]);
      const links = await pool.query('select from provider_verifications where value like $1', [`%${one.subject}%`]);
      return [sessions.rowCount, links.rowCount];
    };
    expect(await rows()).toEqual([1, 1]);
    await pool.query(`update provider_sessions set expires_at = now() - interval '1 s'`);
    await pool.query(`update provider_verifications set expires_at = now() - interval '1 s'`);
    await identity.purgeExpired();
    expect(await rows()).toEqual([0, 0]);
  });

  test('accounts that nobody logged in with for a day are deleted', async () => {
    const [claimed, unclaimed, recent] = [await account(), await account(), await account()];
    await createUser(db, { identityProvider: 'built-in', identitySubject: claimed.subject });
    await pool.query(`update provider_users set created_at = now() - interval '25 hours' where id = any($1)`, [
      [claimed.subject, unclaimed.subject],
    ]);
    await identity.purgeExpired();
    const { rows } = await pool.query('select id from provider_users where id = any($1) order by id', [
      [claimed.subject, unclaimed.subject, recent.subject],
    ]);
    expect(rows).toEqual([claimed.subject, recent.subject].toSorted().map((id) => ({ id })));
  });
});

describe('a change of e-mail', () => {
  test('happens once when the link sent to the new address is followed, and the old address is notified', async () => {
    const one = await account();
    const newEmail = `new-${crypto.randomUUID()}@sotto.test`;
    const ask = (password: string) => provider.requestEmailChange(one, { password, newEmail: newEmail.toUpperCase() });
    expect(await ask('wrong')).toEqual({ ok: false, reason: 'wrong-password' });
    expect(await ask('open sesame')).toEqual({ ok: true });
    await identity.settled();
    expect(mails).toMatchObject([{ to: newEmail, subject: 'Confirm your new email address' }]);
    expect(mails[0]?.text).toContain(`${origin}/confirm-email?token=`);
    const token = tokenIn(mails[0]);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const kept = await pool.query<{ row: string }>('select v::text as row from provider_verifications v');
    expect(kept.rows.some(({ row }) => row.includes(token))).toBe(false);
    expect((await provider.exportOf(one.subject))['account']).toMatchObject({ email: one.email });

    expect(await provider.confirmEmailChange(`${token}x`)).toBeUndefined();
    const both = await Promise.all([provider.confirmEmailChange(token), provider.confirmEmailChange(token)]);
    expect(both.filter((done) => done !== undefined)).toEqual([{ subject: one.subject, email: newEmail }]);
    await identity.settled();
    expect(mails[1]).toMatchObject({ to: one.email, subject: 'Your email address was changed' });
    expect(mails[1]?.text).not.toContain(newEmail);
    const token2 = await idTokenOf(newEmail);
    expect(await provider.verifyIdToken(token2)).toMatchObject({ subject: one.subject, email: newEmail });
  });

  test('to a taken address changes nothing and notifies its owner', async () => {
    const one = await account();
    const two = await account();
    expect(await provider.requestEmailChange(one, { password: 'open sesame', newEmail: two.email })).toEqual({
      ok: true,
    });
    await identity.settled();
    expect(mails).toMatchObject([{ to: two.email, subject: 'You already have an account' }]);
    expect(mails[0]?.text).not.toContain('token=');
  });

  test('fails when the address was taken meanwhile, the link is old, or another change was requested', async () => {
    const one = await account();
    const link = async (newEmail: string) => {
      await provider.requestEmailChange(one, { password: 'open sesame', newEmail });
      await identity.settled();
      return tokenIn(mails.at(-1));
    };
    const typo = await link(`typo-${one.email}`);
    const raced = await link(`raced-${one.email}`);
    expect(await provider.confirmEmailChange(typo)).toBeUndefined();
    await provider.createAccount({ email: `raced-${one.email}`, password: 'open sesame' });
    expect(await provider.confirmEmailChange(raced)).toBeUndefined();
    const late = await link(`late-${one.email}`);
    await pool.query(`update provider_verifications set expires_at = now() - interval '1 s'`);
    expect(await provider.confirmEmailChange(late)).toBeUndefined();
    expect((await provider.exportOf(one.subject))['account']).toMatchObject({ email: one.email });
  });
});

describe('a Google that does not answer', () => {
  const dead = createServer((_request, response) => void response.writeHead(503).end());

  afterAll(() => dead.close());

  test('delays neither the start nor passwords; its window reports it, and the next try asks again', async () => {
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(dead.address() as AddressInfo).port}`;
    const half = await open({ social: { google: { clientId: 'g', clientSecret: 's', issuer } } });
    const start = () => half.handle(new Request(`${origin}/identity/start?provider=google`));
    expect((await start()).headers.get('location')).toBe(`${origin}/identity/done?error=unavailable`);
    const one = await account();
    expect(await half.provider.verifyIdToken(await idTokenOf(one.email, 'open sesame', half))).toBeDefined();

    dead.removeAllListeners('request').on('request', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      );
    });
    expect((await start()).headers.get('location')).toMatch(new RegExp(`^${issuer}/authorize\\?`));
  });
});

test('on one machine the site accepts calls from any of its local names, elsewhere only from its own', async () => {
  const local = await open({ siteUrl: 'http://127.0.0.1:3000' });
  const signOut = (at: Identity, host: string, from: string) =>
    at
      .handle(
        new Request(`http://${host}/identity/sign-out`, { method: 'POST', headers: { origin: from, cookie: 'a=b' } }),
      )
      .then(({ status }) => status);
  expect(await signOut(local, '127.0.0.1:3000', 'http://127.0.0.1:3000')).toBe(200);
  expect(await signOut(local, 'localhost:3000', 'http://localhost:3000')).toBe(200);
  expect(await signOut(local, '127.0.0.1:3000', 'http://localhost:4000')).toBe(403);
  expect(await signOut(local, 'rebound.example:3000', 'http://rebound.example:3000')).toBe(403);
  expect(await signOut(identity, 'localhost:3000', 'http://localhost:3000')).toBe(403);
  expect(await signOut(identity, 'localhost:3000', origin)).toBe(200);
});

function tokenIn(message: MailMessage | undefined): string {
  return /token=([\w-]+)/.exec(message?.text ?? '')?.[1] ?? '';
}

test('deleting an account deletes the stored mails for it and for its requested new address', async () => {
  const [one, other] = [await account(), await account()];
  await provider.requestEmailChange(one, { password: 'open sesame', newEmail: 'wanted@sotto.test' });
  await provider.changePassword(other, { currentPassword: 'open sesame', newPassword: 'another one' });
  mails.push({ to: one.email, subject: '', text: '', html: '' });
  await identity.settled();
  expect(mails.map(({ to }) => to).toSorted()).toEqual([one.email, other.email, 'wanted@sotto.test'].toSorted());
  await provider.deleteAccount(one, { password: 'open sesame' });
  await identity.settled();
  expect(mails.map(({ to }) => to)).toEqual([other.email]);
});

test('a password change during the deletion of its account fails as a wrong password', slow, async () => {
  const one = await account();
  const changed = Array.from({ length: 4 }, () =>
    provider.changePassword(one, { currentPassword: 'open sesame', newPassword: 'another one' }),
  );
  // Hashing takes longer than this.
  await provider.deleteAccount(one, { password: 'open sesame' });
  for (const outcome of await Promise.all(changed)) expect(outcome).toEqual({ ok: false, reason: 'wrong-password' });
});

test('no link to a new email outlives its account', slow, async () => {
  const one = await account();
  const asked = Array.from({ length: 4 }, () =>
    provider.requestEmailChange(one, { password: 'open sesame', newEmail: 'late@sotto.test' }),
  );
  await Promise.all([...asked, provider.deleteAccount(one, { password: 'open sesame' })]);
  await provider.requestEmailChange(one, { password: 'open sesame', newEmail: 'late@sotto.test' });
  await identity.settled();
  const left = await pool.query('select from provider_verifications where value like $1', [`%${one.subject}%`]);
  expect(left.rowCount).toBe(0);
});
