import { and, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { type Db, pick } from '../kernel/db.ts';
import { inLanguage } from '#i18n';
import { languageOf, mailTo } from '../identity/account-language.ts';
import { users } from '../identity/tables.ts';
import { newId } from '../kernel/ids.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { findSetting } from '../settings/change-setting.ts';
import type { MailMessage } from '../gateways.ts';
import type { MailContent } from '../kernel/email-template.ts';
import type { MembershipParts } from './customers.ts';
import { mintCode } from './gift-cards/gift-codes.ts';
import { composeKeepingMail, findComingCharge, isKeepingMail } from './keeping/compose.ts';
import { type ComingCharge, winBackMail } from './keeping/mails.ts';
import { keepingSetting } from './keeping/settings.ts';
import { findWinBack } from './keeping/win-back-facts.ts';
import * as mails from './mails.ts';
import { findPauseOf, phaseOf } from './keeping/find-pause.ts';
import { pauseMail } from './keeping/pause-mails.ts';
import { pauses } from './keeping/tables.ts';
import { type InvoiceFacts, type SubscriptionFacts, isUsable } from './payment-provider.ts';
import { providerTitles } from './capabilities.ts';
import { providerOf } from './hosted/hosted-id.ts';
import { movedSubscriptions, providerMoves } from './moving/tables.ts';
import { chargedAt } from './promo-codes.ts';
import { findMembershipSettings } from './settings.ts';
import { giftCards, invoiceRefunds, invoices, membershipMails, subscriptions } from './tables.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Older events are not mailed: they were mailed before, or are no longer news. */
const newsForMs = 3 * dayMs;
/** Card schemes and several laws ask for a week after long free time; a short trial would begin with it. */
const trialNotice = { long: 14 * dayMs, afterShort: 2 * dayMs, afterLong: 8 * dayMs };
const pauseNoticeMs = 7 * dayMs;

type MailRow = typeof membershipMails.$inferSelect;

/** Queues mails with each sync. @param since what is older was told by another site */
export async function queueMails(
  db: Db,
  userId: string,
  {
    current,
    invoices: list,
    since,
  }: { current: SubscriptionFacts | undefined; invoices: InvoiceFacts[]; since?: Date | undefined },
): Promise<void> {
  const newsSince = Math.max(Date.now() - newsForMs, since?.getTime() ?? 0);
  const isNews = (at: Date | null | undefined) => !!at && at.getTime() > newsSince;
  const due: NewMail[] = [];
  for (const { id, status, amountPaid, paidAt, hasFailed, createdAt } of list) {
    if (status === 'paid' && amountPaid > 0 && isNews(paidAt)) due.push({ kind: 'receipt', ref: id });
    if (status === 'open' && hasFailed && current?.status === 'past-due' && isNews(createdAt))
      due.push({ kind: 'payment-failed', ref: id });
  }
  if (current !== undefined && isUsable(current.status) && isNews(current.startedAt))
    due.push({ kind: 'welcome', ref: current.id });
  if (current?.status === 'ended' && isNews(current.endsAt)) due.push({ kind: 'ended', ref: current.id });
  const notice = await noticeOf(db, current, list);
  await db
    .delete(membershipMails)
    .where(
      and(
        eq(membershipMails.userId, userId),
        inArray(membershipMails.kind, ['trial-ends', 'pause-ends']),
        isNull(membershipMails.sentAt),
        ...(notice === undefined ? [] : [ne(membershipMails.ref, notice.ref)]),
      ),
    );
  if (notice !== undefined) due.push(notice);
  await addMails(
    db,
    due.map((mail) => ({ ...mail, userId })),
  );
}

/** `ref`: its subject. `dueAt`: default now. */
type NewMail = Omit<typeof membershipMails.$inferInsert, 'id' | 'dueAt'> & { dueAt?: Date };

/** Each kind of mail once per subject. */
export async function addMails(db: Db, mails: NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await db
    .insert(membershipMails)
    .values(mails.map(({ dueAt = new Date(), ...mail }) => ({ id: newId(), dueAt, ...mail })))
    .onConflictDoNothing();
}

export function mailOfGift(id: string, kind: 'gift' | 'gift-bought' | 'refund', dueAt?: Date): NewMail {
  return { kind, ref: id, giftCardId: id, ...(dueAt && { dueAt }) };
}

/**
 * A trial, or a pause, whose end a gift moved gets a new notice; a yearly charge after one that was paid is told earlier
 * (`keeping`).
 */
async function noticeOf(db: Db, current: SubscriptionFacts | undefined, list: InvoiceFacts[]) {
  if (current === undefined) return undefined;
  const { id, status, plan, nextPeriod, startedAt, trialEndsAt, endsAt } = current;
  if (status !== 'trialing' || trialEndsAt === undefined || endsAt !== undefined || trialEndsAt < new Date())
    return undefined;
  const day = trialEndsAt.toISOString().slice(0, 10);
  const pause = await findPauseOf(db, id);
  const phase = phaseOf(pause, current, new Date());
  // Their time is paid, although the provider calls it free.
  if (phase === 'taken-back') return undefined;
  if (pause !== undefined && phase !== 'none') {
    const dueAt = new Date(trialEndsAt.getTime() - pauseNoticeMs);
    return { kind: 'pause-ends' as const, ref: `${pause.id} ${day}`, dueAt };
  }
  const renews = list.some(({ amountPaid, createdAt }) => amountPaid > 0 && createdAt >= startedAt);
  const isYearly = (nextPeriod ?? plan.period) === 'year';
  if (renews && isYearly && (await findSetting(db, keepingSetting)).value.renewal) return undefined;
  const isLong = trialEndsAt.getTime() - startedAt.getTime() > trialNotice.long;
  const dueAt = new Date(trialEndsAt.getTime() - (isLong ? trialNotice.afterLong : trialNotice.afterShort));
  return { kind: 'trial-ends' as const, ref: `${id} ${day}`, dueAt };
}

const batchSize = 100;

/**
 * Hands due mails over to the outbox. Safe in any number of processes: each is handed over by one, in the transaction
 * that marks it as sent.
 * @param signal stops between two of them
 * @returns how many, without those that need no mail any more
 * @throws its reason, or the first failure after the others of its batch were tried
 */
export async function sendDueMails(parts: MembershipParts, signal?: AbortSignal): Promise<number> {
  const { db } = parts;
  let sent = 0;
  const sendOrPostpone = async ({ id, kind, userId }: Pick<MailRow, 'id' | 'kind' | 'userId'>) => {
    try {
      const charge = saysCharge(kind) && userId !== null ? await findComingCharge(parts, userId) : undefined;
      if (await db.transaction((tx) => sendOne({ ...parts, db: tx }, id, charge))) sent += 1;
    } catch (error) {
      // It does not block the others.
      const later = { claimedUntil: sql`now() + interval '10 minutes'` };
      await db.update(membershipMails).set(later).where(eq(membershipMails.id, id));
      throw error;
    }
  };
  for (;;) {
    const due = await db
      .select(pick(membershipMails, 'id', 'kind', 'userId'))
      .from(membershipMails)
      .where(isDue)
      .orderBy(membershipMails.dueAt)
      .limit(batchSize);
    await settleEach(due, sendOrPostpone, { signal });
    if (due.length < batchSize) return sent;
  }
}

const saysCharge = (kind: MailRow['kind']) => kind === 'renewal' || kind === 'pause-agreed' || kind === 'pause-ends';

/** `claimedUntil`: not to be tried before. */
const isDue = and(
  isNull(membershipMails.sentAt),
  lte(membershipMails.dueAt, sql`now()`),
  or(isNull(membershipMails.claimedUntil), lte(membershipMails.claimedUntil, sql`now()`)),
);

async function sendOne(parts: MembershipParts, id: string, charge: ComingCharge | undefined): Promise<boolean> {
  const { db } = parts;
  // Another process may have sent it meanwhile.
  const [mail] = await db
    .select()
    .from(membershipMails)
    .where(and(eq(membershipMails.id, id), isDue))
    .for('update');
  if (mail === undefined) return false;
  const message = await compose(parts, mail, charge);
  // Told anew if it becomes true again, as after a cancellation that is taken back.
  if (message === undefined && isKeepingMail(mail.kind)) {
    await db.delete(membershipMails).where(eq(membershipMails.id, id));
    return false;
  }
  if (message !== undefined) await parts.mail.queue(db, message);
  const sentAt = new Date();
  await db.update(membershipMails).set({ sentAt, claimedUntil: null }).where(eq(membershipMails.id, id));
  if (mail.giftCardId !== null && mail.kind === 'gift')
    await db.update(giftCards).set({ sentAt }).where(eq(giftCards.id, mail.giftCardId));
  return message !== undefined;
}

/** Uses the current state. @returns undefined when the mail is obsolete or has no recipient */
async function compose(
  parts: MembershipParts,
  mail: MailRow,
  charge: ComingCharge | undefined,
): Promise<MailMessage | undefined> {
  if (mail.giftCardId !== null) return composeForGift(parts, mail.kind, mail.giftCardId);
  const [user] = await parts.db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, mail.userId ?? ''));
  const to = user?.email;
  if (to === null || to === undefined) return undefined;
  const content = await inLanguage(await languageOf(parts.db, to), () => composeForUser(parts, mail, charge));
  return content === undefined ? undefined : { to, ...content };
}

