import { desc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { setVoiceOwner } from '../../community/voice-owners.ts';
import { setAdmin } from '../../identity/operators.ts';
import { accountDeletions, users } from '../../identity/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { User } from '../../kernel/viewer.ts';
import type { MailMessage } from '../../gateways.ts';
import { invoiceRefunds, invoices, memberships } from '../../membership/tables.ts';
import { eraseUser } from '../../privacy/personal-data.ts';
import { actionsAbout } from '#test/support/audit.ts';
import { createAudio, createVoice } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser } from '#test/support/identity.ts';
import { orderOf } from '#test/support/payments/membership.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const plain = openPlainPayments();
const mails: MailMessage[] = [];
const site = await openTestSite(db, identity.provider, plain.provider, mails);
const { admin } = site;
const { people, site: siteAdmin } = site.admin;

const actorOf = (id: string, isAdmin = true): User => ({
  kind: 'user',
  id,
  isSubscribed: false,
  isComplete: true,
  ...(isAdmin && { isAdmin }),
});

async function newAdmin() {
  const user = await registerUser(site, identity);
  await setAdmin(db, user.id, true);
  return { ...user, actor: actorOf(user.id) };
}

const one = await newAdmin();
const other = await newAdmin();

/** Charged at once: the trial was used before. */
async function subscribe(userId: string, period: 'month' | 'year'): Promise<void> {
  await db.insert(memberships).values({ userId, trialUsedAt: new Date() });
  const order = { period, promoCode: undefined, withoutTrial: true } as const;
  await site.membership.createSubscription(userId, { paymentMethodId: plain.newCard('good'), ...order });
}

async function isAdmin(id: string): Promise<boolean | undefined> {
  const [row] = await db.select({ isAdmin: users.isAdmin }).from(users).where(eq(users.id, id));
  return row?.isAdmin;
}

test('only operators act, whatever the act', async () => {
  const user = await registerUser(site, identity);
  const nobody = actorOf(user.id, false);
  const notFound = { code: 'request/not-found' };
  await expect(people.suspendUser(nobody, one.id, { reason: 'Spam', paysBack: false })).rejects.toMatchObject(notFound);
  await expect(people.setAdminRole(nobody, user.id, true)).rejects.toMatchObject(notFound);
  await expect(people.giveMonths(nobody, user.id, { months: 1, reason: 'x' })).rejects.toMatchObject(notFound);
  await expect(people.listUsers(nobody, {}, { limit: 5 })).rejects.toMatchObject(notFound);
  await expect(people.findUser(nobody, user.id)).rejects.toMatchObject(notFound);
  await expect(siteAdmin.listLogEntries(nobody, {}, { limit: 5 })).rejects.toMatchObject(notFound);
  await expect(siteAdmin.findOverview(nobody)).rejects.toMatchObject(notFound);
  await expect(admin.findAnything(nobody, 'a')).rejects.toMatchObject(notFound);
  expect(await actionsAbout(db, one.id)).toEqual([]);
});

test('months are given, recorded with the reason, and taken back', async () => {
  const user = await registerUser(site, identity);
  expect(await people.giveMonths(one.actor, user.id, { months: 2, reason: 'Charged twice' })).toMatchObject({
    ok: true,
  });
  const { username } = (await people.findUser(one.actor, one.id)) ?? {};
  const given = { kind: 'given', months: 2, by: { kind: 'admin', name: username }, reason: 'Charged twice' };
  expect((await people.findUser(one.actor, user.id))?.payments).toMatchObject([given]);
  expect(await people.takeMonthsBack(one.actor, user.id)).toMatchObject({ ok: true, months: 2 });
  expect(await people.takeMonthsBack(one.actor, user.id)).toEqual({ ok: false, reason: 'admin/nothing-given' });
  expect((await people.findUser(one.actor, user.id))?.payments).toMatchObject([
    { kind: 'taken-back', months: 2, by: { kind: 'admin', name: username }, reason: null },
    given,
  ]);
  expect(await actionsAbout(db, user.id)).toEqual(['user.give-months', 'user.take-months-back']);
  const [entry] = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, user.id)).limit(1);
  expect(entry).toMatchObject({ actorId: one.id, after: { months: 2, reason: 'Charged twice' } });
});

