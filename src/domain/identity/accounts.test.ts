import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser, signIn } from '#test/support/identity.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { giveMonths } from '../membership/entitlement.ts';
import { register } from './registration.ts';
import { createAdmin, setSuspended } from './operators.ts';
import { sessions, users } from './tables.ts';
import { slow } from '#test/support/tags.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const site = await openTestSite(db, identity.provider);
const device = 'Chrome on Linux';

test('one of fifty concurrent registrations of the same username, in any case, wins', slow, async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      site.identity.signUp({
        email: `rush-${index}@example.org`,
        username: index % 2 === 0 ? 'midnight' : 'Midnight',
        password: 'night owl',
      }),
    ),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]));
  expect(new Set(refusals)).toEqual(new Set(['auth/username-already-in-use']));
  expect(await db.select().from(users)).toHaveLength(1);
});

test(
  'one of fifty concurrent registrations of the same email wins; the others leave nothing behind',
  slow,
  async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        site.identity.signUp({ email: 'one@example.org', username: `one-${index}`, password: 'night owl' }),
      ),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await db.select().from(users).where(eq(users.email, 'one@example.org'))).toHaveLength(1);
    expect(await site.identity.checkUsername('ONE-7')).toBe(
      outcomes.findIndex(({ ok }) => ok) === 7 ? 'taken' : 'free',
    );
  },
);

test('common passwords and reserved usernames are refused at sign-up but not for operators and the demo', async () => {
  const form = { email: 'staff@example.org', username: 'somebody', password: 'Subscriber' };
  expect(await site.identity.signUp(form)).toEqual({ ok: false, reason: 'auth/common-password' });
  expect(await site.identity.signUp({ ...form, username: 'Support', password: 'night owl' })).toEqual({
    ok: false,
    reason: 'auth/username-already-in-use',
  });
  expect(await site.identity.checkUsername('s.upport')).toBe('taken');
  expect(await createAdmin(db, identity.provider, { email: 'admin@example.org', username: 'admin' })).toMatchObject({
    ok: true,
  });
  expect(await register(db, identity.provider, form)).toMatchObject({ ok: true });

  const user = await registerUser(site, identity);
  const change = { currentPassword: user.password, device };
  expect(await site.identity.changePassword(user.id, { ...change, newPassword: '123456' })).toEqual({
    ok: false,
    reason: 'auth/common-password',
  });
  expect(await site.identity.updateProfile(user.id, { username: 'R00T' })).toEqual({
    ok: false,
    reason: 'auth/username-already-in-use',
  });
});

test('an ID token opens one session only', async () => {
  await site.identity.signUp({ email: 'twice@example.org', username: 'twice', password: 'night owl' });
  const idToken = await signIn(identity, 'twice@example.org', 'night owl');
  const first = await site.identity.logIn({ idToken, device });
  expect(first).toMatchObject({ ok: true, isNewAccount: false, user: { username: 'twice', isSubscribed: false } });
  expect(await site.identity.logIn({ idToken, device })).toEqual({ ok: false, reason: 'auth/invalid-id-token' });
  const respelt = `${idToken.slice(0, -1)}${idToken.endsWith('A') ? 'B' : 'A'}`;
  expect(await site.identity.logIn({ idToken: respelt, device })).toEqual({
    ok: false,
    reason: 'auth/invalid-id-token',
  });
});

test('a session is found by its token only, and the database does not store the token', async () => {
  const { id, token } = await registerUser(site, identity);
  expect(await site.identity.findSession(token)).toMatchObject({
    viewer: { kind: 'user', id, isSubscribed: false, isComplete: true },
  });
  expect(JSON.stringify(await db.select().from(sessions))).not.toContain(token);
  const guess = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  expect(await site.identity.findSession(guess)).toBeUndefined();
  expect(await site.identity.findSession(`${token}' or true --`)).toBeUndefined();
});

test('an expired session is not found', async () => {
  const { id, token } = await registerUser(site, identity);
  await db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(sessions.userId, id));
  expect(await site.identity.findSession(token)).toBeUndefined();
  await site.identity.purgeEndedSessions();
  expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([]);
});

