import { desc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { providerUsers } from '#gateways/built-in-identity/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser, signIn, testSecret } from '#test/support/identity.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { operator } from '../kernel/actor.ts';
import { DomainError } from '../kernel/errors.ts';
import { paymentCustomers } from '../membership/tables.ts';
import { isOfDeleted, markDeleted } from './deleted-identities.ts';
import { setAdmin } from './operators.ts';
import type { VerifiedIdentity } from './provider.ts';
import { deletedIdentities, sessions, users } from './tables.ts';
import { slow } from '#test/support/tags.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const site = await openTestSite(db, identity.provider);
const device = 'Chrome on Linux';

test('an ID token deletes an account only when the provider does not report a password', async () => {
  const user = await registerUser(site, identity);
  const tokenOf = () => signIn(identity, user.email, user.password);
  expect(await site.identity.deleteAccount(user.id, { idToken: await tokenOf() })).toEqual({
    ok: false,
    reason: 'auth/wrong-password',
  });
  const silent = await openTestSite(db, { ...identity.provider, hasPassword: async () => undefined });
  expect(await silent.identity.findProfile(user.id)).toMatchObject({ hasPassword: null });
  const away = await openTestSite(db, {
    ...identity.provider,
    hasPassword: () => Promise.reject(new DomainError('server/unavailable')),
  });
  expect(await away.identity.findProfile(user.id)).toMatchObject({ hasPassword: null });
  expect(await silent.identity.deleteAccount(user.id, { idToken: await tokenOf() })).toEqual({ ok: true });
  expect(await site.identity.findMe(user.id)).toBeUndefined();
});

test.each([
  { minutes: 4.9, outcome: { ok: true } },
  { minutes: 5.1, outcome: { ok: false, reason: 'auth/invalid-id-token' } },
])('a sign-in $minutes minutes ago: deleting the account by it is $outcome', async ({ minutes, outcome }) => {
  const user = await registerUser(site, identity);
  const social = await openTestSite(db, {
    ...identity.provider,
    hasPassword: async () => false,
    verifyIdToken: async (token) => {
      const verified = await identity.provider.verifyIdToken(token);
      return verified && { ...verified, signedInAt: new Date(Date.now() - minutes * 60_000) };
    },
  });
  const idToken = await signIn(identity, user.email, user.password);
  expect(await social.identity.deleteAccount(user.id, { idToken })).toEqual(outcome);
});

test.each([
  { seconds: 9, isRefused: true },
  { seconds: 11, isRefused: false },
])(
  'an ID token issued $seconds seconds after the account was deleted, by another clock: refused $isRefused',
  async ({ seconds, isRefused }) => {
    const account = { provider: 'built-in', subject: crypto.randomUUID() } as const;
    await markDeleted(db, testSecret, account);
    const [row] = await db.select().from(deletedIdentities).orderBy(desc(deletedIdentities.deletedAt)).limit(1);
    const issuedAt = new Date((row?.deletedAt.getTime() ?? 0) + seconds * 1000);
    const verified = { subject: account.subject, issuedAt } as VerifiedIdentity;
    expect(await isOfDeleted(db, testSecret, 'built-in', verified)).toBe(isRefused);
  },
);

test('ID tokens from before a password change are refused, whichever provider issued them', async () => {
  const user = await registerUser(site, identity);
  const at = (signedInAt: Date) =>
    openTestSite(db, {
      ...identity.provider,
      // Firebase ID tokens live for an hour and do not check the password again.
      verifyIdToken: async (token) => {
        const verified = await identity.provider.verifyIdToken(token);
        return verified && { ...verified, signedInAt };
      },
    });
  const logIn = async (signedInAt: Date) =>
    (await at(signedInAt)).identity.logIn({ idToken: await signIn(identity, user.email, user.password), device });
  expect(await logIn(new Date(Date.now() - 60_000))).toEqual({ ok: false, reason: 'auth/invalid-id-token' });
  expect(await logIn(new Date(Date.now() - 2000))).toMatchObject({ ok: true });
});

test('a password that was set at the provider alone ends the sessions from before, at the next log-in', async () => {
  const user = await registerUser(site, identity);
  const hour = 60 * 60_000;
  const [registeredAt, changedAt] = [new Date(Date.now() - 3 * hour), new Date(Date.now() - hour)];
  await db.update(users).set({ passwordChangedAt: registeredAt }).where(eq(users.id, user.id));
  await db.update(sessions).set({ createdAt: registeredAt }).where(eq(sessions.userId, user.id));
  const at = async (findPasswordChange: () => Promise<Date | undefined>) => {
    const external = await openTestSite(db, { ...identity.provider, findPasswordChange });
    const idToken = await signIn(identity, user.email, user.password);
    const outcome = await external.identity.logIn({ idToken, device });
    return outcome.ok ? outcome.session.token : undefined;
  };
  const away = await at(() => Promise.reject(new DomainError('server/unavailable')));
  expect(await site.identity.findSession(user.token)).toBeDefined();
  const token = await at(async () => changedAt);
  expect(await site.identity.findSession(user.token)).toBeUndefined();
  expect(await site.identity.findProfile(user.id)).toMatchObject({ passwordChangedAt: changedAt });
  await at(async () => changedAt);
  for (const later of [away, token]) expect(await site.identity.findSession(later ?? '')).toBeDefined();
});

test('a log-in during account deletion leaves no user behind', slow, async () => {
  const user = await registerUser(site, identity);
  const idToken = await signIn(identity, user.email, user.password);
  const { verifyIdToken, deleteAccount } = identity.provider;
  const deleted = Promise.withResolvers<void>();
  // The token verifies, then the account is deleted before the user lookup.
  let verified = 0;
  const late = await openTestSite(db, {
    ...identity.provider,
    async verifyIdToken(token) {
      const found = await verifyIdToken(token);
      verified += 1;
      if (verified === 1) {
        await site.identity.deleteAccount(user.id, { password: user.password });
        deleted.resolve();
      }
      return found;
    },
  });
  expect(await late.identity.logIn({ idToken, device })).toEqual({ ok: false, reason: 'auth/invalid-id-token' });
  await deleted.promise;
  expect((await database.pool.query('select from users where email = $1', [user.email])).rowCount).toBe(0);

  // Or someone logs in between the two halves of the deletion.
  const other = await registerUser(site, identity);
  const token = await signIn(identity, other.email, other.password);
  const between = await openTestSite(db, {
    ...identity.provider,
    async deleteAccount(...asked) {
      expect(await site.identity.logIn({ idToken: token, device })).toEqual({
        ok: false,
        reason: 'auth/invalid-id-token',
      });
      await deleteAccount(...asked);
    },
  });
  expect(await between.identity.deleteAccount(other.id, { password: other.password })).toEqual({ ok: true });
  expect((await database.pool.query('select from users where email = $1', [other.email])).rowCount).toBe(0);
});

test('a user who signs in anew while the provider deletes the account is erased too', async () => {
  const user = await registerUser(site, identity);
  const idToken = await signIn(identity, user.email, user.password);
  const { verifyIdToken, deleteAccount } = identity.provider;
  const anew = await openTestSite(db, {
    ...identity.provider,
    async verifyIdToken(token) {
      const verified = await verifyIdToken(token);
      // Tokens from before the deletion are refused.
      return verified && { ...verified, issuedAt: new Date(Date.now() + 60_000) };
    },
  });
  const between = await openTestSite(db, {
    ...identity.provider,
    async deleteAccount(...asked) {
      expect(await anew.identity.logIn({ idToken, device })).toMatchObject({ ok: true });
      await deleteAccount(...asked);
    },
  });
  expect(await between.identity.deleteAccount(user.id, { password: user.password })).toEqual({ ok: true });
  expect(await db.$count(users, eq(users.email, user.email))).toBe(0);
});

test('an ID token that outlives its account creates no empty user; a new sign-in does', async () => {
  const user = await registerUser(site, identity);
  const { subject = '' } =
    (await identity.provider.verifyIdToken(await signIn(identity, user.email, user.password))) ?? {};
  // Firebase tokens are verified by signature and expiry only.
  const issued = (secondsAgo: number) =>
    openTestSite(db, {
      ...identity.provider,
      deleteAccount: async () => {},
      verifyIdToken: async () => {
        const issuedAt = new Date(Date.now() - secondsAgo * 1000);
        const expiresAt = new Date(issuedAt.getTime() + 3600_000);
        return { subject, email: user.email, signInMethod: 'password', signedInAt: issuedAt, issuedAt, expiresAt };
      },
    });
  const old = await issued(50 * 60);
  expect(await old.identity.deleteAccount(user.id, { password: user.password })).toEqual({ ok: true });
  for (const site of [old, await issued(1)])
    expect(await site.identity.logIn({ idToken: crypto.randomUUID(), device })).toEqual({
      ok: false,
      reason: 'auth/invalid-id-token',
    });
  expect((await database.pool.query('select from users where email = $1', [user.email])).rowCount).toBe(0);
  const kept = JSON.stringify((await database.pool.query('select * from deleted_identities')).rows);
  expect(kept).not.toContain(subject);

  expect(await (await issued(-60)).identity.logIn({ idToken: crypto.randomUUID(), device })).toMatchObject({
    ok: true,
  });
  await database.pool.query(`update deleted_identities set deleted_at = now() - interval '71 minutes'`);
  await site.identity.purgeEndedSessions();
  expect((await database.pool.query('select from deleted_identities')).rowCount).toBe(0);
});

test('no session is opened for a deleted user', async () => {
  const user = await registerUser(site, identity);
  const idToken = await signIn(identity, user.email, user.password);
  const sessionless = await openTestSite(db, {
    ...identity.provider,
    async changePassword() {
      await site.identity.deleteAccount(user.id, { password: user.password });
      return { ok: true };
    },
  });
  const change = { currentPassword: user.password, newPassword: 'another one', device };
  await expect(sessionless.identity.changePassword(user.id, change)).rejects.toMatchObject({
    code: 'auth/login-required',
  });
  expect(await site.identity.logIn({ idToken, device })).toEqual({ ok: false, reason: 'auth/invalid-id-token' });
});

test('an unrelated address gets at most three mails an hour, and the limit does not show', async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = await registerUser(site, identity);
    const ask = (password: string) =>
      site.identity.requestEmailChange(user.id, { password, newEmail: 'stranger@sotto.test' });
    expect(await ask(user.password)).toEqual({ ok: true });
    if (round === 4) expect(await ask('wrong')).toEqual({ ok: false, reason: 'auth/wrong-password' });
  }
  await expect.poll(() => identity.mails.filter(({ to }) => to === 'stranger@sotto.test').length).toBe(3);
});