test('months that a subscription began in are taken back from its next charge, if they are ahead', async () => {
  const user = await registerUser(site, identity);
  await people.giveMonths(one.actor, user.id, { months: 3, reason: 'Charged twice' });
  const { giftUntil } = await site.membership.findSubscriptionState(user.id);
  await people.giveMonths(one.actor, user.id, { months: 1, reason: 'A night without sound' });
  await site.membership.createSubscription(user.id, orderOf(plain.newCard('good')));
  const renewsAt = async () => (await site.membership.findSubscription(user.id)).renewsAt;
  expect(await renewsAt()).not.toEqual(giftUntil);
  expect(await people.takeMonthsBack(one.actor, user.id)).toMatchObject({ ok: true, months: 1 });
  expect(await renewsAt()).toEqual(giftUntil);
  // These have begun; the charge would be due at once.
  expect(await people.takeMonthsBack(one.actor, user.id)).toEqual({ ok: false, reason: 'admin/gift-used' });
  expect(await renewsAt()).toEqual(giftUntil);
  // Nothing is given that cannot be recorded.
  const calls = plain.calls.length;
  await expect(people.giveMonths(one.actor, user.id, { months: 1, reason: 'No text \0' })).rejects.toThrow();
  expect(plain.calls.slice(calls)).not.toContain('delayCharge');
});

test('a gift names its operator: another one, the command line, or a deleted admin', async () => {
  const user = await registerUser(site, identity);
  await subscribe(user.id, 'month');
  const leaving = await newAdmin();
  await people.giveMonths(operator, user.id, { months: 1, reason: 'On the command line' });
  await people.giveMonths(leaving.actor, user.id, { months: 2, reason: 'Two nights without sound' });
  await people.takeMonthsBack(other.actor, user.id);
  await db.delete(users).where(eq(users.id, leaving.id));
  const payments = (await people.findUser(one.actor, user.id))?.payments.filter((moment) => 'by' in moment);
  const { username } = (await people.findUser(one.actor, other.id)) ?? {};
  expect(payments).toMatchObject([
    { kind: 'taken-back', months: 2, by: { kind: 'admin', name: username } },
    { kind: 'given', months: 2, by: { kind: 'admin', name: null }, reason: 'Two nights without sound' },
    { kind: 'given', months: 1, by: { kind: 'command-line' } },
  ]);
});

test('users are listed by joining, also those who were imported later', async () => {
  const term = `joined${Date.now()}`;
  const days = ['2021-05-01', '2019-03-04', '2021-05-01', '2023-01-01'];
  const joined = [];
  for (const [index, day] of days.entries()) {
    const { id } = await registerUser(site, identity);
    await db
      .update(users)
      .set({ createdAt: new Date(day), username: `${term}.${index}` })
      .where(eq(users.id, id));
    joined.push(id);
  }
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await people.listUsers(one.actor, { query: term }, { cursor, limit: 1 });
    listed.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  // On the same day the later id comes first.
  expect(listed).toEqual([joined[3], joined[2], joined[0], joined[1]]);
});

test('a suspension ends sessions and the renewal, and pays unused days back when asked to', async () => {
  const user = await registerUser(site, identity);
  await subscribe(user.id, 'year');
  const outcome = await people.suspendUser(one.actor, user.id, { reason: 'Spam', paysBack: true });
  expect(outcome).toMatchObject({ ok: true, renewal: 'none' });
  const refunded = outcome.ok ? outcome.refunded : 0;
  // All but today's part of a year.
  expect(refunded).toBeGreaterThan(5900);
  expect(refunded).toBeLessThanOrEqual(5988);
  expect(await site.identity.findSession(user.token)).toBeUndefined();
  expect((await people.findUser(one.actor, user.id))?.subscription.state).toBe('ended');
  expect(await people.suspendUser(other.actor, user.id, { reason: 'Spam', paysBack: true })).toMatchObject({
    ok: true,
    refunded: 0,
  });
  expect(await actionsAbout(db, user.id)).toEqual(['user.suspend', 'user.pay-back']);
  expect(await people.findUser(one.actor, user.id)).toMatchObject({ suspensionReason: 'Spam' });
  expect(await people.liftSuspension(one.actor, user.id)).toEqual({ ok: true });
  expect(await people.liftSuspension(one.actor, user.id)).toEqual({ ok: true });
  expect((await actionsAbout(db, user.id)).at(-1)).toBe('user.lift-suspension');
});

