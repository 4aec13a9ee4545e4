import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { PromoCodeForm } from '../forms.ts';
import { setAdmin } from '../../identity/operators.ts';
import { users } from '../../identity/tables.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { newId } from '../../kernel/ids.ts';
import type { User } from '../../kernel/viewer.ts';
import type { MailMessage } from '../../gateways.ts';
import { findCustomerId, writeCustomer } from '../../membership/customers.ts';
import {
  giftCards,
  invoices,
  memberships,
  promoCodeWishes,
  subscriptions,
  subscriptionWishes,
} from '../../membership/tables.ts';
import { openFirebaseIdentity } from '#gateways/firebase-identity.ts';
import { openWebPush } from '#gateways/web-push.ts';
import { actionsAbout } from '#test/support/audit.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openTestIdentity, registerUser, testSecret } from '#test/support/identity.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';
import { stripeHarness } from '#test/support/payments/payment-harness.ts';
import { type CardKind, openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';

const database = await createTestDatabase();
const { db, url } = database;
const identity = await openTestIdentity(database);
const plain = openPlainPayments();
const mails: MailMessage[] = [];
const site = await openTestSite(db, identity.provider, plain.provider, mails);
const {
  admin: { people, money, site: siteAdmin },
  membership,
} = site;
const { id: adminId } = await registerUser(site, identity);
await setAdmin(db, adminId, true);
const ada: User = { kind: 'user', id: adminId, isSubscribed: false, isComplete: true, isAdmin: true };

async function subscriber(card: CardKind = 'good', period: 'month' | 'year' = 'month') {
  const user = await registerUser(site, identity);
  await db.insert(memberships).values({ userId: user.id, trialUsedAt: new Date() });
  const order = { period, promoCode: undefined, withoutTrial: true } as const;
  await membership.createSubscription(user.id, { paymentMethodId: plain.newCard(card), ...order });
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, user.id));
  return { ...user, subscriptionId: row?.subscriptionId ?? '' };
}

async function paidCard(months: 1 | 3 = 1) {
  const recipientEmail = `to-${newId()}@example.org`;
  const form = { months, recipientEmail, senderName: undefined, message: undefined, buyerEmail: 'ada@example.org' };
  const { giftCard, clientSecret } = await membership.buyGiftCard(undefined, form);
  plain.finish(clientSecret, { cardId: plain.newCard('good') });
  await membership.refreshGiftCard(giftCard.id, undefined);
  await membership.sendDueMails();
  const mail = mails.findLast(({ to }) => to === recipientEmail);
  return { id: giftCard.id, code: /Your code is (\S+)\./.exec(mail?.text ?? '')?.[1] ?? '' };
}

const promo = (code: string, percentOff = 20): PromoCodeForm => ({
  code,
  percentOff,
  duration: 'once',
  isFirstTimeOnly: false,
});

test('within a database transaction no payment, mail, push or log-in service is called', async () => {
  const { provider, sandbox } = await stripeHarness(url);
  const push = openWebPush({ secret: testSecret, contact: 'mailto:a@example.org' });
  const firebase = openFirebaseIdentity({ projectId: 'p', apiKey: 'k', fetch: async () => Response.json({}) });
  const message = { to: 'a@example.org', subject: 's', text: 't', html: 'h' };
  const calls: [string, () => Promise<unknown>][] = [
    ['Stripe', () => provider.readCustomer('cus_1')],
    ['the plain provider', () => plain.provider.readCustomer('customer')],
    ['the mail box', () => mailInto([]).send(message)],
    ['push', () => push.send({ endpoint: 'x', p256dh: '', auth: '' }, { payload: '', topic: '', ttlSeconds: 1 })],
    ['Firebase', () => firebase.requestPasswordReset('a@example.org')],
  ];
  try {
    for (const [name, call] of calls) {
      const within = db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        await call();
      });
      await expect(within, name).rejects.toThrow('within a database transaction');
      await call();
      // Work that a transaction has started continues after it.
      await expect(
        db.transaction(async () => ({ call })).then((ended) => ended.call()),
        name,
      ).resolves.not.toThrow();
    }
  } finally {
    await sandbox.close();
  }
});

