import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFirebaseIdentity } from './firebase-identity.ts';

// A fake of Google's keys and Identity Toolkit, with recorded answers.
const google = await generateKeyPair('RS256');
const next = await generateKeyPair('RS256');
const stranger = await generateKeyPair('RS256');
const keyOf = async (pair: typeof google, kid: string) => ({
  ...(await exportJWK(pair.publicKey)),
  kid,
  alg: 'RS256',
  use: 'sig',
});
let keys = [await keyOf(google, 'one')];
let keysResponse: (response: ServerResponse) => void;
let toolkitResponse: (call: string, body: Record<string, unknown>) => { status: number; body: unknown };
const asked: { address: string; body: Record<string, unknown> }[] = [];

const server = createServer((request: IncomingMessage, response) => {
  let text = '';
  request.on('data', (part: Buffer) => (text += part.toString()));
  request.on('end', () => {
    if (request.url?.includes('/jwk/')) return keysResponse(response);
    const body = JSON.parse(text) as Record<string, unknown>;
    const answer = toolkitResponse(/accounts:(\w+)/.exec(request.url ?? '')?.[1] ?? '', body);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.close());

const viaServer: typeof fetch = (input, init) => {
  const address = String(input);
  const body = typeof init?.body === 'string' ? init.body : '{}';
  asked.push({ address, body: JSON.parse(body) as Record<string, unknown> });
  return fetch(address.replace(/^https?:\/\/[^/]+/, `http://127.0.0.1:${port}`), init);
};
const openIdentity = (emulatorHost?: string) =>
  openFirebaseIdentity({ projectId: 'demo-sotto', apiKey: 'demo-key', emulatorHost, fetch: viaServer });

const refuse = (message: string, status = 400) => ({ status, body: { error: { code: status, message, errors: [] } } });
const signedIn = { status: 200, body: { localId: 'abc', email: 'a@b.example', idToken: 'fresh', registered: true } };
const account = { subject: 'abc', email: 'a@b.example' };

beforeEach(() => {
  asked.length = 0;
  keysResponse = (response) =>
    void response.writeHead(200, { 'cache-control': 'public, max-age=19302' }).end(JSON.stringify({ keys }));
  toolkitResponse = () => signedIn;
});
afterEach(() => void vi.useRealTimers());

type Claims = Record<string, unknown>;
const second = () => Math.floor(Date.now() / 1000);
const claims = (changed: Claims = {}): Claims => ({
  iss: 'https://securetoken.google.com/demo-sotto',
  aud: 'demo-sotto',
  sub: 'abc',
  iat: second() - 60,
  auth_time: second() - 120,
  exp: second() + 3000,
  email: 'A@b.example',
  firebase: { sign_in_provider: 'google.com', identities: {} },
  ...changed,
});
const sign = (changed?: Claims, { kid = 'one', by = google.privateKey } = {}) =>
  new SignJWT(claims(changed)).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(by);

test('a token of Google is accepted with its claims', async () => {
  const token = await sign();
  const identity = await openIdentity().verifyIdToken(token);
  expect(identity).toMatchObject({ subject: 'abc', email: 'a@b.example', signInMethod: 'google' });
  expect(identity?.signedInAt.getTime()).toBeLessThan(identity?.issuedAt.getTime() ?? 0);
  expect(identity?.expiresAt.getTime()).toBeGreaterThan(Date.now());
});

test.each([
  ['password', 'password'],
  ['facebook.com', 'facebook'],
  ['apple.com', 'other'],
  [undefined, 'other'],
])('%s is signed in by %s', async (method, expected) => {
  const token = await sign({ firebase: { sign_in_provider: method }, email: undefined });
  expect(await openIdentity().verifyIdToken(token)).toMatchObject({ signInMethod: expected, email: undefined });
});

test.each<[string, Claims]>([
  ['that has run out', { exp: second() - 60 }],
  ['of another project', { aud: 'other', iss: 'https://securetoken.google.com/other' }],
  ['for another audience', { aud: 'other' }],
  ['for several audiences', { aud: ['demo-sotto', 'other'] }],
  ['of another issuer', { iss: 'https://accounts.google.com' }],
  ['without an issuer', { iss: undefined }],
  ['without a subject', { sub: undefined }],
  ['with an empty subject', { sub: '' }],
  ['with an endless subject', { sub: 'x'.repeat(129) }],
  ['without an end', { exp: undefined }],
  ['without its time', { iat: undefined }],
  ['from the future', { iat: second() + 600 }],
  ['without the time of the sign-in', { auth_time: undefined }],
  ['whose sign-in is yet to come', { auth_time: second() + 600 }],
])('a token %s is not', async (_, changed) => {
  expect(await openIdentity().verifyIdToken(await sign(changed))).toBeUndefined();
});

test.each<[string, () => string | Promise<string>]>([
  ['no signature', () => new UnsecuredJWT(claims()).encode()],
  [
    'no signature, and "None"',
    async () => (await sign()).replace(/^[^.]+/, base64('{"alg":"None"}')).replace(/[^.]+$/, ''),
  ],
  ['its signature cut off', async () => (await sign()).replace(/[^.]+$/, '')],
  ['another key’s signature', () => sign({}, { by: stranger.privateKey })],
  ['a key that nobody knows', () => sign({}, { kid: 'none', by: stranger.privateKey })],
  [
    'a signature made with the public key as a secret',
    () =>
      new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(new TextEncoder().encode(JSON.stringify(keys[0]))),
  ],
  [
    'changed claims',
    async () => (await sign()).replace(/\.[^.]+\./, `.${base64(JSON.stringify(claims({ sub: 'x' })))}.`),
  ],
  ['no parts', () => 'token'],
  ['nothing in it', () => ''],
  ['megabytes', () => `${'a'.repeat(2_000_000)}.b.c`],
])('a token with %s is not', async (_, make) => {
  expect(await openIdentity().verifyIdToken(await make())).toBeUndefined();
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}

test('keys are fetched once for their lifetime, however many tokens arrive', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { verifyIdToken } = openIdentity();
  const token = await sign({ exp: second() + 30_000 });
  expect(await Promise.all([1, 2, 3].map(() => verifyIdToken(token)))).not.toContain(undefined);
  vi.setSystemTime(Date.now() + 19_000_000);
  await verifyIdToken(token);
  expect(asked).toHaveLength(1);
  vi.setSystemTime(Date.now() + 400_000);
  expect(await verifyIdToken(token)).toBeDefined();
  expect(asked).toHaveLength(2);
  expect(asked[0]?.address).toBe(
    'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
  );
});

test('a new key is found, and invented key ids do not cause a request each time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { verifyIdToken } = openIdentity();
  await verifyIdToken(await sign());
  keys = [await keyOf(next, 'two')];
  const token = await sign({}, { kid: 'two', by: next.privateKey });
  expect(await verifyIdToken(token)).toBeUndefined();
  vi.setSystemTime(Date.now() + 61_000);
  expect(await verifyIdToken(token)).toMatchObject({ subject: 'abc' });
  for (const kid of ['x', 'y', 'z']) await verifyIdToken(await sign({}, { kid, by: stranger.privateKey }));
  expect(asked).toHaveLength(2);
  keys = [await keyOf(google, 'one')];
});

test.each<[string, (response: ServerResponse) => void]>([
  ['breaks off', (response) => response.destroy()],
  ['fails', (response) => void response.writeHead(503).end()],
  ['sends us elsewhere', (response) => void response.writeHead(302, { location: 'http://localhost:1/' }).end()],
  ['speaks no JSON', (response) => void response.end('<html>')],
  ['has no keys', (response) => void response.end('{}')],
])('while Google %s, no token is reported as wrong', async (_, answer) => {
  keysResponse = answer;
  await expect(openIdentity().verifyIdToken(await sign())).rejects.toMatchObject({ code: 'server/unavailable' });
});

test('tokens of the emulator have no signature and are accepted only with it', async () => {
  const { verifyIdToken } = openIdentity('127.0.0.1:9099');
  expect(await verifyIdToken(new UnsecuredJWT(claims()).encode())).toMatchObject({ subject: 'abc' });
  expect(await verifyIdToken(await sign())).toBeUndefined();
  expect(await verifyIdToken(new UnsecuredJWT(claims({ aud: 'other' })).encode())).toBeUndefined();
  expect(await verifyIdToken(new UnsecuredJWT(claims({ exp: second() - 60 })).encode())).toBeUndefined();
});

test('an account is created with an email and a password', async () => {
  expect(await openIdentity().createAccount({ email: 'a@b.example', password: 'secret' })).toEqual({
    ok: true,
    subject: 'abc',
  });
  expect(asked).toEqual([
    {
      address: 'https://identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo-key',
      body: { email: 'a@b.example', password: 'secret', returnSecureToken: true },
    },
  ]);
});

test('somebody who is brought in has a password that nobody knows, and no link but that of Firebase', async () => {
  const identity = openIdentity();
  expect(await identity.createInvited('a@b.example')).toEqual({ ok: true, subject: 'abc' });
  await identity.createInvited('a@b.example');
  const [first, second] = asked.map(({ body }) => (body as { password: string }).password);
  expect(first).toMatch(/^[\w-]{32}$/);
  expect(second).not.toBe(first);
  expect(await identity.invite(account)).toBeUndefined();
});

test.each([
  ['EMAIL_EXISTS', 'email-in-use'],
  ['WEAK_PASSWORD : Password should be at least 6 characters', 'weak-password'],
  ['PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [...]', 'weak-password'],
  ['INVALID_EMAIL', 'invalid-email'],
])('no account: %s is %s', async (message, reason) => {
  toolkitResponse = () => refuse(message);
  expect(await openIdentity().createAccount({ email: 'a@b.example', password: 'short' })).toEqual({
    ok: false,
    reason,
  });
});

test.each([
  ['INVALID_LOGIN_CREDENTIALS', 'wrong-password'],
  ['INVALID_PASSWORD', 'wrong-password'],
  ['EMAIL_NOT_FOUND', 'wrong-password'],
  ['TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled.', 'too-many'],
])('a password: %s is %s', async (message, reason) => {
  toolkitResponse = () => refuse(message);
  expect(await openIdentity().checkPassword(account, 'wrong')).toEqual({ ok: false, reason });
});

test('the right password of another account is refused as wrong', async () => {
  expect(await openIdentity().checkPassword(account, 'right')).toEqual({ ok: true });
  expect(await openIdentity().checkPassword({ ...account, subject: 'other' }, 'right')).toEqual({
    ok: false,
    reason: 'wrong-password',
  });
});

test('changing a password needs the old one', async () => {
  const change = { currentPassword: 'old', newPassword: 'new' };
  expect(await openIdentity().changePassword(account, change)).toEqual({ ok: true });
  expect(asked.at(-1)?.body).toEqual({ idToken: 'fresh', password: 'new' });
  toolkitResponse = (call) => (call === 'update' ? refuse('WEAK_PASSWORD') : signedIn);
  expect(await openIdentity().changePassword(account, change)).toEqual({ ok: false, reason: 'weak-password' });
  asked.length = 0;
  toolkitResponse = () => refuse('INVALID_LOGIN_CREDENTIALS');
  expect(await openIdentity().changePassword(account, change)).toEqual({ ok: false, reason: 'wrong-password' });
  expect(asked).toHaveLength(1);
});

test.each([
  [{ users: [{ localId: 'abc', passwordUpdatedAt: 1_700_000_000_000 }] }, new Date(1_700_000_000_000)],
  [{ users: [{ localId: 'abc' }] }, undefined],
  [{}, undefined],
])('when the password was last set, by %j', async (body, expected) => {
  toolkitResponse = () => ({ status: 200, body });
  expect(await openIdentity().findPasswordChange('id-token')).toEqual(expected);
  expect(asked.at(-1)?.body).toEqual({ idToken: 'id-token' });
  toolkitResponse = () => refuse('INVALID_ID_TOKEN');
  expect(await openIdentity().findPasswordChange('id-token')).toBeUndefined();
});

test('a new email gets a link, and the answer does not reveal whether it is taken', async () => {
  const change = { password: 'right', newEmail: 'new@b.example' };
  expect(await openIdentity().requestEmailChange(account, change)).toEqual({ ok: true });
  expect(asked.at(-1)?.body).toEqual({
    requestType: 'VERIFY_AND_CHANGE_EMAIL',
    idToken: 'fresh',
    newEmail: 'new@b.example',
  });
  toolkitResponse = (call) => (call === 'sendOobCode' ? refuse('EMAIL_EXISTS') : signedIn);
  expect(await openIdentity().requestEmailChange(account, change)).toEqual({ ok: true });
  toolkitResponse = () => refuse('INVALID_LOGIN_CREDENTIALS');
  expect(await openIdentity().requestEmailChange(account, change)).toEqual({ ok: false, reason: 'wrong-password' });
});

test('the link makes the change once', async () => {
  toolkitResponse = () => ({ status: 200, body: { localId: 'abc', email: 'New@b.example' } });
  expect(await openIdentity().confirmEmailChange('code')).toEqual({ subject: 'abc', email: 'new@b.example' });
  expect(asked[0]?.body).toEqual({ oobCode: 'code' });
  for (const message of ['INVALID_OOB_CODE', 'EXPIRED_OOB_CODE']) {
    toolkitResponse = () => refuse(message);
    expect(await openIdentity().confirmEmailChange('code')).toBeUndefined();
  }
});

test('an account is deleted by its password or a fresh token, and deleting is idempotent', async () => {
  await openIdentity().deleteAccount(account, { password: 'right' });
  expect(asked.map(({ body }) => body)).toEqual([
    { email: 'a@b.example', password: 'right', returnSecureToken: true },
    { idToken: 'fresh' },
  ]);
  toolkitResponse = () => refuse('USER_NOT_FOUND');
  await openIdentity().deleteAccount(account, { idToken: 'social' });
  expect(asked.at(-1)?.body).toEqual({ idToken: 'social' });
  toolkitResponse = () => refuse('TOKEN_EXPIRED');
  await expect(openIdentity().deleteAccount(account, { idToken: 'old' })).rejects.toMatchObject({
    code: 'auth/invalid-id-token',
  });
});

test.each([
  [{ signinMethods: ['google.com'] }, false],
  [{ signinMethods: ['google.com', 'password'] }, true],
  // With email enumeration protection.
  [{ registered: false }, undefined],
  [{ signinMethods: [] }, undefined],
])('whether there is a password, by %j: %s', async (body, expected) => {
  toolkitResponse = () => ({ status: 200, body });
  expect(await openIdentity().hasPassword(account)).toBe(expected);
});

test('an account without an email has no password, and Firebase is not asked', async () => {
  toolkitResponse = () => refuse('MISSING_IDENTIFIER');
  expect(await openIdentity().hasPassword({ ...account, email: '' })).toBe(false);
});

test.each<[string, { status: number; body: unknown }, Record<string, unknown>]>([
  ['fails', { status: 503, body: 'down' }, { code: 'server/unavailable' }],
  ['answers nonsense', { status: 200, body: undefined }, { code: 'server/unavailable' }],
  ['has disabled the account', refuse('USER_DISABLED'), { code: 'auth/user-disabled' }],
  [
    'has no such way to sign in set up',
    refuse('OPERATION_NOT_ALLOWED'),
    { message: 'Firebase refused accounts:signInWithPassword: OPERATION_NOT_ALLOWED' },
  ],
  [
    'does not know the key',
    refuse('API key not valid. Please pass a valid API key.'),
    { message: expect.stringContaining('API key not valid') },
  ],
])('when Firebase %s, it is no wrong password', async (_, answer, error) => {
  toolkitResponse = () => answer;
  await expect(openIdentity().checkPassword(account, 'right')).rejects.toMatchObject(error);
});

test('with an emulator no other server is called', async () => {
  const identity = openIdentity('127.0.0.1:9099');
  expect(await identity.checkPassword(account, 'right')).toEqual({ ok: true });
  expect(asked.map(({ address }) => address)).toEqual([
    'http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo-key',
  ]);
});

test('operations that Firebase or its console handles', async () => {
  expect(await openIdentity().setPassword('a@b.example', 'new')).toBe(false);
  expect(await openIdentity().exportOf('abc')).toEqual({});
  expect(asked).toEqual([]);
});
