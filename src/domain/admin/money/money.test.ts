import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { setAdmin } from '../../identity/operators.ts';
import { users } from '../../identity/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import type { User } from '../../kernel/viewer.ts';
import type { MailMessage } from '../../gateways.ts';
import type { PromoCodeForm } from '../forms.ts';
import { membershipSetting } from '../../membership/settings.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { invoiceRefunds, invoices, memberships, paymentCustomers, subscriptions } from '../../membership/tables.ts';
import { actionsAbout } from '#test/support/audit.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createVoice } from '#test/support/factories.ts';
import { openTestIdentity, registerUser } from '#test/support/identity.ts';
import { meanwhile } from '#test/support/meanwhile.ts';
import { type CardKind, openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { lockPayouts, setPayoutPool } from './payout-changes.ts';
import { findPayouts } from './payouts.ts';
import { lockableFrom, promoCodeRules, shareOut } from '../rules.ts';
import { addUpSite, readSiteDays } from '../site/site-days.ts';
import { payoutMonths, payoutShares } from '../tables.ts';

const database = await createTestDatabase();
const { db } = database;
const identity = await openTestIdentity(database);
const plain = openPlainPayments();
const mails: MailMessage[] = [];
const jobs: string[] = [];
const site = await openTestSite(db, identity.provider, plain.provider, mails, {
  addJobs: async (name, keys) => void jobs.push(...keys.map((key) => `${name} ${key}`)),
});
const { money } = site.admin;

const actorOf = (id: string, isAdmin = true): User => ({
  kind: 'user',
  id,
  isSubscribed: false,
  isComplete: true,
  ...(isAdmin && { isAdmin }),
});
const { id: adminId } = await registerUser(site, identity);
await setAdmin(db, adminId, true);
const ada = actorOf(adminId);
const { id: otherId } = await registerUser(site, identity);
await setAdmin(db, otherId, true);
const bob = actorOf(otherId);
const nameOf = async (id: string) => {
  const [user] = await db.select({ username: users.username }).from(users).where(eq(users.id, id));
  return user?.username;
};

/** Charged at once, because the trial is used up. */
async function subscriber(period: 'month' | 'year' = 'month', card: CardKind = 'good') {
  const user = await registerUser(site, identity);
  await db.insert(memberships).values({ userId: user.id, trialUsedAt: new Date() });
  const order = { period, promoCode: undefined, withoutTrial: true } as const;
  await site.membership.createSubscription(user.id, { paymentMethodId: plain.newCard(card), ...order });
  const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, user.id));
  if (invoice === undefined) throw new Error('it was not charged');
  return { ...user, invoice };
}

const paymentOf = async (userId: string) => (await money.findSubscriptionDetail(ada, userId))?.payments[0];

const refund = (invoiceId: string, amount: number, seen: number, key = newId()) => ({
  key,
  invoiceId,
  amount,
  seen,
  reason: 'Asked for it',
});

test('only operators see or move money', async () => {
  const user = await subscriber();
  const nobody = actorOf(user.id, false);
  const notFound = { code: 'request/not-found' };
  const page = { limit: 5 };
  const form: PromoCodeForm = { code: 'NOBODY', percentOff: 5, duration: 'once', isFirstTimeOnly: false };
  for (const act of [
    () => money.listPromoCodes(nobody),
    () => money.createPromoCode(nobody, form),
    () => money.replacePromoCode(nobody, 'x', form),
    () => money.endPromoCode(nobody, 'x'),
    () => money.listGiftCards(nobody, {}, page),
    () => money.findGiftCard(nobody, newId()),
    () => money.resendGiftCard(nobody, newId()),
    () => money.refundGiftCard(nobody, newId(), { evenRedeemed: false, reason: 'x' }),
    () => money.listSubscriptions(nobody, {}, page),
    () => money.findSubscriptionDetail(nobody, user.id),
    () => money.refundPayment(nobody, refund(user.invoice.id, 100, 0)),
    () => money.cancelSubscription(nobody, user.id, { when: 'now', subscriptionId: 'x', reason: 'x' }),
    () => money.resumeSubscription(nobody, user.id, { subscriptionId: 'x' }),
    () => money.listPaymentEvents(nobody, {}, page),
    () => money.findPaymentEvent(nobody, 'x'),
    () => money.replayPaymentEvent(nobody, 'x'),
    () => money.listReconciliations(nobody, page),
    () => money.requestReconciliation(nobody),
    () => money.listPayoutMonths(nobody),
    () => money.findPayouts(nobody, '2026-01'),
    () => money.setPayoutPool(nobody, '2026-01', { pool: 1, revision: 0 }),
    () => money.lockPayouts(nobody, '2026-01', { checksum: '' }),
    () => money.setCountsTrials(nobody, { countsTrials: false, revision: 0 }),
    () => money.exportPayouts(nobody, '2026-01'),
  ])
    await expect(act()).rejects.toMatchObject(notFound);
  expect(await paymentOf(user.id)).toMatchObject({ refunded: 0, refunds: [] });
});