test('without paying back, the subscription stays usable until the paid time ends', async () => {
  const user = await registerUser(site, identity);
  await subscribe(user.id, 'month');
  expect(await people.suspendUser(one.actor, user.id, { reason: 'Spam', paysBack: false })).toEqual({
    ok: true,
    renewal: 'stopped',
    refunded: 0,
  });
  expect((await people.findUser(one.actor, user.id))?.subscription.state).toBe('ending');
});

test('an account is out at once, also while the payment provider is away', async () => {
  const user = await registerUser(site, identity);
  await subscribe(user.id, 'month');
  const { readCustomer } = plain.provider;
  plain.provider.readCustomer = () => Promise.reject(Object.assign(new Error('away'), { code: 'payment/unavailable' }));
  try {
    expect(await people.suspendUser(one.actor, user.id, { reason: 'Spam', paysBack: false })).toMatchObject({
      ok: true,
      renewal: 'failed',
    });
  } finally {
    plain.provider.readCustomer = readCustomer;
  }
  expect(await site.identity.findSession(user.token)).toBeUndefined();
  expect(await people.suspendUser(one.actor, user.id, { reason: 'Spam', paysBack: false })).toMatchObject({
    renewal: 'stopped',
  });
});

test('a refund is reported when the provider goes away after it', async () => {
  const user = await registerUser(site, identity);
  await subscribe(user.id, 'year');
  const { readCustomer, refundInvoice } = plain.provider;
  plain.provider.refundInvoice = async (...asked) => {
    const refunded = await refundInvoice(...asked);
    plain.provider.readCustomer = () =>
      Promise.reject(Object.assign(new Error('away'), { code: 'payment/unavailable' }));
    return refunded;
  };
  try {
    const outcome = await people.suspendUser(one.actor, user.id, { reason: 'Spam', paysBack: true });
    expect(outcome).toMatchObject({ renewal: 'failed' });
    expect(outcome.ok && outcome.refunded).toBeGreaterThan(5900);
  } finally {
    Object.assign(plain.provider, { readCustomer, refundInvoice });
  }
});

test(
  'unused days are paid back once when the provider ends the subscription and its answer is lost',
  slow,
  async () => {
    const suspend = (id: string) => people.suspendUser(one.actor, id, { reason: 'Spam', paysBack: true });
    const owed = (id: string) => db.select().from(invoiceRefunds).where(eq(invoiceRefunds.userId, id));
    const { cancelNow } = plain.provider;
    const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'payment/unavailable' }));
    const endedWithoutAnswer = async () => {
      const user = await registerUser(site, identity);
      await subscribe(user.id, 'year');
      plain.provider.cancelNow = async (id) => cancelNow(id).then(away);
      expect(await suspend(user.id)).toMatchObject({ renewal: 'failed', refunded: 0 });
      plain.provider.cancelNow = cancelNow;
      // The provider's event tells that it has ended.
      await site.membership.refreshSubscription(user.id);
      expect(await owed(user.id)).toMatchObject([{ state: 'asked' }]);
      return user;
    };
    const repeated = await endedWithoutAnswer();
    const again = await suspend(repeated.id);
    expect(again).toMatchObject({ renewal: 'none', refunded: expect.any(Number) as number });
    expect(await suspend(repeated.id)).toMatchObject({ refunded: 0 });
    expect(await owed(repeated.id)).toMatchObject([{ state: 'done', amount: again.ok && again.refunded }]);

    const left = await endedWithoutAnswer();
    await db.update(invoiceRefunds).set({ createdAt: sql`now() - interval '2 minutes'` });
    await site.membership.reconcile();
    await site.membership.reconcile();
    const [refund, ...others] = await owed(left.id);
    expect([refund?.state, others]).toEqual(['done', []]);
    const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, left.id));
    expect(invoice?.refunded).toBe(refund?.amount);

    // The provider never got the order: nothing is owed.
    const running = await registerUser(site, identity);
    await subscribe(running.id, 'year');
    plain.provider.cancelNow = away;
    expect(await suspend(running.id)).toMatchObject({ renewal: 'failed' });
    plain.provider.cancelNow = cancelNow;
    await db.update(invoiceRefunds).set({ createdAt: sql`now() - interval '2 minutes'` });
    await site.membership.doDueWork();
    expect(await owed(running.id)).toMatchObject([{ state: 'asked' }]);
    await db.update(invoiceRefunds).set({ createdAt: sql`now() - interval '2 hours'` });
    await site.membership.doDueWork();
    expect(await owed(running.id)).toEqual([]);
    expect((await site.membership.findSubscriptionState(running.id)).state).toBe('active');
  },
);