test('a user cannot end the session of another user', async () => {
  const one = await registerUser(site, identity);
  const other = await registerUser(site, identity);
  const [session] = await site.identity.listSessions(other.id, '');
  expect(await site.identity.endSession(one.id, session?.id ?? '')).toBe(false);
  expect(await site.identity.findSession(other.token)).toBeDefined();
});

test('a password change ends every session and opens a new one for the user who made it', async () => {
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

test('logging out everywhere ends provider sessions, and earlier ID tokens are refused', async () => {
  const user = await registerUser(site, identity);
  const [before, during] = [
    await signIn(identity, user.email, user.password),
    await signIn(identity, user.email, user.password),
  ];
  const ofProvider = async () =>
    (
      await database.pool.query(
        'select from provider_sessions s join provider_users u on u.id = s.user_id where u.email = $1',
        [user.email],
      )
    ).rowCount;
  expect(await ofProvider()).toBeGreaterThan(0);
  // One of them is verified but not logged in yet.
  const late = await openTestSite(db, {
    ...identity.provider,
    async verifyIdToken(token) {
      const verified = await identity.provider.verifyIdToken(token);
      await site.identity.logOutEverywhere(user.id);
      return verified;
    },
  });
  const refused = { ok: false, reason: 'auth/invalid-id-token' };
  expect(await late.identity.logIn({ idToken: during, device })).toEqual(refused);
  expect(await site.identity.logIn({ idToken: before, device })).toEqual(refused);
  expect(await site.identity.findSession(user.token)).toBeUndefined();
  expect(await ofProvider()).toBe(0);
  const idToken = await signIn(identity, user.email, user.password);
  expect(await site.identity.logIn({ idToken, device })).toMatchObject({ ok: true });
});

test('a suspended user is logged out at once and stays out until the suspension is lifted', async () => {
  const user = await registerUser(site, identity);
  await setSuspended(db, user.id, true);
  expect(await site.identity.findSession(user.token)).toBeUndefined();
  expect(await site.identity.findPublicProfile(user.id)).toBeUndefined();
  const logIn = async () => site.identity.logIn({ idToken: await signIn(identity, user.email, user.password), device });
  expect(await logIn()).toEqual({ ok: false, reason: 'auth/user-disabled' });
  await setSuspended(db, user.id, false);
  expect(await logIn()).toMatchObject({ ok: true });
});

test('gift time counts as a subscription while it lasts, and two gifts add up', async () => {
  const { id, token } = await registerUser(site, identity);
  const first = await giveMonths(db, id, 1);
  const second = await giveMonths(db, id, 1);
  expect(second.getTime() - first.getTime()).toBeGreaterThan(27 * 24 * 60 * 60 * 1000);
  expect(await site.identity.findSession(token)).toMatchObject({ viewer: { isSubscribed: true } });
});

test('an interrupted registration does not reserve its names forever', async () => {
  await db.insert(users).values({
    id: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
    username: 'half-way',
    email: 'half@example.org',
    identityProvider: 'built-in',
    identitySubject: 'pending 019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
    createdAt: new Date(Date.now() - 6 * 60 * 1000),
  });
  expect(
    await site.identity.signUp({ email: 'half@example.org', username: 'half-way', password: 'night owl' }),
  ).toMatchObject({ ok: true });
});

test('a profile accepts a free name or its own in another case, and refuses a taken one', async () => {
  const user = await registerUser(site, identity);
  await registerUser(site, identity, { username: 'occupied' });
  expect(
    await site.identity.updateProfile(user.id, { username: user.username.toUpperCase(), color: '#93B7EA' }),
  ).toMatchObject({
    ok: true,
    user: { username: user.username.toUpperCase(), color: '#93B7EA' },
  });
  expect(await site.identity.updateProfile(user.id, { username: 'OCCUPIED', color: '#E3CB7F' })).toEqual({
    ok: false,
    reason: 'auth/username-already-in-use',
  });
  expect(await site.identity.findMe(user.id)).toMatchObject({ color: '#93B7EA' });
});