describe('refunds of a payment', () => {
  test('parts add up to the whole and not a cent more, and the log has each', async () => {
    const { id, invoice } = await subscriber();
    expect(await money.refundPayment(ada, refund(invoice.id, 300, 0))).toEqual({ ok: true, refunded: 300 });
    expect(await money.refundPayment(ada, refund(invoice.id, 500, 300))).toEqual({
      ok: false,
      reason: 'refund/too-much',
    });
    expect(await money.refundPayment(ada, refund(invoice.id, 499, 300))).toEqual({ ok: true, refunded: 799 });
    expect(await money.refundPayment(ada, refund(invoice.id, 1, 799))).toEqual({
      ok: false,
      reason: 'refund/too-much',
    });
    expect(await paymentOf(id)).toMatchObject({
      refunded: 799,
      waiting: 0,
      refunds: [{ amount: 300 }, { amount: 499 }],
    });
    expect(await actionsAbout(db, invoice.id)).toEqual(['payment.refund', 'payment.refund']);
    expect(await money.refundPayment(ada, refund(newId(), 1, 0))).toMatchObject({ reason: 'request/not-found' });
  });

  test('the same key sent twice, at once too, refunds once', async () => {
    const { id, invoice } = await subscriber();
    const order = refund(invoice.id, 200, 0);
    const all = await Promise.all([money.refundPayment(ada, order), money.refundPayment(ada, order)]);
    expect(all).toEqual([
      { ok: true, refunded: 200 },
      { ok: true, refunded: 200 },
    ]);
    expect(await paymentOf(id)).toMatchObject({ refunded: 200, refunds: [{ amount: 200 }] });
    expect(await money.refundPayment(ada, { ...order, amount: 100 })).toMatchObject({ reason: 'refund/changed' });
  });

  test('two operators refund at once: one gets a conflict', async () => {
    const { id, invoice } = await subscriber();
    const all = await Promise.all([
      money.refundPayment(ada, refund(invoice.id, 100, 0)),
      money.refundPayment(bob, refund(invoice.id, 100, 0)),
    ]);
    expect(all.map((one) => (one.ok ? 'refunded' : one.reason)).toSorted()).toEqual(['refund/changed', 'refunded']);
    const refunder = await nameOf(all[0].ok ? adminId : otherId);
    expect(all.find(({ ok }) => !ok)).toMatchObject({ change: { by: refunder, at: expect.any(Date) } });
    expect(await paymentOf(id)).toMatchObject({ refunded: 100 });
  });

  test('each refund is mailed once, whether it was made here or at the provider', async () => {
    const { id, email, invoice } = await subscriber();
    const order = refund(invoice.id, 300, 0);
    await money.refundPayment(ada, order);
    await plain.provider.refundInvoice({ invoiceId: invoice.invoiceId, amount: 499, key: `by hand ${invoice.id}` });
    for (let time = 0; time < 2; time += 1) {
      await site.membership.refreshSubscription(id);
      await site.membership.sendDueMails();
    }
    const sent = mails.filter(({ to, subject }) => to === email && subject.startsWith('Your refund'));
    expect(sent.map(({ text }) => /We have refunded .*/.exec(text)?.[0]).toSorted()).toEqual([
      expect.stringMatching(/^We have refunded \$3\.00: part of the \$7\.99 that you paid on /),
      expect.stringMatching(/^We have refunded \$4\.99: part of the \$7\.99 that you paid on /),
    ]);
    expect(sent[0]?.text).toContain('usually within 5 to 10 business days');
    const other = await subscriber();
    // The key of one payment's refund is none for another's.
    const mistaken = { ...order, invoiceId: other.invoice.id };
    expect(await money.refundPayment(ada, mistaken)).toMatchObject({ reason: 'refund/changed' });
    expect(await paymentOf(other.id)).toMatchObject({ refunds: [] });
    await money.refundPayment(ada, refund(other.invoice.id, 799, 0));
    await site.membership.sendDueMails();
    const [whole] = mails.filter(({ to, subject }) => to === other.email && subject.startsWith('Your refund'));
    expect(whole?.text).toMatch(/We have refunded \$7\.99: your payment of .* for your subscription\./);
  });

  test('a refund that the provider refused hides none that was made there', async () => {
    const { id, email, invoice } = await subscriber();
    await plain.provider.refundInvoice({ invoiceId: invoice.invoiceId, amount: 499, key: `by hand ${invoice.id}` });
    expect(await money.refundPayment(ada, refund(invoice.id, 799, 0))).toMatchObject({ reason: 'refund/not-possible' });
    await site.membership.refreshSubscription(id);
    await site.membership.sendDueMails();
    const sent = mails.filter(({ to, subject }) => to === email && subject.startsWith('Your refund'));
    expect(sent.map(({ text }) => /We have refunded [^:]*/.exec(text)?.[0])).toEqual(['We have refunded $4.99']);
  });

  test('a disputed payment says so and cannot be refunded', async () => {
    const { id, invoice } = await subscriber('month', 'disputed');
    expect(await paymentOf(id)).toMatchObject({ isDisputed: true, status: 'paid' });
    expect(await money.refundPayment(ada, refund(invoice.id, 100, 0))).toEqual({
      ok: false,
      reason: 'refund/not-possible',
    });
    // Nor one that was not paid, or that credit paid.
    for (const unpaid of [{ status: 'open' }, { amountPaid: 0 }] as const) {
      const row = { isDisputed: false, status: 'paid', amountPaid: 799, ...unpaid } as const;
      await db.update(invoices).set(row).where(eq(invoices.id, invoice.id));
      expect(await money.refundPayment(ada, refund(invoice.id, 100, 0))).toMatchObject({
        reason: 'refund/not-possible',
      });
    }
    expect(await paymentOf(id)).toMatchObject({ refunds: [] });
    // It began and ended in one moment, and is not among those of the overview below.
    await db.delete(subscriptions).where(eq(subscriptions.userId, id));
    await db.delete(paymentCustomers).where(eq(paymentCustomers.userId, id));
  });

  test('a lost answer leaves the refund waiting, and it is ended once', async () => {
    const { id, invoice } = await subscriber();
    const order = refund(invoice.id, 250, 0);
    const { refundInvoice } = plain.provider;
    plain.provider.refundInvoice = async (one) => {
      await refundInvoice(one);
      throw new Error('the answer was lost');
    };
    await expect(money.refundPayment(ada, order)).rejects.toThrow('lost');
    plain.provider.refundInvoice = refundInvoice;
    expect(await paymentOf(id)).toMatchObject({ refunded: 0, waiting: 250 });
    // Until then it counts towards later refunds and what the provider reports.
    expect(await money.refundPayment(bob, refund(invoice.id, 700, 250))).toMatchObject({ reason: 'refund/too-much' });
    await site.membership.refreshSubscription(id);
    expect(await paymentOf(id)).toMatchObject({ refunded: 250, refunds: [{ amount: 250, state: 'asked' }] });
    await db
      .update(invoiceRefunds)
      .set({ createdAt: sql`now() - interval '5 minutes'` })
      .where(eq(invoiceRefunds.id, order.key));
    await site.membership.doDueWork();
    expect(await paymentOf(id)).toMatchObject({ refunded: 250, waiting: 0, refunds: [{ state: 'done' }] });
    expect(await money.refundPayment(ada, order)).toEqual({ ok: true, refunded: 250 });
  });

  test('a refusal of the provider decides, and is recorded', async () => {
    const { id, invoice } = await subscriber();
    const { refundInvoice } = plain.provider;
    plain.provider.refundInvoice = async () => ({ ok: false });
    const order = refund(invoice.id, 100, 0);
    expect(await money.refundPayment(ada, order)).toMatchObject({ reason: 'refund/not-possible' });
    plain.provider.refundInvoice = refundInvoice;
    expect(await money.refundPayment(ada, order)).toMatchObject({ reason: 'refund/not-possible' });
    expect(await paymentOf(id)).toMatchObject({ refunded: 0, waiting: 0, refunds: [{ state: 'refused' }] });
    expect(await actionsAbout(db, invoice.id)).toEqual(['payment.refund', 'payment.refuse-refund']);
    expect(await money.refundPayment(ada, refund(invoice.id, 799, 0))).toEqual({ ok: true, refunded: 799 });
  });

  test('a refund made at the provider is seen with the next sync', async () => {
    const { id, invoice } = await subscriber();
    await plain.provider.refundInvoice({ invoiceId: invoice.invoiceId, amount: 400, key: 'by hand' });
    await site.membership.refreshSubscription(id);
    await site.membership.refreshSubscription(id);
    expect(await paymentOf(id)).toMatchObject({ refunded: 400, refunds: [{ amount: 400, reason: null }] });
    expect((await money.findSubscriptionDetail(ada, id))?.moments).toMatchObject([
      { kind: 'refunded' },
      { kind: 'paid' },
    ]);
  });
});