test('unused days are paid back once, also when the provider fails after it ended the subscription', async () => {
  const user = await registerUser(site, identity);
  await subscribe(user.id, 'year');
  const { refundInvoice } = plain.provider;
  plain.provider.refundInvoice = () =>
    Promise.reject(Object.assign(new Error('away'), { code: 'payment/unavailable' }));
  try {
    expect(await people.suspendUser(one.actor, user.id, { reason: 'Spam', paysBack: true })).toMatchObject({
      renewal: 'failed',
      refunded: 0,
    });
  } finally {
    plain.provider.refundInvoice = refundInvoice;
  }
  const owed = () => db.select().from(invoiceRefunds).where(eq(invoiceRefunds.userId, user.id));
  expect(await owed()).toMatchObject([{ state: 'asked', reason: 'Unused days' }]);
  await db.update(invoiceRefunds).set({ createdAt: sql`now() - interval '2 minutes'` });
  await site.membership.doDueWork();
  await site.membership.doDueWork();
  const [refund, ...others] = await owed();
  expect([refund?.state, others]).toEqual(['done', []]);
  const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, user.id));
  expect(invoice?.refunded).toBe(refund?.amount);
  expect(refund?.amount).toBeGreaterThan(5900);
});

test('nobody changes their own role, suspends or deletes themselves', async () => {
  const refused = { ok: false, reason: 'admin/not-yourself' };
  expect(await people.setAdminRole(one.actor, one.id, false)).toEqual(refused);
  expect(await people.suspendUser(one.actor, one.id, { reason: 'Spam', paysBack: false })).toEqual(refused);
  expect(await people.planDeletion(one.actor, one.id, { reason: 'x' })).toEqual(refused);
  expect(await people.resetSecondFactorOf(one.actor, one.id)).toEqual(refused);
});

test('who tried too many codes can set up a second factor once it is reset', async () => {
  const { attempts } = site.identity;
  const tries = { account: other.id, address: '192.0.2.7' };
  for (let count = 0; count < 10; count += 1) await attempts.take('second-factor', tries);
  expect(await attempts.take('second-factor', tries)).toMatchObject({ scope: 'account' });
  expect(await people.resetSecondFactorOf(one.actor, other.id)).toMatchObject({ ok: true });
  expect(await attempts.take('second-factor', tries)).toBeUndefined();
});

test("two admins remove each other's role at once: one stays", async () => {
  const outcomes = await Promise.all([
    people.setAdminRole(one.actor, other.id, false),
    people.setAdminRole(other.actor, one.id, false),
  ]);
  expect(outcomes.map((outcome) => (outcome.ok ? 'done' : outcome.reason)).toSorted()).toEqual([
    'admin/last-admin',
    'done',
  ]);
  expect([await isAdmin(one.id), await isAdmin(other.id)].filter(Boolean)).toHaveLength(1);
  await setAdmin(db, one.id, true);
  await setAdmin(db, other.id, true);
});