async function composeForUser(
  parts: MembershipParts,
  mail: MailRow,
  charge: ComingCharge | undefined,
): Promise<MailContent | undefined> {
  const { db, site } = parts;
  if (mail.kind === 'receipt' || mail.kind === 'payment-failed') {
    const [invoice] = await db.select().from(invoices).where(eq(invoices.invoiceId, mail.ref));
    if (invoice === undefined) return undefined;
    const { id, currency, number, paidAt, amountPaid, amountDue, createdAt } = invoice;
    if (mail.kind === 'receipt')
      return mails.receiptMail(site, { id, amount: amountPaid, currency, number, paidAt: paidAt ?? createdAt });
    const { graceDays } = await findMembershipSettings(db);
    const usableUntil = new Date(createdAt.getTime() + graceDays * dayMs);
    return invoice.status === 'open'
      ? mails.paymentFailedMail(site, { amount: amountDue, currency, usableUntil })
      : undefined;
  }
  if (mail.kind === 'refund') {
    const [row] = await db
      .select({ refund: invoiceRefunds, invoice: invoices })
      .from(invoiceRefunds)
      .innerJoin(invoices, eq(invoices.id, invoiceRefunds.invoiceId))
      .where(eq(invoiceRefunds.id, mail.ref));
    return row && mails.refundMail(site, { ...row.invoice, amount: row.refund.amount });
  }
  if (mail.kind === 'provider-moved' || mail.kind === 'cancel-there') {
    const [row] = await db
      .select({ moved: movedSubscriptions, to: providerMoves.toProvider })
      .from(movedSubscriptions)
      .innerJoin(providerMoves, eq(providerMoves.id, movedSubscriptions.moveId))
      .where(eq(movedSubscriptions.id, mail.ref));
    if (row === undefined) return undefined;
    const { kind, paidUntil, stoppedAt, cancelUrl, customerId } = row.moved;
    const names = { from: providerTitles[providerOf(customerId)], to: providerTitles[row.to] };
    if (mail.kind === 'cancel-there')
      return stoppedAt === null ? mails.cancelThereMail(site, { ...names, cancelUrl }) : undefined;
    const moved = { ...names, kind, isStopped: stoppedAt !== null };
    return paidUntil === null ? undefined : mails.providerMovedMail(site, { ...moved, paidUntil });
  }
  if (mail.kind === 'win-back') return composeWinBack(parts, mail);
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, mail.userId ?? ''));
  if (mail.kind === 'pause-agreed' || mail.kind === 'pause-ends') {
    const [pause] = await db
      .select()
      .from(pauses)
      .where(eq(pauses.id, mail.ref.split(' ')[0] ?? ''));
    const isOn = pause !== undefined && pause.endingAt === null && pause.endedAt === null;
    if (!isOn || row === undefined || charge === undefined) return undefined;
    // Just agreed, the stored state may be the one before it.
    if (mail.kind === 'pause-ends' && phaseOf(pause, row, new Date()) === 'none') return undefined;
    const { amount, currency } = charge;
    return pauseMail(site, mail.kind, { ...pause, amount, currency });
  }
  if (row === undefined || row.subscriptionId !== mail.ref.split(' ')[0]) return undefined;
  if (isKeepingMail(mail.kind)) return composeKeepingMail(parts, { kind: mail.kind, ref: mail.ref, row, charge });
  const isFree = row.status === 'trialing' ? row.trialEndsAt : null;
  const plan = { ...row, nextAmount: chargedAt(row.amount, row.discount, row.periodEndsAt) };
  if (mail.kind === 'welcome')
    return mails.welcomeMail(site, { ...plan, freeUntil: isFree, renewsAt: row.periodEndsAt });
  if (mail.kind === 'ended') return row.status === 'ended' ? mails.endedMail(site) : undefined;
  if (isFree === null || row.endsAt !== null) return undefined;
  const isTold = and(eq(membershipMails.kind, 'renewal'), eq(membershipMails.ref, mail.ref));
  if ((await db.$count(membershipMails, isTold)) > 0) return undefined;
  return mails.trialEndsMail(site, { ...plan, endsAt: isFree });
}