test('subscriptions are found, cancelled at the end and now; another one than seen is a conflict', async () => {
  const user = await subscriber('year');
  const find = async (q: string) =>
    (await money.listSubscriptions(ada, { q }, { limit: 5 })).items.map((one) => one.userId);
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, user.id));
  const subscriptionId = row?.subscriptionId ?? '';
  for (const q of [user.email, user.id, subscriptionId, user.invoice.invoiceId])
    expect(await find(q)).toEqual([user.id]);
  expect(await find('%')).toEqual([]);
  const why = { reason: 'Asked by mail' };
  expect(await money.cancelSubscription(ada, user.id, { when: 'now', subscriptionId: 'sub_other', ...why })).toEqual({
    ok: false,
    reason: 'subscription/changed',
  });
  expect(await money.cancelSubscription(ada, user.id, { when: 'end', subscriptionId, ...why })).toEqual({
    ok: true,
    endsAt: row?.periodEndsAt,
  });
  expect(await money.resumeSubscription(bob, user.id, { subscriptionId })).toEqual({ ok: true, endsAt: null });
  expect(await money.cancelSubscription(ada, user.id, { when: 'now', subscriptionId, ...why })).toMatchObject({
    ok: true,
  });
  expect(await money.cancelSubscription(bob, user.id, { when: 'now', subscriptionId, ...why })).toMatchObject({
    reason: 'subscription/changed',
  });
  expect((await money.findSubscriptionDetail(ada, user.id))?.subscription.state).toBe('ended');
  expect(await actionsAbout(db, user.id)).toEqual([
    'subscription.cancel-end',
    'subscription.resume',
    'subscription.cancel-now',
  ]);
  const pages = await money.listSubscriptions(ada, { state: 'active' }, { limit: 2 });
  const next = await money.listSubscriptions(ada, { state: 'active' }, { limit: 2, cursor: pages.nextCursor });
  expect(new Set([...pages.items, ...next.items].map(({ userId }) => userId)).size).toBe(4);
});