test('the last admin keeps the role, the log-in and the account, on the command line too', async () => {
  const refused = { ok: false, reason: 'admin/last-admin' };
  const suspension = { reason: 'Spam', paysBack: false };
  await setAdmin(db, other.id, false);
  expect(await people.setAdminRole(operator, one.id, false)).toEqual(refused);
  expect(await people.suspendUser(operator, one.id, suspension)).toEqual(refused);
  expect(await people.planDeletion(operator, one.id, { reason: 'x' })).toEqual(refused);
  expect(await isAdmin(one.id)).toBe(true);
  await setAdmin(db, other.id, true);
  // A suspended admin is no other one.
  expect(await people.suspendUser(operator, other.id, suspension)).toMatchObject({ ok: true });
  expect(await people.suspendUser(operator, one.id, suspension)).toEqual(refused);
  await people.liftSuspension(operator, other.id);
  expect(await people.setAdminRole(operator, one.id, false)).toEqual({ ok: true });
  await setAdmin(db, one.id, true);
});

test.each(['suspend', 'delete', 'demote'] as const)(
  'of two acts that %s the last two admins at once, one is refused',
  async (how) => {
    const acts = {
      suspend: (id: string) => people.suspendUser(operator, id, { reason: 'Spam', paysBack: false }),
      delete: (id: string) => people.planDeletion(operator, id, { reason: 'x' }),
      demote: (id: string) => people.setAdminRole(operator, id, false),
    };
    const outcomes = await Promise.all([acts[how](one.id), acts[how](other.id)]);
    expect(outcomes.map((outcome) => (outcome.ok ? 'done' : outcome.reason)).toSorted()).toEqual([
      'admin/last-admin',
      'done',
    ]);
    for (const { id } of [one, other]) {
      await people.liftSuspension(operator, id);
      await people.takeDeletionBack(operator, id);
      await setAdmin(db, id, true);
    }
  },
);

test('a deletion planned on the command line waits for another admin', async () => {
  expect(await people.planDeletion(operator, other.id, { reason: 'Left' })).toMatchObject({ ok: true });
  await setAdmin(db, one.id, false);
  await db.update(accountDeletions).set({ dueAt: new Date(Date.now() - 1000) });
  expect(await people.deleteDueAccounts()).toBe(0);
  expect(await isAdmin(other.id)).toBe(true);
  await setAdmin(db, one.id, true);
  await people.takeDeletionBack(operator, other.id);
});

test('a new role and given months are mailed once to who gets them', async () => {
  const user = await registerUser(site, identity);
  const voice = await createVoice(db, { name: 'Noor Azadi' });
  const key = crypto.randomUUID();
  mails.length = 0;
  for (let count = 0; count < 2; count += 1) {
    await people.setVoiceRole(one.actor, user.id, voice.slug, 'editor');
    await people.setAdminRole(one.actor, user.id, true);
    await people.giveMonths(one.actor, user.id, { months: 2, reason: 'A secret', key });
  }
  await people.setVoiceRole(one.actor, user.id, voice.slug, null);
  await people.setAdminRole(one.actor, user.id, false);
  expect(mails.map(({ to }) => to)).toEqual([user.email, user.email, user.email]);
  const [editor, boss, months] = mails.map(({ text }) => text);
  expect(editor).toMatch(/You are now an editor of Noor Azadi\.[^]*\/studio/);
  expect(boss).toMatch(/You are now an admin\.[^]*\/admin/);
  expect(months).toMatch(/2 months of unlimited listening\. Your time lasts until \d/);
  expect(months).not.toContain('secret');
});

test('an operator who lost the role meanwhile cannot shut the last one out', async () => {
  await setAdmin(db, other.id, false);
  const refused = { ok: false, reason: 'admin/last-admin' };
  expect(await people.setAdminRole(other.actor, one.id, false)).toEqual(refused);
  expect(await people.suspendUser(other.actor, one.id, { reason: 'Spam', paysBack: false })).toEqual(refused);
  expect(await people.planDeletion(other.actor, one.id, { reason: 'x' })).toEqual(refused);
  await setAdmin(db, other.id, true);
});

