import { type SQL, and, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { type Db, pick } from '../../kernel/db.ts';
import { type ErrorCode, DomainError } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { askInTurn } from '../ask-in-turn.ts';
import type { MembershipParts } from '../customers.ts';
import { isDeclinedTooOften } from '../sync/declines.ts';
import { refundMarked } from '../sync/refund-marked.ts';
import type { GiftCardForm, MadeGiftCardForm } from '../forms.ts';
import { addMails, mailOfGift } from '../mail-queue.ts';
import type { PaymentStep } from '../payment-provider.ts';
import { isMadeGiftCard } from '../rules.ts';
import { currenciesOf, currencyIn, findMembershipSettings } from '../settings.ts';
import type { GiftCard } from '../shapes.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import { giftCards, membershipMails } from '../tables.ts';

export type GiftCardRow = typeof giftCards.$inferSelect;

export function presentGiftCard(row: GiftCardRow): GiftCard {
  return {
    ...pick(row, 'id', 'months', 'amount', 'currency', 'recipientEmail', 'senderName', 'message'),
    ...pick(row, 'deliverAt', 'createdAt'),
    state: stateOf(row),
  };
}

export function stateOf({
  refundedAt,
  redeemedAt,
  sentAt,
  paidAt,
}: Pick<GiftCardRow, 'refundedAt' | 'redeemedAt' | 'sentAt' | 'paidAt'>): GiftCard['state'] {
  if (refundedAt !== null) return 'refunded';
  if (redeemedAt !== null) return 'redeemed';
  if (sentAt !== null) return 'sent';
  return paidAt === null ? 'awaiting-payment' : 'paid';
}

/** @param buyer undefined without an account; the form then has the email */
export async function buyGiftCard(
  { db, payments, site }: MembershipParts,
  buyer: { id: string; email: string | null } | undefined,
  form: GiftCardForm,
): Promise<{ giftCard: GiftCard } & PaymentStep> {
  const settings = await findMembershipSettings(db);
  const buyerEmail = form.buyerEmail ?? buyer?.email ?? undefined;
  if (buyerEmail === undefined) throw new DomainError('request/invalid', 'buyerEmail: Please enter email');
  const id = newId();
  const currency = form.currency ?? currencyIn(settings, payments.capabilities, undefined);
  const prices = currency === settings.currency ? settings : settings.currencies[currency];
  if (prices === undefined || !currenciesOf(settings, payments.capabilities).includes(currency))
    throw new DomainError('subscription/currency-not-offered');
  const amount = prices.giftCards[form.months];
  const { paymentId, ...step } = await payments.startPayment({
    amount,
    currency,
    description: `${site.name} gift card`,
    customerId: undefined,
    returnTo: `/gift-card/${id}`,
    key: `gift card ${id}`,
  });
  const row = await insertCard(db, form, {
    id,
    amount,
    currency,
    buyerId: buyer?.id,
    buyerEmail,
    paymentId,
    ...awaitingDocuments(!payments.capabilities.sellsInOwnName),
  });
  return { giftCard: presentGiftCard(row), ...step };
}

function awaitingDocuments(is: boolean) {
  return { awaitsSaleDocument: is, awaitsRedemptionDocument: is, awaitsRefundDocument: is };
}

async function insertCard(
  db: Db,
  { months, recipientEmail, senderName, message, deliverAt = new Date().toISOString() }: MadeGiftCardForm,
  card: Pick<
    typeof giftCards.$inferInsert,
    | 'id'
    | 'amount'
    | 'currency'
    | 'buyerId'
    | 'buyerEmail'
    | 'paymentId'
    | 'paidAt'
    | keyof ReturnType<typeof awaitingDocuments>
  >,
): Promise<GiftCardRow> {
  const gift = { months, recipientEmail, senderName, message, deliverAt: new Date(deliverAt) };
  const [row] = await db
    .insert(giftCards)
    .values({ ...gift, ...card })
    .returning();
  if (row === undefined) throw new Error('the gift card was not written');
  return row;
}

/**
 * A card that nobody pays for; its code is mailed as that of a bought one.
 *
 * @param record runs in the transaction that makes it
 */
export async function makeGiftCard(
  { db, site }: Pick<MembershipParts, 'db' | 'site'>,
  form: MadeGiftCardForm,
  record: (tx: Db, card: GiftCardRow) => Promise<void>,
): Promise<GiftCard> {
  const { currency } = await findMembershipSettings(db);
  return db.transaction(async (tx) => {
    const named = { ...form, senderName: form.senderName ?? site.name };
    const row = await insertCard(tx, named, { id: newId(), amount: 0, currency, paidAt: new Date() });
    await addMails(tx, [mailOfGift(row.id, 'gift', row.deliverAt)]);
    await record(tx, row);
    return presentGiftCard(row);
  });
}

/** Newest first. */
export async function listGiftCards(db: Db, buyerId: string): Promise<GiftCard[]> {
  const rows = await db
    .select()
    .from(giftCards)
    .where(and(eq(giftCards.buyerId, buyerId), isNotNull(giftCards.paidAt)))
    .orderBy(desc(giftCards.createdAt), desc(giftCards.id))
    .limit(100);
  return rows.map(presentGiftCard);
}

/** Syncs the payment state from the provider. @param onPaid runs when this finds it paid first. @returns undefined for an unknown card */
export async function refreshGiftCard(
  parts: MembershipParts,
  id: string,
  onPaid: () => Promise<void> = async () => {},
): Promise<GiftCardRow | undefined> {
  return isId(id) ? refreshInTurn(id, () => askForPayment(parts, id, onPaid)) : undefined;
}

const refreshInTurn = askInTurn<GiftCardRow | undefined>();

async function askForPayment(
  { db, payments }: MembershipParts,
  id: string,
  onPaid: () => Promise<void>,
): Promise<GiftCardRow | undefined> {
  const row = await findGiftCardRow(db, id);
  if (row === undefined || row.paymentId === null) return row;
  const payment = await payments.findPayment(row.paymentId);
  if (payment?.status === 'paid' && payment.amount >= row.amount && (await writePaid(db, row))) await onPaid();
  if (payment?.status === 'waiting' && (await isDeclinedTooOften(db, row.paymentId)))
    await payments.cancelPayment(row.paymentId);
  if (payment?.status === 'refunded' || payment?.status === 'disputed')
    await markPaidBack(db, id, { isDecided: payment.status === 'refunded' });
  return findGiftCardRow(db, id);
}

/**
 * By the operator at the provider, or by a bank; a redeemed card stays redeemed. A dispute blocks the card at once. Its
 * documents wait for `refundState`, and have the day of the decision.
 */
async function markPaidBack(db: Db, id: string, { isDecided }: { isDecided: boolean }): Promise<void> {
  const isOpen = sql`${giftCards.awaitsRefundDocument} and ${giftCards.refundState} is null`;
  const mark = async (at: 'refundedAt' | 'paidBackAt', is: SQL) =>
    db
      .update(giftCards)
      .set({ [at]: new Date(), ...(isDecided && { refundState: 'done' }) })
      .where(and(eq(giftCards.id, id), is, or(isNull(giftCards[at]), isDecided ? isOpen : undefined)));
  await mark('refundedAt', isNull(giftCards.redeemedAt));
  await mark('paidBackAt', isNotNull(giftCards.redeemedAt));
}

/** @returns whether it was unpaid before */
async function writePaid(db: Db, { id, deliverAt }: GiftCardRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    const paid = await tx
      .update(giftCards)
      .set({ paidAt: new Date() })
      .where(and(eq(giftCards.id, id), isNull(giftCards.paidAt)))
      .returning({ id: giftCards.id });
    if (paid.length === 0) return false;
    await addMails(tx, [mailOfGift(id, 'gift', deliverAt), mailOfGift(id, 'gift-bought')]);
    return true;
  });
}