test('a promo code takes off the price of a year at most, and not a cent more', async () => {
  const form: PromoCodeForm = { code: 'DEAR', amountOff: 5988, duration: 'once', isFirstTimeOnly: false };
  const created = await money.createPromoCode(ada, form);
  if (!created.ok) throw new Error(created.reason);
  const dearer = { ...form, amountOff: 5989 };
  for (const act of [
    () => money.createPromoCode(ada, { ...dearer, code: 'DEARER' }),
    () => money.replacePromoCode(ada, created.promoCode.id, dearer),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'promo-code/above-price' });
  expect((await money.listPromoCodes(ada, { q: 'dear' })).items).toMatchObject([
    { discount: { amountOff: 5988 }, isActive: true },
  ]);
});

test('a promo code has an amount for each currency, and none above what the currency’s year costs', async () => {
  const { value, revision } = await findSetting(db, membershipSetting);
  const jpy = {
    countries: ['JP'],
    plans: { month: 1180, year: 9800 },
    giftCards: { 1: 1180, 3: 3300, 6: 6000, 12: 9800 },
  };
  await changeSetting(db, membershipSetting, { actor: operator, value: { ...value, currencies: { jpy } }, revision });
  const form: PromoCodeForm = { code: 'BOTH', amountOff: 200, duration: 'once', isFirstTimeOnly: false };
  const withJpy = (amount: number): PromoCodeForm => ({ ...form, currency: 'usd', amounts: { jpy: amount } });
  const created = await money.createPromoCode(ada, withJpy(9800));
  if (!created.ok) throw new Error(created.reason);
  expect(created.promoCode).toMatchObject({ currency: 'usd', amounts: { jpy: 9800 }, discount: { amountOff: 200 } });
  expect(promoCodeRules(created.promoCode)).toMatchObject(withJpy(9800));
  const { id } = created.promoCode;
  await expect(money.replacePromoCode(ada, id, withJpy(9801))).rejects.toMatchObject({
    code: 'promo-code/above-price',
  });
  await expect(money.replacePromoCode(ada, id, { ...form, amounts: { eur: 100 } })).rejects.toMatchObject({
    code: 'subscription/currency-not-offered',
  });
  const user = await registerUser(site, identity);
  const ask = (currency: string) =>
    site.membership.previewSubscription(user.id, { period: 'month', currency, promoCode: 'BOTH', withoutTrial: true });
  expect(await ask('jpy')).toMatchObject({ preview: { discount: { amountOff: 9800 }, amount: 1180, dueToday: 0 } });
  await money.replacePromoCode(ada, id, form);
  expect(await ask('jpy')).toEqual({ ok: false, reason: 'promo-code/other-currency' });
  // No longer offered, and its amount of the code goes with the next change.
  await changeSetting(db, membershipSetting, { actor: operator, value, revision: revision + 1 });
});

test('promo codes are created, replaced, ended and searched; of two operators one gets a conflict', async () => {
  const form: PromoCodeForm = { code: 'SPRING', percentOff: 20, duration: 'months', months: 3, isFirstTimeOnly: true };
  const created = await money.createPromoCode(ada, form);
  if (!created.ok) throw new Error(created.reason);
  expect(await money.createPromoCode(bob, { ...form, code: 'spring' })).toEqual({
    ok: false,
    reason: 'promo-code/exists',
  });
  const { id } = created.promoCode;
  const outcomes = await Promise.allSettled([
    money.replacePromoCode(ada, id, { code: 'SPRING', amountOff: 250, duration: 'once', isFirstTimeOnly: false }),
    money.endPromoCode(bob, id),
  ]);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'promo-code/changed', change: { at: expect.any(Date) } },
  });
  const other = await money.createPromoCode(ada, { ...form, code: 'SUMMER' });
  if (!other.ok) throw new Error(other.reason);
  // A name that is taken leaves the code unchanged.
  await money.createPromoCode(ada, { ...form, code: 'TAKEN' });
  expect(await money.replacePromoCode(ada, other.promoCode.id, { ...form, code: 'TAKEN' })).toEqual({
    ok: false,
    reason: 'promo-code/exists',
  });
  const found = await money.listPromoCodes(ada, { q: 'summer', state: 'active' });
  expect(found.items).toMatchObject([{ id: other.promoCode.id, isActive: true, subscriptions: 0, months: 3 }]);
  const user = await registerUser(site, identity);
  await site.membership.createSubscription(user.id, {
    paymentMethodId: plain.newCard('good'),
    period: 'month',
    promoCode: 'SUMMER',
    withoutTrial: false,
  });
  const [used] = (await money.listPromoCodes(ada, { q: 'SUMMER' })).items;
  expect(used).toMatchObject({ redemptions: 1, subscriptions: 1 });
  const summer = await actionsAbout(db, 'SUMMER');
  expect(summer).toEqual(['promo-code.create']);
  expect((await actionsAbout(db, 'SPRING')).length).toBe(2);
});