test('every act on money calls the provider outside of transactions', async () => {
  await membership.checkPlans();
  const settings = (await siteAdmin.findSiteSettings(ada)).membership;
  const dearer = { ...settings.value, plans: { ...settings.value.plans, month: 899 } };
  const { revision } = settings;
  expect(await siteAdmin.changeSection(ada, 'membership', { value: dearer, revision })).toEqual({ ok: true });

  // Subscriptions, by their owners.
  const one = await subscriber();
  await membership.previewPeriodChange(one.id, 'year');
  await membership.changePeriod(one.id, 'year');
  await membership.changePeriod(one.id, 'month');
  await membership.changePeriod(one.id, 'year');
  const setup = await membership.startCardChange(one.id);
  plain.finish(setup.clientSecret, { cardId: plain.newCard('good') });
  await membership.finishCardChange(one.id, setup.setupId);
  await membership.cancelSubscription(one.id, undefined);
  await membership.resumeSubscription(one.id);
  await membership.findSubscription(one.id);
  // Promo codes.
  const made = await money.createPromoCode(ada, promo('WALK'));
  const id = made.ok ? made.promoCode.id : '';
  await membership.previewSubscription(one.id, { period: 'month', promoCode: 'WALK', withoutTrial: true });
  expect(await membership.applyPromoCode(one.id, 'WALK')).toMatchObject({ ok: true });
  const { createPromoCode } = plain.provider;
  plain.provider.createPromoCode = async () => undefined;
  expect(await money.replacePromoCode(ada, id, promo('WALKED'))).toMatchObject({ reason: 'promo-code/exists' });
  plain.provider.createPromoCode = createPromoCode;
  expect(await money.endPromoCode(ada, id)).toMatchObject({ ok: true });
  // Gift cards and months.
  expect(await membership.redeemGiftCard(one.id, (await paidCard()).code)).toMatchObject({ ok: true });
  expect(await people.giveMonths(ada, one.id, { months: 1, reason: 'x' })).toMatchObject({ ok: true });
  expect(await people.takeMonthsBack(ada, one.id)).toMatchObject({ ok: true });
  const card = await paidCard();
  await money.resendGiftCard(ada, card.id);
  expect(await money.refundGiftCard(ada, card.id, { evenRedeemed: false, reason: 'x' })).toEqual({ ok: true });
  const forgotten = await membership.buyGiftCard(undefined, {
    months: 1,
    recipientEmail: 'b@example.org',
    senderName: undefined,
    message: undefined,
    buyerEmail: 'a@example.org',
  });
  await db
    .update(giftCards)
    .set({ createdAt: sql`now() - interval '8 days'` })
    .where(eq(giftCards.id, forgotten.giftCard.id));
  // By operators.
  const two = await subscriber();
  const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, two.id));
  const refund = { key: newId(), invoiceId: invoice?.id ?? '', amount: 100, seen: 0, reason: 'x' };
  expect(await money.refundPayment(ada, refund)).toMatchObject({ ok: true });
  const { subscriptionId } = two;
  await money.cancelSubscription(ada, two.id, { when: 'end', subscriptionId, reason: 'x' });
  await money.resumeSubscription(ada, two.id, { subscriptionId });
  await money.cancelSubscription(ada, two.id, { when: 'now', subscriptionId, reason: 'x' });
  await people.suspendUser(ada, one.id, { reason: 'x', paysBack: true });
  // A bank that is waited for in vain, and a charge that fails.
  const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  const atTime = async (userId: string, startsAt: Date) => {
    const made = await plain.provider.testClock?.createCustomer({ userId, email: undefined, startsAt });
    await writeCustomer(db, userId, made ?? '');
    return made ?? '';
  };
  const order = { period: 'month', promoCode: undefined, withoutTrial: false } as const;
  const { id: waiting } = await registerUser(site, identity);
  await atTime(waiting, ago(2));
  await membership.createSubscription(waiting, { paymentMethodId: plain.newCard('needs-bank'), ...order });
  const { id: late } = await registerUser(site, identity);
  const customerId = await atTime(late, ago(40));
  await membership.createSubscription(late, { paymentMethodId: plain.newCard('fails-later'), ...order });
  await plain.provider.testClock?.advance(customerId, ago(30));
  await membership.refreshSubscription(late);
  await membership.payOpenInvoice(late);
  await plain.provider.testClock?.advance(customerId, new Date());
  await membership.refreshSubscription(late);
  await membership.reconcile();
  await membership.doDueWork();
  const leaving = await subscriber();
  const customer = (await findCustomerId(db, leaving.id)) ?? '';
  expect(plain.emailOf(customer)).toBe(leaving.email);
  const email = `new-${leaving.email}`;
  await db.update(users).set({ email }).where(eq(users.id, leaving.id));
  const { changeEmail } = plain.provider;
  plain.provider.changeEmail = async () => Promise.reject(new Error('away'));
  await expect(membership.doDueWork()).rejects.toThrow('away');
  plain.provider.changeEmail = changeEmail;
  await membership.doDueWork();
  expect(plain.emailOf(customer)).toBe(email);
  const calls = plain.calls.filter((name) => name === 'changeEmail').length;
  await membership.doDueWork();
  expect(plain.calls.filter((name) => name === 'changeEmail').length).toBe(calls);
  expect(await site.identity.deleteAccount(leaving.id, { password: leaving.password })).toEqual({ ok: true });
  expect(await findCustomerId(db, leaving.id)).toBeUndefined();

  const uncalled = Object.entries(plain.provider)
    .filter(([name, value]) => typeof value === 'function' && !plain.calls.includes(name))
    .map(([name]) => name);
  expect(uncalled).toEqual(['readEvents']);
});