test('an admin whose deletion is planned does not count as another one, and the last one is not deleted', async () => {
  const refused = { ok: false, reason: 'admin/last-admin' };
  expect(await people.planDeletion(one.actor, other.id, { reason: 'Left' })).toMatchObject({ ok: true });
  expect(await people.planDeletion(other.actor, one.id, { reason: 'Left' })).toEqual(refused);
  expect(await people.setAdminRole(other.actor, one.id, false)).toEqual(refused);
  expect(await people.suspendUser(other.actor, one.id, { reason: 'Spam', paysBack: false })).toEqual(refused);

  await setAdmin(db, one.id, false);
  await db.update(accountDeletions).set({ dueAt: new Date(Date.now() - 1000) });
  expect(await people.deleteDueAccounts()).toBe(0);
  expect(await isAdmin(other.id)).toBe(true);
  await setAdmin(db, one.id, true);
  expect(await people.takeDeletionBack(one.actor, other.id)).toEqual({ ok: true });
});

test('a suspended user is not made admin', async () => {
  const user = await registerUser(site, identity);
  await people.suspendUser(one.actor, user.id, { reason: 'Spam', paysBack: false });
  expect(await people.setAdminRole(one.actor, user.id, true)).toEqual({ ok: false, reason: 'admin/suspended' });
});

test('a voice is given with a role, and taken away', async () => {
  const user = await registerUser(site, identity);
  const voice = await createVoice(db);
  expect(await people.setVoiceRole(one.actor, user.id, voice.slug, 'editor')).toMatchObject({ ok: true });
  expect((await site.identity.findSession(user.token))?.viewer.voiceRoles).toEqual({ [voice.id]: 'editor' });
  expect(await people.setVoiceRole(one.actor, user.id, voice.slug, 'owner')).toMatchObject({ ok: true });
  expect(await people.setVoiceRole(one.actor, user.id, voice.slug, null)).toMatchObject({ ok: true });
  expect((await site.identity.findSession(user.token))?.viewer.voiceRoles).toBeUndefined();
  expect(await people.setVoiceRole(one.actor, user.id, 'no-such-voice', 'owner')).toMatchObject({ ok: false });
  expect(await actionsAbout(db, user.id)).toEqual(['user.give-voice', 'user.give-voice', 'user.take-voice']);
});

test('an export is mailed to its user alone, as a page that asks for their log-in', async () => {
  const user = await registerUser(site, identity);
  mails.length = 0;
  expect(await people.sendExport(one.actor, user.id)).toEqual({ ok: true });
  expect(mails).toMatchObject([{ to: user.email }]);
  expect(mails[0]?.text).toContain('/account/data');
  await people.suspendUser(one.actor, user.id, { reason: 'Spam', paysBack: false });
  expect(await people.sendExport(one.actor, user.id)).toEqual({ ok: false, reason: 'admin/suspended' });
  expect(await actionsAbout(db, user.id)).toEqual(['user.send-export', 'user.suspend']);
});

test('a password reset is mailed by the identity provider', async () => {
  const user = await registerUser(site, identity);
  identity.mails.length = 0;
  expect(await people.sendPasswordReset(one.actor, user.id)).toEqual({ ok: true });
  await expect.poll(() => identity.mails.map(({ to }) => to)).toEqual([user.email]);
  expect(identity.mails[0]?.text).toContain('/reset-password?token=');
});

test('a deletion waits seven days, tells the user, can be taken back, and then erases everything', async () => {
  const user = await registerUser(site, identity);
  mails.length = 0;
  const planned = await people.planDeletion(one.actor, user.id, { reason: 'Asked for it' });
  expect(planned).toMatchObject({ ok: true });
  expect(await people.planDeletion(other.actor, user.id, { reason: 'Again' })).toEqual(planned);
  expect(mails).toHaveLength(1);
  expect(await people.deleteDueAccounts()).toBe(0);
  expect(await people.takeDeletionBack(one.actor, user.id)).toEqual({ ok: true });
  expect(await people.takeDeletionBack(one.actor, user.id)).toEqual({ ok: true });
  expect(await actionsAbout(db, user.id)).toEqual(['user.plan-deletion', 'user.take-deletion-back']);

  await people.planDeletion(one.actor, user.id, { reason: 'Asked for it' });
  await db.update(accountDeletions).set({ dueAt: new Date(Date.now() - 1000) });
  expect(await people.deleteDueAccounts()).toBe(1);
  expect(await people.findUser(one.actor, user.id)).toBeUndefined();
  expect((await identity.provider.exportOf(user.id))['account']).toBeNull();
  expect((await actionsAbout(db, user.id)).at(-1)).toBe('user.delete');
  expect(await people.deleteDueAccounts()).toBe(0);
});