describe('gift cards', () => {
  async function paidCard() {
    const buyer = await registerUser(site, identity);
    const recipientEmail = `to-${newId()}@example.org`;
    const form = {
      months: 3,
      recipientEmail,
      senderName: undefined,
      message: undefined,
      deliverAt: undefined,
    } as const;
    const { giftCard, clientSecret } = await site.membership.buyGiftCard(
      { id: buyer.id, email: buyer.email },
      form as never,
    );
    plain.finish(clientSecret, { cardId: plain.newCard('good') });
    await site.membership.refreshGiftCard(giftCard.id, buyer.id);
    await site.membership.sendDueMails();
    const code = /[A-Z0-9]{4}(-[A-Z0-9]{4}){3}/.exec(
      mails.findLast(({ to }) => to === recipientEmail)?.text ?? '',
    )?.[0];
    return { id: giftCard.id, buyer, recipientEmail, code: code ?? '' };
  }
  const find = async (q: string) => (await money.listGiftCards(ada, { q }, { limit: 5 })).items.map(({ id }) => id);

  test('an operator’s own costs nothing: it is mailed, redeemed once, counts as no income, and can be ended', async () => {
    const make = async (recipientEmail: string) => {
      mails.length = 0;
      const { id } = await money.createGiftCard(ada, {
        months: 3,
        recipientEmail,
        senderName: undefined,
        message: 'Yours',
      });
      await site.membership.sendDueMails();
      const text = mails.find(({ to }) => to === recipientEmail)?.text ?? '';
      expect(text).toContain('Yours');
      return { id, code: /Your code is (\S+)\./.exec(text)?.[1] ?? '' };
    };
    const [redeemed, ended] = [await make('one@example.org'), await make('two@example.org')];
    const reader = await registerUser(site, identity);
    expect(await site.membership.redeemGiftCard(reader.id, redeemed.code)).toMatchObject({ ok: true, months: 3 });
    const reason = 'The wrong address';
    expect(await money.refundGiftCard(ada, ended.id, { evenRedeemed: false, reason })).toEqual({ ok: true });
    expect(await site.membership.redeemGiftCard(reader.id, ended.code)).toMatchObject({ reason: 'gift-card/refunded' });
    expect(await money.findGiftCard(ada, ended.id)).toMatchObject({ state: 'refunded', amount: 0 });
    expect(await actionsAbout(db, ended.id)).toEqual(['gift-card.create', 'gift-card.refund']);
    await addUpSite(db);
    const before = (await readSiteDays(db)).at(-1);
    await make('three@example.org');
    await addUpSite(db);
    expect((await readSiteDays(db)).at(-1)).toMatchObject({ giftCards: before?.giftCards, refunds: before?.refunds });
  });

  test('are found by the code’s end, the buyer, the recipient and an id; a new mail ends the old code', async () => {
    const { id, buyer, recipientEmail, code } = await paidCard();
    expect(code).not.toBe('');
    for (const q of [code, code.slice(-4).toLowerCase(), recipientEmail, buyer.email, id])
      expect(await find(q)).toEqual([id]);
    expect(await find(code.slice(0, 4))).toEqual([]);
    expect(await money.resendGiftCard(ada, id)).toEqual({ ok: true });
    expect(await money.findGiftCard(ada, id)).toMatchObject({ isBeingSent: true, state: 'sent' });
    await site.membership.sendDueMails();
    const reader = await registerUser(site, identity);
    expect(await site.membership.redeemGiftCard(reader.id, code)).toMatchObject({ reason: 'gift-card/unknown' });
    expect(await actionsAbout(db, id)).toEqual(['gift-card.resend']);
    expect(await money.resendGiftCard(ada, newId())).toMatchObject({ reason: 'request/not-found' });
  });

  test('are refunded once, also by two operators at once, and work no more', async () => {
    const { id, code } = await paidCard();
    const why = { evenRedeemed: false, reason: 'Asked for it' };
    const all = await Promise.all([money.refundGiftCard(ada, id, why), money.refundGiftCard(bob, id, why)]);
    expect(all.map((one) => (one.ok ? 'refunded' : one.reason)).toSorted()).toEqual(['gift-card/refunded', 'refunded']);
    const reader = await registerUser(site, identity);
    expect(await site.membership.redeemGiftCard(reader.id, code)).toMatchObject({ reason: 'gift-card/refunded' });
    expect(plain.calls.filter((name) => name === 'refundPayment')).toHaveLength(1);
    expect(await actionsAbout(db, id)).toEqual(['gift-card.refund']);
  });

  test('a redeemed one is refunded only on request, and its months stay', async () => {
    const { id, code } = await paidCard();
    const reader = await registerUser(site, identity);
    expect(await site.membership.redeemGiftCard(reader.id, code)).toMatchObject({ ok: true });
    const reason = 'Bought by a stolen card';
    expect(await money.refundGiftCard(ada, id, { evenRedeemed: false, reason })).toMatchObject({
      reason: 'gift-card/already-redeemed',
    });
    expect(await money.refundGiftCard(ada, id, { evenRedeemed: true, reason })).toEqual({ ok: true });
    expect(await money.refundGiftCard(bob, id, { evenRedeemed: true, reason })).toMatchObject({
      reason: 'gift-card/refunded',
    });
    expect(await money.findGiftCard(ada, id)).toMatchObject({ state: 'redeemed', paidBackAt: expect.any(Date) });
    expect((await site.membership.findSubscriptionState(reader.id)).isSubscribed).toBe(true);
  });

  test('an unreachable provider leaves the card unchanged, and the log says so', async () => {
    const { id, code } = await paidCard();
    plain.failWith = new Error('away');
    await expect(money.refundGiftCard(ada, id, { evenRedeemed: false, reason: 'x' })).rejects.toThrow('away');
    plain.failWith = undefined;
    expect(await money.findGiftCard(ada, id)).toMatchObject({ state: 'sent', refundedAt: null });
    expect(await actionsAbout(db, id)).toEqual(['gift-card.refund', 'gift-card.refund-failed']);
    const reader = await registerUser(site, identity);
    expect(await site.membership.redeemGiftCard(reader.id, code)).toMatchObject({ ok: true });
  });
});

