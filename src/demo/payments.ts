import { and, eq, sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { siteDayMoney, siteDays } from '#domain/admin/tables.ts';
import { avatarColorOf } from '#domain/identity/rules.ts';
import { users } from '#domain/identity/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newId, newIdAt } from '#domain/kernel/ids.ts';
import { addMonths } from '#domain/kernel/calendar/months.ts';
import type { PaymentProvider } from '#domain/membership/payment-provider.ts';
import { type MembershipSettings, findMembershipSettings, planOf } from '#domain/membership/settings.ts';
import { syncLocked } from '#domain/membership/sync/sync.ts';
import {
  giftCards,
  invoiceRefunds,
  invoices,
  membershipMails,
  memberships,
  paymentCustomers,
  paymentEvents,
  reconciliationRuns,
} from '#domain/membership/tables.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import { addDemoLedger } from './ledger.ts';
import type { openDemoPayments } from './open-payments.ts';
import { type DemoGift, type DemoSubscriber, people } from './people.ts';
import { type DemoPaymentsState, isInvented, removeDemoPayments } from './payments-removal.ts';
import { seededRandom } from './random.ts';

/** A payment provider with an adjustable clock, so that its customers have a past. */
type DemoPayments = Awaited<ReturnType<typeof openDemoPayments>>;

const dayMs = 24 * 60 * 60 * 1000;
const seed = 1850;
const maxDays = 120;

/** Called for a new row in `demo_accounts`: only new demos get payments. */
export const paymentsDue: DemoPaymentsState = { payments: 'due' };

/**
 * Gives the demo some months of subscriptions, gift cards and payouts, once. All of it is created at the provider and
 * read from there, so that the reconciliation finds no difference. Takes some seconds while the site runs.
 * @param options.signal stops it; the next call starts over
 * @param options.members subscribing demo members, for tests
 * @returns whether it was done now
 */
export async function addDemoPayments(
  db: Db,
  open: () => Promise<DemoPayments>,
  {
    now = new Date(),
    signal,
    members = people.subscribers,
  }: { now?: Date; signal?: AbortSignal; members?: DemoSubscriber[] } = {},
): Promise<boolean> {
  if (!(await claim(db))) return false;
  try {
    const payments = await open();
    try {
      // Left by an interrupted start.
      await db.transaction(async (tx) => {
        const left = await removeDemoPayments(tx, payments.deletePayments);
        for (const id of left) await tx.delete(users).where(eq(users.id, id));
      });
      await addPayments(db, payments, { now, signal, members });
    } finally {
      await payments.close();
    }
  } catch (error) {
    await writeState(db, paymentsDue);
    throw error;
  }
  return true;
}

async function addPayments(
  db: Db,
  payments: DemoPayments,
  { now, signal, members }: { now: Date; signal: AbortSignal | undefined; members: DemoSubscriber[] },
): Promise<void> {
  const settings = await findMembershipSettings(db);
  const ids = await insertPeople(db, now);
  const scene = { ids, settings, now };
  const promoCodes = await makePromoCodes(payments, scene);
  const random = seededRandom(seed);
  for (const member of members) {
    signal?.throwIfAborted();
    const userId = ids.get(member.username);
    if (userId === undefined) continue;
    await addMember(db, payments, {
      ...scene,
      userId,
      promoCodes,
      member: { ...member, since: member.since + random() * 0.4 },
    });
  }
  const gifts = new Map<DemoGift, string>();
  for (const gift of people.gifts) gifts.set(gift, await payForGift(payments, gift, scene));
  await db.transaction(async (tx) => {
    await noteRefunds(tx, ids, now);
    await insertGifts(tx, { ...scene, payments: gifts });
    await insertEvents(tx, now);
    const months = await addDemoLedger(tx, now);
    const runs = await addComparisons(tx, now);
    // Someone may have opened the overview meanwhile, so its days are computed again.
    await tx.delete(siteDays);
    await tx.delete(siteDayMoney);
    await writeState(tx, { payments: 'done', promoCodeIds: [...promoCodes.values()], months, runs });
  });
}

/** Three weeks of nights in which the site and the provider agreed. @returns their ids */
async function addComparisons(tx: Db, now: Date): Promise<string[]> {
  const paid = await tx
    .select({
      userId: invoices.userId,
      paidAt: invoices.paidAt,
      sum: sql<number>`${invoices.amountPaid} - ${invoices.refunded}`,
    })
    .from(invoices)
    .where(eq(invoices.status, 'paid'));
  const runs = Array.from({ length: 21 }, (_, index) => {
    const startedAt = new Date(Math.floor(now.getTime() / dayMs - index) * dayMs - 21 * 60 * 60_000);
    const paidBefore = paid.filter(({ paidAt }) => paidAt !== null && paidAt < startedAt);
    const sum = paidBefore.reduce((all, one) => all + one.sum, 0);
    const customers = new Set(paidBefore.map(({ userId }) => userId)).size;
    const endedAt = new Date(startedAt.getTime() + 900 + 40 * customers);
    return { id: newIdAt(startedAt), startedAt, endedAt, customers, atProvider: sum, hereBefore: sum, hereAfter: sum };
  });
  await tx.insert(reconciliationRuns).values(runs);
  return runs.map(({ id }) => id);
}

async function writeState(db: Db, value: DemoPaymentsState): Promise<void> {
  await db.update(siteSettings).set({ value }).where(eq(siteSettings.key, 'demo_accounts'));
}

/** One process does it; if it is killed, another one continues after two minutes. */
async function claim(db: Db): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update site_settings set value = jsonb_build_object('payments', 'running', 'since', now())
    where key = 'demo_accounts' and (value ->> 'payments' = 'due'
      or (value ->> 'payments' = 'running' and (value ->> 'since')::timestamptz < now() - interval '2 minutes'))`);
  return (rowCount ?? 0) > 0;
}

async function insertPeople(db: Db, now: Date): Promise<Map<string, string>> {
  const rows = [...people.subscribers, ...people.giftedUsers].map(({ username, since }, index) => {
    const createdAt = new Date(now.getTime() - since * dayMs - 20 * 60_000);
    return { id: newIdAt(createdAt), username, color: avatarColorOf(index % 6), createdAt };
  });
  const inserted = await db
    .insert(users)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: users.id, username: users.username });
  return new Map(inserted.map(({ id, username }) => [username ?? '', id]));
}

type Scene = { ids: Map<string, string>; settings: MembershipSettings; now: Date };

/** @returns ids by code */
async function makePromoCodes(payments: DemoPayments, { settings, now }: Scene): Promise<Map<string, string>> {
  payments.goTo(daysBefore(now, maxDays));
  await payments.provider.checkPlans([planOf(settings, 'month'), planOf(settings, 'year')]);
  const idsByCode = new Map<string, string>();
  for (const { code, expires, ...promo } of people.promoCodes) {
    const expiresAt = expires === undefined ? undefined : daysBefore(now, expires);
    const promoCode =
      (await payments.provider.createPromoCode({ code, currency: settings.currency, ...promo, expiresAt })) ??
      (await payments.provider.findPromoCode(code));
    if (promoCode !== undefined) idsByCode.set(code, promoCode.id);
  }
  return idsByCode;
}

/** One member after the other up to the present, so that the running site finds nothing to charge in between. */
async function addMember(
  db: Db,
  payments: DemoPayments,
  {
    userId,
    member,
    promoCodes,
    settings,
    now,
  }: Scene & { userId: string; member: DemoSubscriber; promoCodes: Map<string, string> },
): Promise<void> {
  const { since, period, hasTrial, hasFailingCard, promoCode, cancelledAt, refundedAt } = member;
  const createdAt = daysBefore(now, since);
  payments.goTo(createdAt);
  const { customerId, subscriptionId } = await payments.subscribe({
    userId,
    plan: planOf(settings, period),
    trialDays: hasTrial ? settings.trialDays : 0,
    hasFailingCard,
    promoCodeId: promoCode === undefined ? undefined : promoCodes.get(promoCode),
  });
  await db.insert(paymentCustomers).values({ userId, customerId, createdAt });
  if (cancelledAt !== undefined) {
    payments.goTo(daysBefore(now, cancelledAt));
    await payments.provider.cancelAtPeriodEnd(subscriptionId, undefined);
  }
  if (refundedAt !== undefined) {
    payments.goTo(daysBefore(now, refundedAt));
    await refundLastInvoice(payments.provider, customerId);
  }
  payments.goTo(now);
  await payments.settle();
  await syncLocked({ db, payments: payments.provider }, userId, customerId);
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

async function payForGift(
  payments: DemoPayments,
  { months, bought, refundedAt }: DemoGift,
  { settings, now }: Scene,
): Promise<string> {
  payments.goTo(daysBefore(now, bought));
  const paymentId = await payments.pay({ amount: settings.giftCards[months], currency: settings.currency });
  if (refundedAt !== undefined) {
    payments.goTo(daysBefore(now, refundedAt));
    await payments.provider.refundPayment(paymentId);
  }
  return paymentId;
}

async function refundLastInvoice(provider: PaymentProvider, customerId: string): Promise<void> {
  const facts = await provider.readCustomer(customerId);
  const paid = facts?.invoices.find(({ amountPaid }) => amountPaid > 0);
  if (paid !== undefined)
    await provider.refundInvoice({ invoiceId: paid.id, amount: paid.amountPaid, key: `demo ${paid.id}` });
}

async function noteRefunds(tx: Db, ids: Map<string, string>, now: Date): Promise<void> {
  for (const { username, refundedAt } of people.subscribers) {
    const userId = ids.get(username);
    if (refundedAt === undefined || userId === undefined) continue;
    await tx
      .update(invoiceRefunds)
      .set({ reason: 'Paid twice, by mistake', createdAt: daysBefore(now, refundedAt) })
      .where(eq(invoiceRefunds.userId, userId));
  }
}

async function insertGifts(
  tx: Db,
  { ids, payments, settings, now }: Scene & { payments: Map<DemoGift, string> },
): Promise<void> {
  const ago = (days: number) => daysBefore(now, days);
  for (const [gift, paymentId] of payments) {
    const { months, buyer, recipient, bought, deliver, redeemed, refundedAt } = gift;
    const deliverAt = ago(deliver);
    const sentAt = deliverAt <= now ? deliverAt : null;
    const redeemedBy = redeemed === undefined ? undefined : ids.get(redeemed.by);
    const redeemedAt = redeemed === undefined ? null : ago(redeemed.at);
    const id = newIdAt(ago(bought));
    await tx.insert(giftCards).values({
      id,
      months,
      amount: settings.giftCards[months],
      currency: settings.currency,
      buyerId: ids.get(buyer) ?? null,
      buyerEmail: `${buyer}@sotto.example`,
      senderName: buyer,
      recipientEmail: recipient,
      message: gift.message ?? null,
      deliverAt,
      paymentId,
      paidAt: ago(bought),
      // An unknown code; "Send again" creates another one.
      codeHash: sentAt === null ? null : createHash('sha256').update(newId()).digest('hex'),
      codeEnding: sentAt === null ? null : id.slice(-4).toUpperCase(),
      sentAt,
      redeemedBy: redeemedBy ?? null,
      redeemedAt,
      appliedAt: redeemedAt,
      refundedAt: refundedAt === undefined ? null : ago(refundedAt),
      createdAt: ago(bought),
    });
    await tx.insert(membershipMails).values([
      { id: newId(), kind: 'gift', ref: id, giftCardId: id, dueAt: deliverAt, sentAt },
      { id: newId(), kind: 'gift-bought', ref: id, giftCardId: id, dueAt: ago(bought), sentAt: ago(bought) },
    ]);
    if (redeemedBy !== undefined && redeemedAt !== null)
      await tx.insert(memberships).values({ userId: redeemedBy, giftUntil: addMonths(redeemedAt, months) });
  }
}

/** Events of the last weeks as the provider would have sent them. One failed, too long ago for a retry. */
async function insertEvents(tx: Db, now: Date): Promise<void> {
  const rows = await tx
    .select({ invoice: invoices, customerId: paymentCustomers.customerId })
    .from(invoices)
    .innerJoin(paymentCustomers, eq(paymentCustomers.userId, invoices.userId))
    .innerJoin(users, eq(users.id, invoices.userId))
    .where(and(isInvented, sql`${invoices.createdAt} > ${new Date(now.getTime() - 40 * dayMs).toISOString()}`))
    .orderBy(invoices.createdAt, invoices.invoiceId);
  const failedBefore = now.getTime() - 9 * dayMs;
  const failing = rows.findLast(({ invoice }) => invoice.createdAt.getTime() < failedBefore);
  const events = rows.map(({ invoice, customerId }) => {
    const type = invoice.status === 'paid' ? 'invoice.paid' : 'invoice.payment_failed';
    const createdAt = invoice.paidAt ?? invoice.createdAt;
    const receivedAt = new Date(createdAt.getTime() + 1400);
    const isFailed = failing?.invoice.id === invoice.id;
    return {
      eventId: `evt_${createHash('sha256').update(invoice.invoiceId).digest('hex').slice(0, 24)}`,
      type,
      customerId,
      createdAt,
      receivedAt,
      status: isFailed ? ('failed' as const) : ('done' as const),
      attempts: isFailed ? 6 : 1,
      error: isFailed ? 'The payment provider did not answer within 8 s' : null,
      settledAt: isFailed ? null : new Date(receivedAt.getTime() + 300),
    };
  });
  if (events.length > 0) await tx.insert(paymentEvents).values(events).onConflictDoNothing();
}
