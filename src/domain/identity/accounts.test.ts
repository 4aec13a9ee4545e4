import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser, signIn } from '#test/support/identity.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { giveMonths } from '../membership/entitlement.ts';
import { setSuspended } from './operators.ts';
import { sessions, users } from './tables.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const site = await openTestSite(db, identity.provider);
const device = 'Chrome on Linux';

test('of fifty registrations of one username at once, in any case, one wins', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      site.identity.register({
        email: `rush-${index}@example.org`,
        username: index % 2 === 0 ? 'midnight' : 'Midnight',
        password: 'secret',
      }),
    ),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]));
  expect(new Set(refusals)).toEqual(new Set(['auth/username-already-in-use']));
  expect(await db.select().from(users)).toHaveLength(1);
});

test('of fifty registrations of one e-mail at once one wins, and the others leave nothing behind', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      site.identity.register({ email: 'one@example.org', username: `one-${index}`, password: 'secret' }),
    ),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await db.select().from(users).where(eq(users.email, 'one@example.org'))).toHaveLength(1);
  expect(await site.identity.checkUsername('ONE-7')).toBe(outcomes.findIndex(({ ok }) => ok) === 7 ? 'taken' : 'free');
});

test('an ID token opens one session and no second', async () => {
  await site.identity.register({ email: 'twice@example.org', username: 'twice', password: 'secret' });
  const idToken = await signIn(identity, 'twice@example.org', 'secret');
  const first = await site.identity.logIn({ idToken, device });
  expect(first).toMatchObject({ ok: true, isNewAccount: false, user: { username: 'twice', isSubscribed: false } });
  expect(await site.identity.logIn({ idToken, device })).toEqual({ ok: false, reason: 'auth/invalid-id-token' });
  const respelt = `${idToken.slice(0, -1)}${idToken.endsWith('A') ? 'B' : 'A'}`;
  expect(await site.identity.logIn({ idToken: respelt, device })).toEqual({
    ok: false,
    reason: 'auth/invalid-id-token',
  });
});

test('the session is found by its token alone, and the database does not hold that', async () => {
  const { id, token } = await registerUser(site, identity);
  expect(await site.identity.findSession(token)).toMatchObject({
    viewer: { kind: 'user', id, isSubscribed: false, isComplete: true },
  });
  expect(JSON.stringify(await db.select().from(sessions))).not.toContain(token);
  const guess = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  expect(await site.identity.findSession(guess)).toBeUndefined();
  expect(await site.identity.findSession(`${token}' or true --`)).toBeUndefined();
});

test('a session that has run out is none', async () => {
  const { id, token } = await registerUser(site, identity);
  await db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(sessions.userId, id));
  expect(await site.identity.findSession(token)).toBeUndefined();
  await site.identity.forgetEndedSessions();
  expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([]);
});

test('nobody ends the session of another', async () => {
  const one = await registerUser(site, identity);
  const other = await registerUser(site, identity);
  const [session] = await site.identity.listSessions(other.id, '');
  expect(await site.identity.endSession(one.id, session?.id ?? '')).toBe(false);
  expect(await site.identity.findSession(other.token)).toBeDefined();
});

test('a change of password ends every session but opens one for who made it', async () => {
  const user = await registerUser(site, identity);
  const elsewhere = await site.identity.logIn({ idToken: await signIn(identity, user.email, user.password), device });
  expect(elsewhere.ok).toBe(true);
  expect(
    await site.identity.changePassword(user.id, { currentPassword: 'no', newPassword: 'new-secret', device }),
  ).toEqual({ ok: false, reason: 'auth/wrong-password' });
  const outcome = await site.identity.changePassword(user.id, {
    currentPassword: user.password,
    newPassword: 'new-secret',
    device,
  });
  if (!outcome.ok) throw new Error(outcome.reason);
  expect(await site.identity.findSession(user.token)).toBeUndefined();
  expect(elsewhere.ok && (await site.identity.findSession(elsewhere.session.token))).toBeUndefined();
  expect(await site.identity.findSession(outcome.session.token)).toBeDefined();
  await expect(signIn(identity, user.email, user.password)).rejects.toThrow();
  expect(await signIn(identity, user.email, 'new-secret')).toMatch(/^ey/);
});

test('a suspended user is out at once and stays out until it is lifted', async () => {
  const user = await registerUser(site, identity);
  await setSuspended(db, user.id, true);
  expect(await site.identity.findSession(user.token)).toBeUndefined();
  expect(await site.identity.findPublicProfile(user.id)).toBeUndefined();
  const logIn = async () => site.identity.logIn({ idToken: await signIn(identity, user.email, user.password), device });
  expect(await logIn()).toEqual({ ok: false, reason: 'auth/user-disabled' });
  await setSuspended(db, user.id, false);
  expect(await logIn()).toMatchObject({ ok: true });
});

test('gift time is a subscription while it lasts, and two gifts add up', async () => {
  const { id, token } = await registerUser(site, identity);
  const first = await giveMonths(db, id, 1);
  const second = await giveMonths(db, id, 1);
  expect(second.getTime() - first.getTime()).toBeGreaterThan(27 * 24 * 60 * 60 * 1000);
  expect(await site.identity.findSession(token)).toMatchObject({ viewer: { isSubscribed: true } });
});

test('a registration that broke off half-way does not keep its names for ever', async () => {
  await db.insert(users).values({
    id: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
    username: 'half-way',
    email: 'half@example.org',
    identityProvider: 'built-in',
    identitySubject: 'pending 019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
    createdAt: new Date(Date.now() - 6 * 60 * 1000),
  });
  expect(
    await site.identity.register({ email: 'half@example.org', username: 'half-way', password: 'secret' }),
  ).toMatchObject({ ok: true });
});

test('a profile takes a free name, keeps its own in another case, and refuses one that is taken', async () => {
  const user = await registerUser(site, identity);
  await registerUser(site, identity, { username: 'occupied' });
  expect(await site.identity.updateProfile(user.id, { username: user.username.toUpperCase(), color: 3 })).toMatchObject(
    {
      ok: true,
      user: { username: user.username.toUpperCase(), color: 3 },
    },
  );
  expect(await site.identity.updateProfile(user.id, { username: 'OCCUPIED', color: 5 })).toEqual({
    ok: false,
    reason: 'auth/username-already-in-use',
  });
  expect(await site.identity.findMe(user.id)).toMatchObject({ color: 3 });
});