test('events are listed by state and type, and replayed without changing anything twice', async () => {
  const { id, invoice } = await subscriber();
  const customerId = (await money.findSubscriptionDetail(ada, id))?.customerId ?? '';
  const event = { type: 'invoice.paid', createdAt: new Date(), customerId, paymentId: undefined };
  const ids = [`evt_${newId().replaceAll('-', '')}`, `evt_${newId().replaceAll('-', '')}`];
  for (const eventId of ids) await site.membership.storeEvent({ id: eventId, ...event });
  const [first = ''] = ids;
  const list = async (q: string, state?: 'received' | 'done') =>
    (await money.listPaymentEvents(ada, { q, state }, { limit: 10 })).items.map((one) => one.id);
  expect((await list('invoice.', 'received')).toSorted()).toEqual(ids.toSorted());
  expect(await list(first)).toEqual([first]);
  expect(await list('no.such')).toEqual([]);
  const one = await money.listPaymentEvents(ada, {}, { limit: 1 });
  const two = await money.listPaymentEvents(ada, {}, { limit: 1, cursor: one.nextCursor });
  expect(new Set([...one.items, ...two.items].map((item) => item.id))).toEqual(new Set(ids));
  await expect(money.listPaymentEvents(ada, {}, { limit: 1, cursor: 'x' })).rejects.toMatchObject({
    code: 'request/bad-cursor',
  });
  expect(await money.replayPaymentEvent(ada, first)).toMatchObject({ ok: true, event: { status: 'done', userId: id } });
  expect(await money.replayPaymentEvent(ada, first)).toMatchObject({ ok: true, event: { status: 'done' } });
  expect(await paymentOf(id)).toMatchObject({ id: invoice.id, refunded: 0 });
  expect(await money.replayPaymentEvent(ada, 'evt_unknown')).toEqual({ ok: false, reason: 'request/not-found' });
});

test('the reconciliation agrees with the provider to the cent, and reports what it corrected', async () => {
  const { id, invoice } = await subscriber();
  await subscriber('year');
  await db.update(invoices).set({ amountPaid: 1 }).where(eq(invoices.id, invoice.id));
  const customerId = (await money.findSubscriptionDetail(ada, id))?.customerId ?? '';
  await site.membership.reconcile();
  const [run] = (await money.listReconciliations(ada, { limit: 1 })).items;
  expect(run?.endedAt).toBeInstanceOf(Date);
  expect(run?.atProvider).toBe(run?.hereAfter);
  expect(run?.hereBefore).toBe((run?.hereAfter ?? 0) - 798);
  expect(run?.corrections).toEqual([{ customerId, before: 1, after: 799 }]);
  expect(run?.failures).toEqual([]);
  expect(await money.requestReconciliation(ada)).toBe(true);
  expect(jobs).toEqual(['reconcile-now now']);
});