test.each(['two words@sotto.test', 'a@b@sotto.test', `${'x'.repeat(250)}@sotto.test`, 'a\u0000@sotto.test', 'none'])(
  'an odd address of a social account (%j) is ignored, and nothing fails',
  async (email) => {
    const made = await identity.provider.createAccount({
      email: `${crypto.randomUUID()}@sotto.test`,
      password: 'secret',
    });
    if (!made.ok) throw new Error(made.reason);
    const now = new Date();
    const odd = await openTestSite(db, {
      ...identity.provider,
      verifyIdToken: async () => ({
        subject: made.subject,
        email,
        signInMethod: 'facebook',
        signedInAt: now,
        issuedAt: now,
        expiresAt: new Date(now.getTime() + 60_000),
      }),
    });
    expect(await odd.identity.logIn({ idToken: crypto.randomUUID(), device })).toMatchObject({
      ok: true,
      user: { email: null },
    });
  },
);

test('the only admin cannot delete their account before another user is admin', async () => {
  const [admin, successor] = [await registerUser(site, identity), await registerUser(site, identity)];
  await setAdmin(db, admin.id, true);
  const leave = () => site.identity.deleteAccount(admin.id, { password: admin.password });
  expect(await leave()).toEqual({ ok: false, reason: 'admin/last-admin' });
  await setAdmin(db, successor.id, true);
  expect(await leave()).toEqual({ ok: true });
  await setAdmin(db, successor.id, false);
});

