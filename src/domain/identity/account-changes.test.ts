import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser, signIn } from '#test/support/identity.ts';
import { openTestSite } from '#test/support/test-site.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const site = await openTestSite(db, identity.provider);

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