describe('payouts', () => {
  /** Milliseconds heard of a new voice in a month. */
  async function heard(
    month: string,
    milliseconds: number,
    { trial = 0, free = 0, day = '05' }: { trial?: number; free?: number; day?: string } = {},
  ) {
    const audio = await createAudio(db, { voiceId: (await createVoice(db, { name: `=Voice ${newId()}` })).id });
    await db.execute(sql`
      insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports, trial_ms, free_ms)
      values (${`${month}-${day}T00:00:00Z`}, ${audio.id}, ${audio.voiceId}, ${milliseconds}, 1, ${trial}, ${free})`);
    return audio.voiceId;
  }

  test('cents are shared out without losing one, whatever the shares', () => {
    let seed = 7;
    const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max;
    for (let round = 0; round < 500; round += 1) {
      const weights = Array.from({ length: 1 + random(40) }, () => random(3) * random(4_000_000_000));
      const pool = random(2_000_000_000);
      const shares = shareOut(pool, weights);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      expect(shares.reduce((sum, cents) => sum + cents, 0)).toBe(total === 0 ? 0 : pool);
      for (const [index, weight] of weights.entries()) {
        const exact = total === 0 ? 0 : (pool * weight) / total;
        expect(Math.abs((shares[index] ?? 0) - exact)).toBeLessThan(1.000_01);
      }
    }
    expect(shareOut(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(shareOut(1, [1, 2])).toEqual([0, 1]);
  });

  test('each day counts for its own month, also the first and the last one', async () => {
    await heard('2022-12', 1, { day: '31' });
    await heard('2023-01', 10, { day: '01' });
    await heard('2023-01', 100, { day: '31' });
    await heard('2023-02', 1000, { day: '01' });
    await heard('2023-02', 10_000, { day: '28' });
    await heard('2023-03', 100_000, { day: '01' });
    for (const [month, milliseconds, before] of [
      ['2022-12', 1, 0],
      ['2023-01', 110, 1],
      ['2023-02', 11_000, 110],
      ['2023-03', 100_000, 11_000],
    ] as const)
      expect(await money.findPayouts(ada, month)).toMatchObject({ month, milliseconds, before });
    const months = (await money.listPayoutMonths(ada)).map(({ month }) => month);
    expect(months.filter((month) => month < '2023-04')).toEqual(['2023-03', '2023-02', '2023-01', '2022-12']);
  });

  test('listening without a subscription never counts, and in trials as the setting says', async () => {
    const month = '2024-02';
    const voice = await heard(month, 10_000, { trial: 3000, free: 2000 });
    expect(await money.findPayouts(ada, month)).toMatchObject({
      shares: [{ voice: { id: voice }, milliseconds: 8000 }],
      notCounted: { free: 2000, trial: 0 },
      countsTrials: true,
    });
    const { settingRevision = 0 } = (await money.findPayouts(ada, month)) ?? {};
    await money.setCountsTrials(ada, { countsTrials: false, revision: settingRevision });
    await expect(money.setCountsTrials(bob, { countsTrials: true, revision: settingRevision })).rejects.toMatchObject({
      code: 'payout/changed',
    });
    expect(await money.findPayouts(ada, month)).toMatchObject({
      shares: [{ milliseconds: 5000 }],
      notCounted: { free: 2000, trial: 3000 },
    });
    await money.setCountsTrials(ada, { countsTrials: true, revision: settingRevision + 1 });
  });

  test('a pool is entered for the month that runs, and for none to come', async () => {
    const now = new Date('2023-08-01T00:00:00Z');
    const pool = { pool: 10_000, revision: 0 };
    expect(await setPayoutPool(db, operator, '2023-09', pool, now)).toMatchObject({ reason: 'request/not-found' });
    expect(await setPayoutPool(db, operator, '2023-08', pool, now)).toEqual({ ok: true });
  });

  test('a month is locked from the third day of the next one, and then never changes', async () => {
    const month = '2024-05';
    const [max, less] = [await heard(month, 2000), await heard(month, 1000)];
    expect(await money.lockPayouts(ada, month, { checksum: 'x' })).toMatchObject({ reason: 'payout/no-pool' });
    expect(await money.setPayoutPool(ada, month, { pool: 10_000, revision: 0 })).toEqual({ ok: true });
    await expect(money.setPayoutPool(bob, month, { pool: 20_000, revision: 0 })).rejects.toMatchObject({
      code: 'payout/changed',
      change: { at: expect.any(Date) },
    });
    const seen = await money.findPayouts(ada, month);
    expect(seen?.shares.map(({ voice, amount }) => [voice.id, amount])).toEqual([
      [max, 6667],
      [less, 3333],
    ]);
    const checksum = seen?.checksum ?? '';
    const tooEarly = new Date(lockableFrom(month).getTime() - 1);
    expect(lockableFrom(month).toISOString()).toBe('2024-06-03T00:00:00.000Z');
    expect(await lockPayouts(db, ada, month, { checksum }, tooEarly)).toMatchObject({ reason: 'payout/too-early' });
    // The ledger changed since it was seen.
    const late = await heard(month, 500);
    expect(await money.lockPayouts(ada, month, { checksum })).toMatchObject({ reason: 'payout/changed' });
    await db.execute(sql`delete from listened_seconds where voice_id = ${late}`);
    const both = await Promise.all([
      money.lockPayouts(ada, month, { checksum }),
      money.lockPayouts(bob, month, { checksum }),
    ]);
    expect(both.map((one) => (one.ok ? 'locked' : one.reason)).toSorted()).toEqual(['locked', 'payout/locked']);
    const locker = await nameOf(both[0].ok ? adminId : otherId);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ change: { by: locker, at: expect.any(Date) } });
    const locked = await money.findPayouts(ada, month);
    expect(locked).toMatchObject({
      checksum,
      pool: 10_000,
      notCounted: null,
      locked: { by: { id: expect.any(String) } },
    });

    // Neither the ledger, nor the setting, nor direct SQL changes it.
    await heard(month, 900_000);
    await db.execute(sql`delete from listened_seconds where voice_id = ${max}`);
    expect(await money.setPayoutPool(ada, month, { pool: 1, revision: 2 })).toMatchObject({ reason: 'payout/locked' });
    await expect(setPayoutPool(db, operator, month, { pool: 1, revision: 1 })).resolves.toMatchObject({ ok: false });
    const isMonth = eq(payoutMonths.month, `${month}-01`);
    const ofMonth = eq(payoutShares.month, `${month}-01`);
    for (const change of [
      () => db.update(payoutMonths).set({ pool: 1 }).where(isMonth),
      () => db.update(payoutMonths).set({ lockedAt: null }).where(isMonth),
      () => db.delete(payoutMonths).where(isMonth),
      () => db.update(payoutShares).set({ amount: 1 }).where(ofMonth),
      () => db.delete(payoutShares).where(ofMonth),
      () =>
        db.insert(payoutShares).values({
          month: `${month}-01`,
          voiceId: newId(),
          voiceName: 'x',
          voiceSlug: 'x',
          audios: 1,
          milliseconds: 1,
          amount: 1,
        }),
    ])
      await expect(change()).rejects.toThrow();
    expect(await money.findPayouts(ada, month)).toEqual(locked);
    const revision = locked?.settingRevision ?? 0;
    await money.setCountsTrials(ada, { countsTrials: false, revision });
    expect(await money.findPayouts(ada, month)).toEqual({ ...locked, settingRevision: revision + 1 });
    await money.setCountsTrials(ada, { countsTrials: true, revision: revision + 1 });
    expect(await actionsAbout(db, month)).toEqual(['payout.enter-pool', 'payout.lock']);
  });

  test('of two operators who enter the first pool of a month at once, one gets a conflict', async () => {
    const month = '2024-06';
    const outcomes = await meanwhile(
      db,
      (tx) => setPayoutPool(tx, ada, month, { pool: 10_000, revision: 0 }),
      () => setPayoutPool(db, bob, month, { pool: 20_000, revision: 0 }).catch((error: unknown) => error),
    );
    expect(outcomes).toMatchObject([{ ok: true }, { code: 'payout/changed' }]);
    expect(await money.findPayouts(ada, month)).toMatchObject({ pool: 10_000, revision: 1 });
    // It stays in its currency, whatever the site charges later.
    await db
      .update(payoutMonths)
      .set({ currency: 'eur' })
      .where(eq(payoutMonths.month, `${month}-01`));
    expect(await money.findPayouts(ada, month)).toMatchObject({ currency: 'eur' });
  });

  test('the CSV adds up, and no cell of it is a formula', async () => {
    const month = '2024-07';
    await heard(month, 3000);
    await heard(month, 3000);
    await heard(month, 3000);
    await money.setPayoutPool(ada, month, { pool: 1000, revision: 0 });
    const lines = ((await money.exportPayouts(ada, month)) ?? '').trim().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines.slice(1, 4).every((line) => line.startsWith("2024-07,'=Voice"))).toBe(true);
    const amounts = lines.slice(1).map((line) => Number(line.split(',')[7]));
    expect(amounts).toEqual([3.34, 3.33, 3.33, 10]);
    expect(await money.exportPayouts(ada, '2999-01')).toBeUndefined();
    expect(await findPayouts(db, ada, 'nonsense')).toBeUndefined();
    expect((await money.listPayoutMonths(ada)).map((one) => one.month)).toEqual(
      expect.arrayContaining(['2024-07', '2024-05', '2024-02', new Date().toISOString().slice(0, 7)]),
    );
  });
});