test('a deletion that fails stops no other one, and is finished by a later run', slow, async () => {
  const planned: Awaited<ReturnType<typeof registerUser>>[] = [];
  for (let count = 0; count < 3; count += 1) planned.push(await registerUser(site, identity));
  for (const { id } of planned) await people.planDeletion(one.actor, id, { reason: 'Asked for it' });
  await db.update(accountDeletions).set({ dueAt: new Date(Date.now() - 1000) });
  const { deleteAccount } = identity.provider;
  let calls = 0;
  identity.provider.deleteAccount = async (...asked) => {
    calls += 1;
    await deleteAccount(...asked);
    // Like a process that is killed here.
    if (calls === 1) throw new Error('killed');
    if (calls === 2) throw new Error('later');
  };
  try {
    await expect(people.deleteDueAccounts()).rejects.toThrow('killed');
  } finally {
    identity.provider.deleteAccount = deleteAccount;
  }
  const known = async () => {
    const states = [];
    for (const { id } of planned) states.push((await people.findUser(one.actor, id)) !== undefined);
    return states;
  };
  expect(await known()).toEqual([true, true, false]);
  expect(await people.deleteDueAccounts()).toBe(2);
  expect(await known()).toEqual([false, false, false]);
  for (const { id, email } of planned) {
    expect((await database.pool.query('select from provider_users where email = $1', [email])).rowCount).toBe(0);
    expect((await actionsAbout(db, id)).filter((action) => action === 'user.delete')).toHaveLength(1);
  }
});

test('a deletion is taken back during the run, or not any more once it has begun', async () => {
  const begun = await registerUser(site, identity);
  const kept = await registerUser(site, identity);
  for (const { id } of [begun, kept]) await people.planDeletion(one.actor, id, { reason: 'Asked for it' });
  await db.update(accountDeletions).set({ dueAt: new Date(Date.now() - 1000) });
  mails.length = 0;
  const { deleteAccount } = identity.provider;
  let late: ReturnType<typeof admin.people.takeDeletionBack> | undefined;
  identity.provider.deleteAccount = async (...asked) => {
    late = people.takeDeletionBack(one.actor, begun.id);
    expect(await people.takeDeletionBack(one.actor, kept.id)).toEqual({ ok: true });
    await deleteAccount(...asked);
  };
  try {
    expect(await people.deleteDueAccounts()).toBe(1);
  } finally {
    identity.provider.deleteAccount = deleteAccount;
  }
  expect(await late).toEqual({ ok: false, reason: 'request/not-found' });
  expect(mails.map(({ to }) => to)).toEqual([kept.email]);
  expect(await people.findUser(one.actor, kept.id)).toBeDefined();
  expect(await site.identity.findSession(kept.token)).toBeDefined();
});

test('a deletion that is planned anew during the run waits its seven days', async () => {
  const first = await registerUser(site, identity);
  const later = await registerUser(site, identity);
  for (const { id } of [first, later]) await people.planDeletion(one.actor, id, { reason: 'Asked for it' });
  await db.update(accountDeletions).set({ dueAt: new Date(Date.now() - 1000) });
  const { deleteAccount } = identity.provider;
  identity.provider.deleteAccount = async (...asked) => {
    identity.provider.deleteAccount = deleteAccount;
    await people.takeDeletionBack(one.actor, later.id);
    await people.planDeletion(one.actor, later.id, { reason: 'Asked for it after all' });
    await deleteAccount(...asked);
  };
  try {
    expect(await people.deleteDueAccounts()).toBe(1);
  } finally {
    identity.provider.deleteAccount = deleteAccount;
  }
  expect(await people.findUser(one.actor, first.id)).toBeUndefined();
  expect(await people.findUser(one.actor, later.id)).toBeDefined();
  expect(await people.takeDeletionBack(one.actor, later.id)).toEqual({ ok: true });
});