test('of the last two admins, who delete their accounts at once, one stays', async () => {
  const admins = [await registerUser(site, identity), await registerUser(site, identity)];
  for (const { id } of admins) await setAdmin(db, id, true);
  const outcomes = await Promise.all(admins.map(({ id, password }) => site.identity.deleteAccount(id, { password })));
  expect(outcomes.toSorted((one, other) => Number(other.ok) - Number(one.ok))).toEqual([
    { ok: true },
    { ok: false, reason: 'admin/last-admin' },
  ]);
  expect(await db.$count(users, eq(users.isAdmin, true))).toBe(1);
  await db.update(users).set({ isAdmin: false });
});

test('an admin whose deletion failed stays one, and counts again', async () => {
  const [one, other] = [await registerUser(site, identity), await registerUser(site, identity)];
  for (const { id } of [one, other]) await setAdmin(db, id, true);
  const unpaid = await openTestSite(db, identity.provider, {
    ...openPlainPayments().provider,
    deleteCustomer: async () => {
      throw new Error('the provider is away');
    },
  });
  await db.insert(paymentCustomers).values({ customerId: 'cus_one', userId: one.id });
  await expect(unpaid.identity.deleteAccount(one.id, { password: one.password })).rejects.toThrow('away');
  expect(await site.identity.deleteAccount(other.id, { password: other.password })).toEqual({ ok: true });
  await db.update(users).set({ isAdmin: false });
});