test('the overview’s figures are added up per day, and agree with what was paid', async () => {
  await addUpSite(db);
  const days = await readSiteDays(db);
  expect(days).toHaveLength(181);
  const [counted] = (
    await db.execute<{ active: number; revenue: number; income: number; gifts: number; refunded: number }>(sql`
      select (select count(*)::int from subscriptions where status in ('active', 'past-due')) as active,
        (select round(sum(case period when 'year' then amount / 12.0 else amount end))::int from subscriptions
          where status in ('active', 'past-due')) as revenue,
        (select sum(amount_paid)::int from invoices where status = 'paid') as income,
        (select sum(amount)::int from gift_cards where paid_at is not null) as gifts,
        (select (select coalesce(sum(amount), 0) from invoice_refunds where state = 'done')
          + (select coalesce(sum(amount), 0) from gift_cards where coalesce(refunded_at, paid_back_at) is not null))::int as refunded`)
  ).rows;
  const overview = await site.admin.site.findOverview(ada);
  expect(overview.subscribers.now).toBe(counted?.active);
  const [ownMoney, ...further] = overview.money;
  expect(further).toEqual([]);
  expect(ownMoney.monthlyRevenue).toBe(counted?.revenue);
  const total = ownMoney.income.days.reduce((sum, cents) => sum + cents, 0);
  expect(total).toBe((counted?.income ?? 0) + (counted?.gifts ?? 0) - (counted?.refunded ?? 0));
  const { revenue } = ownMoney;
  expect(revenue.total).toBe(
    revenue.monthly.amount + revenue.yearly.amount + revenue.giftCards.amount - revenue.refunds.amount,
  );
  expect(revenue.refunds.amount).toBeGreaterThan(0);
  expect(overview.trials).toBe(1);
  const newUsers = overview.newUsers.days.reduce((sum, count) => sum + count, 0);
  expect(overview.newUserSources).toEqual([{ source: 'unknown', users: newUsers }]);
  await db.execute(sql`insert into sign_up_days values ((now() at time zone 'UTC')::date, 'home', 1),
    ((now() at time zone 'UTC')::date - 27, 'prompt', 2), ((now() at time zone 'UTC')::date - 28, 'page', 9)`);
  expect((await site.admin.site.findOverview(ada)).newUserSources.slice(0, 2)).toEqual([
    { source: 'prompt', users: 2 },
    { source: 'home', users: 1 },
  ]);
  expect(overview.subscribers.left).toBe(1);
  expect(overview.weeks).toHaveLength(13);
  expect((await site.admin.site.findOverview(ada, '90')).plays.days).toHaveLength(90);
  const ofMonth = await site.admin.site.findOverview(ada, 'month');
  expect(ofMonth.plays.days).toHaveLength(new Date().getUTCDate());
  expect(ofMonth.money[0].income.days.reduce((sum, cents) => sum + cents, 0)).toBe(revenue.total);
  // Figures of past days stay when rows are deleted.
  await db.execute(sql`update site_days set subscribers = 77 where day = (now() at time zone 'UTC')::date - 5`);
  await addUpSite(db);
  expect((await readSiteDays(db)).at(-6)?.subscribers).toBe(77);
});

test('on a full disk the overview shows the last known figures', async () => {
  await addUpSite(db);
  await db.execute(sql`update site_days set computed_at = now() - interval '1 hour'`);
  await db.execute(sql`
    create function no_space() returns trigger language plpgsql as
    $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`);
  await db.execute(sql`create trigger no_space before insert or update on site_days execute function no_space()`);
  await expect(addUpSite(db)).rejects.toThrow();
  expect(await readSiteDays(db)).toHaveLength(181);
  expect((await site.admin.site.findOverview(ada)).plays.days).toHaveLength(28);
  await db.execute(sql`delete from site_days where day < (now() at time zone 'UTC')::date - 5`);
  await expect(readSiteDays(db)).rejects.toThrow();
  await db.execute(sql`drop trigger no_space on site_days`);
});