/** Only with a link that ends such mails. */
async function composeWinBack({ db, site, unsubscribeUrlOf }: MembershipParts, { ref, userId }: MailRow) {
  const found = await findWinBack(db, ref);
  const unsubscribeUrl = userId === null ? undefined : unsubscribeUrlOf?.(userId);
  if (found === undefined || unsubscribeUrl === undefined) return undefined;
  const months = found.isOnce ? undefined : found.months;
  return { ...winBackMail(site, { ...found, months, unsubscribeUrl }), unsubscribeUrl };
}

async function composeForGift({ db, site }: MembershipParts, kind: MailRow['kind'], giftCardId: string) {
  const [gift] = await db.select().from(giftCards).where(eq(giftCards.id, giftCardId));
  const to = kind === 'gift' ? gift?.recipientEmail : gift?.buyerEmail;
  if (!gift?.paidAt || !to) return undefined;
  const bought = { ...gift, paidAt: gift.paidAt, hasAccount: gift.buyerId !== null };
  if (kind === 'refund') return mailTo(db, to, () => mails.giftRefundMail(site, bought));
  if (gift.refundedAt !== null) return undefined;
  if (kind === 'gift-bought') return mailTo(db, to, () => mails.giftBoughtMail(site, bought));
  if (gift.redeemedAt !== null) return undefined;
  const code = await mintCode(db, gift.id);
  return mailTo(db, to, () => mails.giftMail(site, { ...gift, code }));
}
