import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser, signIn, testSecret } from '#test/support/identity.ts';
import { totpOf } from '#test/support/totp.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { type AdminSession, resetSecondFactor } from './second-factor.ts';
import { setAdmin } from '../operators.ts';
import { passkeys, secondFactors, sessions } from '../tables.ts';
import { newId } from '../../kernel/ids.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const optional = await openTestSite(db, identity.provider);
const site = await openTestSite(db, identity.provider, undefined, [], { adminSecondFactor: 'required' });
const { secondFactor } = site.identity;

/** Start of a time step of 30 s. */
const start = Math.floor(Date.now() / 30_000) * 30_000;
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => vi.useRealTimers());

async function newAdmin() {
  const user = await registerUser(site, identity);
  await setAdmin(db, user.id, true);
  return user;
}

/** The session as its next request sees it. */
async function sessionOf(token: string, at: Pick<typeof site, 'identity'> = site): Promise<AdminSession> {
  const found = await at.identity.findSession(token);
  if (found === undefined) throw new Error('no session');
  return { viewer: found.viewer, sessionId: found.id };
}

async function withApp() {
  const user = await newAdmin();
  const started = await secondFactor.startApp(await sessionOf(user.token));
  if (!started.ok) throw new Error(started.reason);
  const confirmed = await secondFactor.confirmApp(await sessionOf(user.token), totpOf(started.key, Date.now()));
  if (!confirmed.ok) throw new Error(confirmed.reason);
  return { ...user, key: started.key, recoveryCodes: confirmed.recoveryCodes };
}

/** @returns the id of a new passkey */
async function giveKey(userId: string): Promise<string> {
  const id = newId();
  const publicKey = Buffer.alloc(64);
  await db.insert(passkeys).values({ id, userId, name: 'Blue key', credentialId: userId, publicKey, counter: 0 });
  return id;
}

/** Another log-in of the same user. */
async function logInAgain(user: { email: string; password: string }): Promise<string> {
  const idToken = await signIn(identity, user.email, user.password);
  const outcome = await site.identity.logIn({ idToken, device: 'Firefox on Linux' });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.session.token;
}

test('without a second factor an operator is a user like others, and only sets one up', async () => {
  const { token } = await newAdmin();
  const { viewer } = await sessionOf(token);
  expect(viewer).toMatchObject({ adminStep: 'set-up' });
  expect(viewer.isAdmin).toBeUndefined();
  expect((await sessionOf(token, optional)).viewer).toMatchObject({ isAdmin: true });
});

test('an app counts once a code of it has confirmed it; other sessions have to show it', async () => {
  const user = await newAdmin();
  const other = await logInAgain(user);
  const started = await secondFactor.startApp(await sessionOf(user.token));
  if (!started.ok) throw new Error(started.reason);
  expect(started.uri).toContain(`secret=${started.key}`);
  expect((await sessionOf(user.token)).viewer.adminStep).toBe('set-up');
  expect(await secondFactor.confirmApp(await sessionOf(user.token), '000000')).toMatchObject({ ok: false });
  const confirmed = await secondFactor.confirmApp(await sessionOf(user.token), totpOf(started.key, Date.now()));
  expect(confirmed).toMatchObject({ ok: true });
  expect(confirmed.ok && new Set(confirmed.recoveryCodes).size).toBe(10);
  expect((await sessionOf(user.token)).viewer.isAdmin).toBe(true);
  expect((await sessionOf(other)).viewer).toMatchObject({ adminStep: 'prove' });
  // An existing factor is asked for even when a second factor is optional.
  expect((await sessionOf(other, optional)).viewer).toMatchObject({ adminStep: 'prove' });
});

test('the secret is stored encrypted', async () => {
  const { id, key } = await withApp();
  const [row] = await db.select().from(secondFactors).where(eq(secondFactors.userId, id));
  expect(row?.secret).not.toContain(key);
  expect(Buffer.from(row?.secret ?? '', 'base64url').toString('latin1')).not.toContain(key);
});

test('a code is accepted once, also within its 30 seconds, and none of before it', async () => {
  const user = await withApp();
  const token = await logInAgain(user);
  const used = totpOf(user.key, Date.now());
  expect(await secondFactor.proveSession(await sessionOf(token), { code: used })).toEqual({
    ok: false,
    reason: 'auth/wrong-code',
  });
  vi.setSystemTime(start + 30_000);
  const next = totpOf(user.key, Date.now());
  expect(await secondFactor.proveSession(await sessionOf(token), { code: next })).toMatchObject({ ok: true });
  expect(await secondFactor.proveSession(await sessionOf(token), { code: next })).toMatchObject({ ok: false });
  expect(await secondFactor.proveSession(await sessionOf(token), { code: used })).toMatchObject({ ok: false });
  expect((await sessionOf(token)).viewer.isAdmin).toBe(true);
});