export async function findGiftCardOfPayment(db: Db, paymentId: string): Promise<string | undefined> {
  const [row] = await db.select({ id: giftCards.id }).from(giftCards).where(eq(giftCards.paymentId, paymentId));
  return row?.id;
}

export async function findGiftCardRow(db: Db, id: string): Promise<GiftCardRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db.select().from(giftCards).where(eq(giftCards.id, id));
  return row;
}

export type GiftCardOutcome =
  | { ok: true; giftCard: GiftCard }
  | { ok: false; reason: Extract<ErrorCode, `gift-card/${string}`> };

export type GiftCardRefund = {
  /** The requesting user; undefined for operators. */
  buyerId?: string;
  /** Also refunds a redeemed card; its months stay. */
  evenRedeemed?: boolean;
  /** Runs in the transaction that marks the card; `failed` runs in the one that removes the mark. */
  record?: (tx: Db, card: GiftCardRow, how: 'refunded' | 'failed') => Promise<void>;
};

/** Refunds the card, once; unless it was redeemed. @throws DomainError `payment/unavailable`; a job may complete it */
export async function refundGiftCard(
  parts: MembershipParts,
  id: string,
  { buyerId, evenRedeemed = false, record = async () => {} }: GiftCardRefund = {},
): Promise<GiftCardOutcome> {
  const { db, payments } = parts;
  const row = await findGiftCardRow(db, id);
  if (row === undefined || row.paidAt === null || (row.paymentId === null && !isMadeGiftCard(row)))
    return { ok: false, reason: 'gift-card/unknown' };
  if (buyerId !== undefined && row.buyerId !== buyerId) return { ok: false, reason: 'gift-card/unknown' };
  // Marked here first, so that nobody redeems the card during the refund.
  const card = await db.transaction(async (tx) => {
    const [marked] = await tx
      .update(giftCards)
      .set({
        ...(row.redeemedAt === null ? { refundedAt: new Date() } : { paidBackAt: new Date() }),
        refundState: isMadeGiftCard(row) ? 'done' : 'asked',
      })
      .where(
        and(
          eq(giftCards.id, id),
          row.redeemedAt === null || !evenRedeemed ? isNull(giftCards.redeemedAt) : isNotNull(giftCards.redeemedAt),
          isNull(giftCards.refundedAt),
          isNull(giftCards.paidBackAt),
        ),
      )
      .returning();
    if (marked !== undefined) await record(tx, marked, 'refunded');
    return marked;
  });
  if (card === undefined) {
    const now = await findGiftCardRow(db, id);
    return {
      ok: false,
      reason: now?.refundedAt || now?.paidBackAt ? 'gift-card/refunded' : 'gift-card/already-redeemed',
    };
  }
  const { paymentId } = row;
  // Nothing was paid, so nobody is to be paid back: it only ends.
  if (paymentId === null) return { ok: true, giftCard: presentGiftCard(card) };
  const undo = async () =>
    db.transaction(async (tx) => {
      const before = { refundedAt: null, paidBackAt: null, refundState: null, refundAmount: null };
      await tx.update(giftCards).set(before).where(eq(giftCards.id, id));
      await record(tx, card, 'failed');
    });
  await refundMarked(payments, paymentId, { prepare: () => writeRefundAmount(parts, card, paymentId), undo });
  await writeRefunded(db, id);
  return { ok: true, giftCard: presentGiftCard(card) };
}

