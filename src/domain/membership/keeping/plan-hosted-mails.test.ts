import { eq } from 'drizzle-orm';
import { press } from 'payment-stand-ins/testing';
import { describe, expect, test } from 'vitest';
import { formatDay } from '#formats/times.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { hostedHarness } from '#test/support/payments/hosted-harness.ts';
import { giveMonths } from '../entitlement.ts';
import { findCustomerId } from '../customers.ts';
import { providerTitles } from '../capabilities.ts';
import { sendDueMails } from '../mail-queue.ts';
import { membershipMails, subscriptions } from '../tables.ts';
import { planKeepingMails } from './plan-mails.ts';

const day = 24 * 60 * 60 * 1000;
const names = ['verotel', 'ccbill', 'btcpay'] as const;

describe.each(names)('%s', async (name) => {
  const { db, url } = await createTestDatabase();
  const harness = await hostedHarness({ db, databaseUrl: url, name });
  const { membership, payments, standIns, parts, mails } = harness;
  const { prepaid } = payments.capabilities;
  let users = 0;

  async function buy(userId: string, period: 'month' | 'year', promoCode?: string) {
    const outcome = await membership.startCheckout(userId, { period, promoCode });
    if (!outcome.ok) throw new Error(outcome.reason);
    await press(outcome.url, 'Pay');
    if (name === 'btcpay') await standIns.sales.advance((await harness.saleOf(outcome.reference)).id, { minutes: 60 });
    await harness.takeAll();
  }

  async function buyer(period: 'month' | 'year', promoCode?: string) {
    const email = `buyer-${(users += 1)}@example.org`;
    const { id } = await createUser(db, { email });
    await buy(id, period, promoCode);
    return { id, email };
  }

  const rowOf = async (userId: string) => {
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    if (row === undefined) throw new Error('no subscription');
    return row;
  };
  const mailsTo = async (email: string, pattern: RegExp) => {
    await db.update(membershipMails).set({ dueAt: new Date() });
    await sendDueMails(parts);
    return mails.filter(({ to, subject }) => to === email && pattern.test(subject));
  };
  const planBefore = (at: Date, days: number) => planKeepingMails(parts, { now: new Date(at.getTime() - days * day) });

  test.skipIf(prepaid)('a yearly charge is told with its amount and where to cancel; a card is not', async () => {
    await payments.createPromoCode({ code: 'FIFTH', percentOff: 20, currency: 'usd', duration: 'forever' });
    const { id, email } = await buyer('year', 'FIFTH');
    // The first charge after a trial has the notice of the trial alone.
    await db.update(subscriptions).set({ status: 'active', trialEndsAt: null }).where(eq(subscriptions.userId, id));
    const { periodEndsAt } = await rowOf(id);
    await planBefore(periodEndsAt, 35);
    await planBefore(periodEndsAt, 10);
    const [told, ...others] = await mailsTo(email, /renews on|card ends/);
    expect([told?.subject, others]).toEqual([`Your subscription renews on ${formatDay(periodEndsAt)}`, []]);
    const { nextCharge } = await payments.readUpcoming(
      (await findCustomerId(db, id)) ?? '',
      (await rowOf(id)).subscriptionId,
    );
    expect(nextCharge?.amount).toBe(4790);
    expect(told?.text).toContain('$47.90 is charged then.');
    expect(told?.text).not.toContain('VAT');
    if (payments.capabilities.cancel === 'page') {
      const pages = await payments.checkouts?.pagesOf((await rowOf(id)).subscriptionId);
      expect(told?.text).toContain(`You pay through ${providerTitles[name]}: cancel on its page.`);
      expect(told?.text).toContain(pages?.cancel);
    } else expect(told?.text).toContain('choose “Cancel subscription”');
  });

  test.runIf(prepaid)('time that was paid is told a week before its end, anew when more is paid', async () => {
    const { id, email } = await buyer('month');
    const first = (await rowOf(id)).periodEndsAt;
    expect(await planBefore(first, 8)).toBe(0);
    expect(await planBefore(first, 7)).toBe(1);
    expect(await planBefore(first, 1)).toBe(0);
    await buy(id, 'month');
    const second = (await rowOf(id)).periodEndsAt;
    expect(await mailsTo(email, /ends on/)).toEqual([]);
    await planBefore(second, 3);
    const [told, ...others] = await mailsTo(email, /ends on|renews/);
    expect([told?.subject, others]).toEqual([`Your paid time ends on ${formatDay(second)}`, []]);
    expect(told?.text).toContain('Nothing renews by itself');
  });

  test.runIf(prepaid)('time that gift time follows does not end', async () => {
    const { id } = await buyer('month');
    const { periodEndsAt } = await rowOf(id);
    await giveMonths(db, id, 3);
    expect(await planBefore(periodEndsAt, 3)).toBe(0);
  });
});