test('a code sent twice at once is accepted once', async () => {
  const user = await withApp();
  const [one, other] = [await logInAgain(user), await logInAgain(user)];
  vi.setSystemTime(start + 60_000);
  const code = totpOf(user.key, Date.now());
  const [first, second] = [await sessionOf(one), await sessionOf(other)];
  const outcomes = await Promise.all([
    secondFactor.proveSession(first, { code }),
    secondFactor.proveSession(second, { code }),
  ]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
});

test.each([-30_000, 30_000])('a clock that is %i ms off is understood', async (off) => {
  const user = await withApp();
  const token = await logInAgain(user);
  vi.setSystemTime(start + 10 * 60_000);
  const code = totpOf(user.key, Date.now() + off);
  expect(await secondFactor.proveSession(await sessionOf(token), { code })).toMatchObject({ ok: true });
});

test('a clock that is two minutes off is not', async () => {
  const user = await withApp();
  const token = await logInAgain(user);
  vi.setSystemTime(start + 10 * 60_000);
  const code = totpOf(user.key, Date.now() + 120_000);
  expect(await secondFactor.proveSession(await sessionOf(token), { code })).toMatchObject({ ok: false });
});

test('a recovery code works once, however it is typed', async () => {
  const user = await withApp();
  const [token, other] = [await logInAgain(user), await logInAgain(user)];
  const code = ` ${user.recoveryCodes[0]?.toUpperCase().replace('-', ' ')} `;
  expect(await secondFactor.proveSession(await sessionOf(token), { code })).toEqual({ ok: true, recoveryCodesLeft: 9 });
  expect(await secondFactor.proveSession(await sessionOf(other), { code })).toMatchObject({ ok: false });
  expect((await sessionOf(token)).viewer.isAdmin).toBe(true);
});

test('new recovery codes replace the ones before', async () => {
  const user = await withApp();
  const renewed = await secondFactor.renewRecoveryCodes(await sessionOf(user.token));
  const token = await logInAgain(user);
  expect(await secondFactor.proveSession(await sessionOf(token), { code: user.recoveryCodes[0] ?? '' })).toMatchObject({
    ok: false,
  });
  const code = renewed.ok ? (renewed.recoveryCodes[0] ?? '') : '';
  expect(await secondFactor.proveSession(await sessionOf(token), { code })).toMatchObject({ ok: true });
});

test('the password proves nothing once there is a second factor', async () => {
  const user = await withApp();
  const token = await logInAgain(user);
  expect(await secondFactor.proveSession(await sessionOf(token), { password: user.password })).toEqual({
    ok: false,
    reason: 'auth/second-factor-required',
  });
});

test('a passkey alone is a second factor: the password proves nothing, and an app is not the first', async () => {
  const user = await newAdmin();
  await giveKey(user.id);
  expect(await secondFactor.proveSession(await sessionOf(user.token), { password: user.password })).toMatchObject({
    reason: 'auth/second-factor-required',
  });
  expect((await sessionOf(user.token)).viewer).toMatchObject({ adminStep: 'prove' });
  expect(await secondFactor.startApp(await sessionOf(user.token))).toMatchObject({ ok: false });
});

test('after 12 hours a session is asked again', async () => {
  const { token } = await withApp();
  vi.setSystemTime(start + 11.9 * 60 * 60_000);
  expect((await sessionOf(token)).viewer.isAdmin).toBe(true);
  vi.setSystemTime(start + 12.1 * 60 * 60_000);
  expect((await sessionOf(token)).viewer).toMatchObject({ adminStep: 'prove' });
});

test('factors are changed freshly only: without one by the password, else by the factor', async () => {
  const user = await newAdmin();
  vi.setSystemTime(Date.now() + 11 * 60_000);
  expect(await secondFactor.startApp(await sessionOf(user.token))).toEqual({
    ok: false,
    reason: 'auth/fresh-login-required',
  });
  expect(await secondFactor.findSecondFactor(user.id)).toMatchObject({ hasPassword: true });
  const social = await openTestSite(db, { ...identity.provider, hasPassword: async () => false });
  expect(await social.identity.secondFactor.findSecondFactor(user.id)).toMatchObject({ hasPassword: false });
  expect(await social.identity.secondFactor.findSecondFactor((await withApp()).id)).toMatchObject({
    hasPassword: null,
  });
  expect(await secondFactor.proveSession(await sessionOf(user.token), { password: 'wrong' })).toMatchObject({
    reason: 'auth/wrong-password',
  });
  expect(await secondFactor.proveSession(await sessionOf(user.token), { password: user.password })).toMatchObject({
    ok: true,
  });
  expect(await secondFactor.startApp(await sessionOf(user.token))).toMatchObject({ ok: true });
});

test('an app that was begun freshly is confirmed freshly too', async () => {
  const user = await newAdmin();
  const started = await secondFactor.startApp(await sessionOf(user.token));
  if (!started.ok) throw new Error(started.reason);
  vi.setSystemTime(Date.now() + 11 * 60_000);
  expect(await secondFactor.confirmApp(await sessionOf(user.token), totpOf(started.key, Date.now()))).toEqual({
    ok: false,
    reason: 'auth/fresh-login-required',
  });
});

test('a proof counts for its own session, and for the factor that was there', async () => {
  const user = await withApp();
  const [one, two] = [await logInAgain(user), await logInAgain(user)];
  vi.setSystemTime(Date.now() + 30_000);
  const code = totpOf(user.key, Date.now());
  expect(await secondFactor.proveSession(await sessionOf(one), { code })).toMatchObject({ ok: true });
  expect((await sessionOf(one)).viewer.isAdmin).toBe(true);
  expect((await sessionOf(two)).viewer).toMatchObject({ adminStep: 'prove' });

  expect(await optional.identity.secondFactor.removeFactor(await sessionOf(user.token), 'app')).toEqual({ ok: true });
  const started = await secondFactor.startApp(await sessionOf(user.token));
  if (!started.ok) throw new Error(started.reason);
  await secondFactor.confirmApp(await sessionOf(user.token), totpOf(started.key, Date.now()));
  expect((await sessionOf(user.token)).viewer.isAdmin).toBe(true);
  expect((await sessionOf(one)).viewer).toMatchObject({ adminStep: 'prove' });
});

test('an app that nobody confirmed is no factor', async () => {
  const user = await newAdmin();
  const id = await giveKey(user.id);
  await db.update(sessions).set({ secondFactorAt: new Date() }).where(eq(sessions.userId, user.id));
  expect(await secondFactor.startApp(await sessionOf(user.token))).toMatchObject({ ok: true });
  expect(await secondFactor.removeFactor(await sessionOf(user.token), 'app')).toMatchObject({
    reason: 'request/not-found',
  });
  expect(await secondFactor.removeFactor(await sessionOf(user.token), id)).toMatchObject({
    reason: 'auth/last-second-factor',
  });
});

test('of two factors that are removed at once, one stays where one is required', async () => {
  const user = await withApp();
  const key = await giveKey(user.id);
  const session = await sessionOf(user.token);
  const outcomes = await Promise.all(['app', key].map((what) => secondFactor.removeFactor(session, what)));
  expect(outcomes.toSorted((a, b) => Number(b.ok) - Number(a.ok))).toEqual([
    { ok: true },
    { ok: false, reason: 'auth/last-second-factor' },
  ]);
});

test('a session that has not shown the factor cannot replace it', async () => {
  const user = await withApp();
  const token = await logInAgain(user);
  for (const refused of [
    await secondFactor.startApp(await sessionOf(token)),
    await secondFactor.removeFactor(await sessionOf(token), 'app'),
    await secondFactor.renewRecoveryCodes(await sessionOf(token)),
    await secondFactor.startPasskey(await sessionOf(token)),
  ])
    expect(refused).toEqual({ ok: false, reason: 'auth/fresh-login-required' });
});

test('the last factor stays where one is required', async () => {
  const user = await withApp();
  expect(await secondFactor.startApp(await sessionOf(user.token))).toMatchObject({
    reason: 'auth/second-factor-exists',
  });
  expect(await secondFactor.removeFactor(await sessionOf(user.token), 'app')).toEqual({
    ok: false,
    reason: 'auth/last-second-factor',
  });
  expect(await optional.identity.secondFactor.removeFactor(await sessionOf(user.token), 'app')).toEqual({ ok: true });
  expect((await sessionOf(user.token)).viewer).toMatchObject({ adminStep: 'set-up' });
});

test('the command line resets it: the next visit sets up a new one, and it is recorded', async () => {
  const user = await withApp();
  expect(await resetSecondFactor(db, operator, user.id)).toBe(true);
  expect(await resetSecondFactor(db, operator, user.id)).toBe(false);
  expect((await sessionOf(user.token)).viewer).toMatchObject({ adminStep: 'set-up' });
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, user.id));
  expect(entries.map(({ action }) => action)).toEqual(['user.set-up-app', 'user.reset-second-factor']);
  expect(entries.map(({ actorRole }) => actorRole)).toEqual(['admin', 'operator']);
  expect(JSON.stringify(entries)).not.toContain(user.key);
});

test('secrets of another site are refused', async () => {
  const user = await withApp();
  const [row] = await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id));
  const { unseal } = await import('./sealed-text.ts');
  expect(unseal(testSecret, 'second factor', row?.secret ?? '')).toHaveLength(32);
  expect(unseal(`${testSecret}.`, 'second factor', row?.secret ?? '')).toBeUndefined();
  expect(unseal(testSecret, 'another purpose', row?.secret ?? '')).toBeUndefined();
});