test.each(['answer', 'request'] as const)('a promo code is made once although the %s is lost', async (how) => {
  const code = `LOST${how.toUpperCase()}`;
  const { createPromoCode } = plain.provider;
  const lose = () => {
    plain.provider.createPromoCode = async (...wanted) => {
      plain.provider.createPromoCode = createPromoCode;
      if (how === 'answer') await createPromoCode(...wanted);
      throw new Error('the connection broke');
    };
  };
  const named = async () => (await plain.provider.listPromoCodes()).filter((one) => one.code === code);
  lose();
  await expect(money.createPromoCode(ada, promo(code))).rejects.toThrow('broke');
  // The operator repeats it.
  const made = await money.createPromoCode(ada, promo(code));
  expect(made).toMatchObject({ ok: true, promoCode: { code, state: 'active' } });
  expect(await named()).toHaveLength(1);
  expect(await money.createPromoCode(ada, promo(code))).toEqual({ ok: false, reason: 'promo-code/exists' });
  expect(await actionsAbout(db, code)).toEqual(['promo-code.create']);

  // Nobody repeats it, and a job completes it.
  const [first] = await named();
  lose();
  await expect(money.replacePromoCode(ada, first?.id ?? '', promo(code, 30))).rejects.toThrow('broke');
  await membership.doDueWork();
  expect(await db.$count(promoCodeWishes, eq(promoCodeWishes.state, 'asked'))).toBe(1);
  await db.update(promoCodeWishes).set({ createdAt: sql`now() - interval '2 minutes'` });
  await membership.doDueWork();
  const offered = (await named()).filter(({ isActive }) => isActive);
  expect(offered.map(({ discount }) => discount.percentOff)).toEqual([30]);
  expect(await named()).toHaveLength(2);
  expect(await db.$count(promoCodeWishes, eq(promoCodeWishes.state, 'asked'))).toBe(0);
  await membership.purgeOld();
  expect(await db.$count(promoCodeWishes)).toBeGreaterThan(0);
  await db.update(promoCodeWishes).set({ createdAt: sql`now() - interval '31 days'` });
  await membership.purgeOld();
  expect(await db.$count(promoCodeWishes)).toBe(0);
});

test('a cancellation whose answer is lost is recorded with the state that it leads to, once', async () => {
  const user = await subscriber();
  const { subscriptionId } = user;
  const end = { when: 'end', subscriptionId, reason: 'Asked by mail' } as const;
  const { cancelAtPeriodEnd } = plain.provider;
  const lose = (isDone: boolean) => {
    plain.provider.cancelAtPeriodEnd = async (...asked) => {
      plain.provider.cancelAtPeriodEnd = cancelAtPeriodEnd;
      if (isDone) await cancelAtPeriodEnd(...asked);
      throw new Error('the connection broke');
    };
  };
  lose(false);
  await expect(money.cancelSubscription(ada, user.id, end)).rejects.toThrow('broke');
  await membership.refreshSubscription(user.id);
  expect(await actionsAbout(db, user.id)).toEqual([]);
  lose(true);
  await expect(money.cancelSubscription(ada, user.id, end)).rejects.toThrow('broke');
  expect(await actionsAbout(db, user.id)).toEqual([]);
  // The provider's event leads to a sync.
  await membership.refreshSubscription(user.id);
  const [entry] = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, user.id));
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, user.id));
  const endsAt = row?.endsAt?.toISOString();
  expect(entry).toMatchObject({
    action: 'subscription.cancel-end',
    actorId: adminId,
    before: { endsAt: null },
    after: { endsAt, reason: 'Asked by mail' },
  });
  expect(await money.cancelSubscription(ada, user.id, end)).toMatchObject({ ok: true });
  expect(await actionsAbout(db, user.id)).toEqual(['subscription.cancel-end']);
  // Without an event, a job asks.
  const { resume } = plain.provider;
  plain.provider.resume = async (id) => {
    await resume(id);
    throw new Error('the connection broke');
  };
  await expect(money.resumeSubscription(ada, user.id, { subscriptionId })).rejects.toThrow('broke');
  plain.provider.resume = resume;
  await db.update(subscriptionWishes).set({ createdAt: sql`now() - interval '2 minutes'` });
  await membership.doDueWork();
  expect(await actionsAbout(db, user.id)).toEqual(['subscription.cancel-end', 'subscription.resume']);
  expect(await db.$count(subscriptionWishes)).toBe(0);
});
