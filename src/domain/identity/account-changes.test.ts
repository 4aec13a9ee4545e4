import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser, signIn } from '#test/support/identity.ts';
import { openTestSite } from '#test/support/test-site.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const site = await openTestSite(db, identity.provider);
const device = 'Chrome on Linux';

test('an ID token deletes an account only where the provider does not say that there is a password', async () => {
  const user = await registerUser(site, identity);
  const tokenOf = () => signIn(identity, user.email, user.password);
  expect(await site.identity.deleteAccount(user.id, { idToken: await tokenOf() })).toEqual({
    ok: false,
    reason: 'auth/wrong-password',
  });
  const silent = await openTestSite(db, { ...identity.provider, hasPassword: async () => undefined });
  expect(await silent.identity.findProfile(user.id)).toMatchObject({ hasPassword: null });
  expect(await silent.identity.deleteAccount(user.id, { idToken: await tokenOf() })).toEqual({ ok: true });
  expect(await site.identity.findMe(user.id)).toBeUndefined();
});

test('an ID token from before a change of password opens nothing, wherever it was made', async () => {
  const user = await registerUser(site, identity);
  const at = (signedInAt: Date) =>
    openTestSite(db, {
      ...identity.provider,
      // Firebase's live for an hour, and it does not ask about the password again.
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

test('whoever logs in while the account is deleted leaves no user behind', async () => {
  const user = await registerUser(site, identity);
  const idToken = await signIn(identity, user.email, user.password);
  const { verifyIdToken, deleteAccount } = identity.provider;
  const deleted = Promise.withResolvers<void>();
  // The token is believed, and then everything is deleted, before a user is looked for.
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

  // Or a user comes after the first half of the deletion, and before the second.
  const other = await registerUser(site, identity);
  const token = await signIn(identity, other.email, other.password);
  const between = await openTestSite(db, {
    ...identity.provider,
    async deleteAccount(...asked) {
      expect(await site.identity.logIn({ idToken: token, device })).toMatchObject({ ok: true, isNewAccount: true });
      await deleteAccount(...asked);
    },
  });
  expect(await between.identity.deleteAccount(other.id, { password: other.password })).toEqual({ ok: true });
  expect((await database.pool.query('select from users where email = $1', [other.email])).rowCount).toBe(0);
});

test('no session is opened for who is gone', async () => {
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

test('a stranger’s address gets three mails an hour, whoever asks, and nobody can tell', async () => {
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
  'an odd address of a social account (%j) is none, and fails nothing',
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