test('an account that signing in made at the provider alone is deleted there, when the site has no use for it', async () => {
  const make = async () => {
    const form = { email: `${crypto.randomUUID()}@sotto.test`, password: 'secret' };
    const made = await identity.provider.createAccount(form);
    if (!made.ok) throw new Error(made.reason);
    return { subject: made.subject, idToken: await signIn(identity, form.email, form.password) };
  };
  const isKept = async (subject: string) => (await db.$count(providerUsers, eq(providerUsers.id, subject))) === 1;

  // Somebody without a password signs in with another Google account to delete their own.
  const user = await registerUser(site, identity);
  const social = await openTestSite(db, { ...identity.provider, hasPassword: async () => false });
  const [mistaken, other] = [await make(), await registerUser(site, identity)];
  const invalid = { ok: false, reason: 'auth/invalid-id-token' };
  expect(await social.identity.deleteAccount(user.id, { idToken: mistaken.idToken })).toEqual(invalid);
  expect(await isKept(mistaken.subject)).toBe(false);
  const otherToken = await signIn(identity, other.email, other.password);
  expect(await social.identity.deleteAccount(user.id, { idToken: otherToken })).toEqual(invalid);
  expect(await signIn(identity, other.email, other.password)).toBeDefined();

  const stranger = await make();
  const { value, revision } = (await site.admin.site.findSiteSettings(operator)).features;
  await site.admin.site.changeSection(operator, 'features', { value: { ...value, signUp: false }, revision });
  expect(await site.identity.logIn({ idToken: stranger.idToken, device })).toEqual({
    ok: false,
    reason: 'site/sign-up-closed',
  });
  expect(await isKept(stranger.subject)).toBe(false);
  await site.admin.site.changeSection(operator, 'features', { value, revision: revision + 1 });
});