test('sessions are ended, and an unknown account is not found', async () => {
  const user = await registerUser(site, identity);
  expect(await people.endSessionsOf(one.actor, user.id)).toEqual({ ok: true, ended: 1 });
  expect(await site.identity.findSession(user.token)).toBeUndefined();
  const nowhere = '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b';
  expect(await people.endSessionsOf(one.actor, nowhere)).toEqual({ ok: false, reason: 'request/not-found' });
  expect(await people.endSessionsOf(one.actor, 'no id')).toEqual({ ok: false, reason: 'request/not-found' });
});

test('Admin reads nothing about what a user listens to, saves or searches', async () => {
  const user = await registerUser(site, identity);
  const viewer = actorOf(user.id, false);
  const audio = await createAudio(db, { title: 'The Unmistakable Title', tagLabels: ['unmistakable-tag'] });
  await site.library.setFavorite(viewer, { contentTypeId: 'audio', id: audio.id, isFavorite: true });
  await site.library.setTagHidden(user.id, 'unmistakable-tag', true);
  await db.execute(sql`
    insert into listening_history (user_id, audio_id) values (${user.id}, ${audio.id})`);
  await db.execute(sql`
    insert into listening_progress (user_id, audio_id, position_ms) values (${user.id}, ${audio.id}, 5000)`);
  const { rows } = await db.execute(sql`
    select (select count(*)::int from audio_favorites where user_id = ${user.id}) as kept,
      (select count(*)::int from listening_history where user_id = ${user.id}) as heard`);
  expect(rows).toEqual([{ kept: 1, heard: 1 }]);
  const seen = JSON.stringify([
    await people.findUser(one.actor, user.id),
    await people.listUsers(one.actor, { query: user.username }, { limit: 5 }),
    await siteAdmin.listLogEntries(one.actor, { subjectId: user.id }, { limit: 100 }),
    await admin.findAnything(one.actor, user.username),
    await siteAdmin.findOverview(one.actor),
  ]);
  expect(seen).toContain(user.email);
  for (const trace of [audio.id, audio.slug, 'Unmistakable', 'unmistakable']) expect(seen).not.toContain(trace);
});

test('users are found by the start of a username or email, and by id; wildcards are letters', async () => {
  const user = await registerUser(site, identity, { username: 'under_score', email: 'per-cent@example.org' });
  const find = async (query: string) =>
    (await people.listUsers(one.actor, { query }, { limit: 5 })).items.map(({ id }) => id);
  for (const query of ['under_', 'UNDER_SCORE', '@under_', 'per-', user.id])
    expect(await find(query)).toEqual([user.id]);
  for (const query of ['score', '%', '_nder', 'underscore']) expect(await find(query)).toEqual([]);
});

test('the list of users is read in pages, and by filter', async () => {
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await people.listUsers(one.actor, {}, { cursor, limit: 3 });
    all.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const expected = await db.select({ id: users.id }).from(users).orderBy(desc(users.createdAt), desc(users.id));
  expect(all).toEqual(expected.map(({ id }) => id));
  const voice = await createVoice(db);
  await setVoiceOwner(db, voice.slug, other.id, true);
  const list = async (filter: 'admins' | 'creators') =>
    (await people.listUsers(one.actor, { filter }, { limit: 100 })).items.map(({ id }) => id);
  expect(await list('admins')).toEqual([other.id, one.id]);
  expect(await list('creators')).toEqual([other.id]);
});

test('what changes all comments of a listener has minutes, not seconds', async () => {
  const { id } = await registerUser(site, identity);
  const audio = await createAudio(db);
  await site.community.writeComment(actorOf(id, false), audio.id, { text: 'Lovely.' });
  await db.execute(sql`
    create function refuse_short_limit() returns trigger language plpgsql as $$
    begin
      if current_setting('statement_timeout') <> '5min' then raise exception 'a limit for 100,000 comments'; end if;
      return null;
    end $$`);
  await db.execute(sql`
    create trigger refuse_short_limit after update or delete on comments for each statement execute function refuse_short_limit()`);
  expect(await people.suspendUser(one.actor, id, { reason: 'Spam', paysBack: false })).toMatchObject({ ok: true });
  expect(await people.liftSuspension(one.actor, id)).toEqual({ ok: true });
  await eraseUser(db, id);
  await db.execute(sql`drop function refuse_short_limit cascade`);
  expect(await site.identity.findMe(id)).toBeUndefined();
});