/**
 * The rest of the price: the operator may have paid back a part at the provider.
 * @throws DomainError `payment/unavailable` for a disputed payment, which the provider does not refund
 */
async function writeRefundAmount(
  { db, payments }: MembershipParts,
  { id, amount }: GiftCardRow,
  paymentId: string,
): Promise<void> {
  const { status, refunded = 0 } = (await payments.findPayment(paymentId)) ?? {};
  if (status === 'disputed') throw new DomainError('payment/unavailable');
  await db
    .update(giftCards)
    .set({ refundAmount: Math.max(0, amount - refunded) })
    .where(eq(giftCards.id, id));
}

async function writeRefunded(db: Db, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(giftCards).set({ refundState: 'done' }).where(eq(giftCards.id, id));
    await addMails(tx, [mailOfGift(id, 'refund')]);
  });
}

/** Completes refunds whose answer was lost. @throws the first failure, after all others were tried */
export async function finishGiftCardRefunds(parts: MembershipParts, signal?: AbortSignal): Promise<void> {
  const { db, payments } = parts;
  // The request that marked it may still be waiting for its answer.
  const isOld = sql`coalesce(${giftCards.refundedAt}, ${giftCards.paidBackAt}) < now() - interval '1 minute'`;
  const waiting = await db
    .select()
    .from(giftCards)
    .where(and(eq(giftCards.refundState, 'asked'), isOld))
    .limit(200);
  const finish = async (card: GiftCardRow) => {
    const { id, paymentId } = card;
    if (paymentId === null) return;
    if (card.refundAmount === null) await writeRefundAmount(parts, card, paymentId);
    await payments.refundPayment(paymentId);
    await writeRefunded(db, id);
  };
  await settleEach(waiting, finish, { signal });
}

/** For lost mails: mails a new code and invalidates the old one. */
export async function resendGiftCard(
  { db }: MembershipParts,
  id: string,
  record: (tx: Db, card: GiftCardRow) => Promise<void> = async () => {},
): Promise<GiftCardOutcome> {
  const row = await findGiftCardRow(db, id);
  if (row === undefined || row.paidAt === null || row.recipientEmail === null)
    return { ok: false, reason: 'gift-card/unknown' };
  if (row.redeemedAt !== null) return { ok: false, reason: 'gift-card/already-redeemed' };
  if (row.refundedAt !== null) return { ok: false, reason: 'gift-card/refunded' };
  await db.transaction(async (tx) => {
    await tx
      .update(membershipMails)
      .set({ sentAt: null, claimedUntil: null, dueAt: sql`now()` })
      .where(and(eq(membershipMails.kind, 'gift'), eq(membershipMails.ref, id)));
    await record(tx, row);
  });
  return { ok: true, giftCard: presentGiftCard(row) };
}
