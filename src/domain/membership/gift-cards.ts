import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { DomainError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { isId, newId } from '../ids.ts';
import type { MembershipParts } from './customers.ts';
import type { GiftCardForm } from './forms.ts';
import { findMembershipSettings } from './settings.ts';
import { giftCards, membershipMails } from './tables.ts';

export type GiftCardState = 'awaiting-payment' | 'paid' | 'sent' | 'redeemed' | 'refunded';

/** A gift card as its buyer sees it; the code is in the mail alone. Amounts in cents. */
export type GiftCard = {
  id: string;
  months: number;
  amount: number;
  currency: string;
  state: GiftCardState;
  recipientEmail: string | null;
  senderName: string | null;
  message: string | null;
  deliverAt: Date;
  createdAt: Date;
};

export type GiftCardRow = typeof giftCards.$inferSelect;

export function presentGiftCard(row: GiftCardRow): GiftCard {
  const { id, months, amount, currency, recipientEmail, senderName, message, deliverAt, createdAt } = row;
  return {
    id,
    months,
    amount,
    currency,
    state: stateOf(row),
    recipientEmail,
    senderName,
    message,
    deliverAt,
    createdAt,
  };
}

function stateOf({ refundedAt, redeemedAt, sentAt, paidAt }: GiftCardRow): GiftCardState {
  if (refundedAt !== null) return 'refunded';
  if (redeemedAt !== null) return 'redeemed';
  if (sentAt !== null) return 'sent';
  return paidAt === null ? 'awaiting-payment' : 'paid';
}

/** @param buyer undefined for somebody without an account, whose address the form brings */
export async function buyGiftCard(
  { db, payments, site }: MembershipParts,
  buyer: { id: string; email: string | null } | undefined,
  form: GiftCardForm,
): Promise<{ giftCard: GiftCard; clientSecret: string }> {
  const settings = await findMembershipSettings(db);
  const buyerEmail = form.buyerEmail ?? buyer?.email ?? undefined;
  if (buyerEmail === undefined) throw new DomainError('request/invalid', 'buyerEmail: Please enter email');
  const id = newId();
  const amount = settings.giftCards[form.months];
  const asked = form.deliverAt === undefined ? new Date() : new Date(form.deliverAt);
  const { paymentId, clientSecret } = await payments.startPayment({
    amount,
    currency: settings.currency,
    description: `${site.name} gift card`,
    customerId: undefined,
    key: `gift card ${id}`,
  });
  const [row] = await db
    .insert(giftCards)
    .values({
      id,
      months: form.months,
      amount,
      currency: settings.currency,
      buyerId: buyer?.id ?? null,
      buyerEmail,
      senderName: form.senderName ?? null,
      recipientEmail: form.recipientEmail,
      message: form.message ?? null,
      deliverAt: asked,
      paymentId,
    })
    .returning();
  if (row === undefined) throw new Error('the gift card was not written');
  return { giftCard: presentGiftCard(row), clientSecret };
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

/** Asks the provider what became of its payment, and writes it. @returns undefined for no such card */
export async function refreshGiftCard({ db, payments }: MembershipParts, id: string): Promise<GiftCardRow | undefined> {
  const row = await findGiftCardRow(db, id);
  if (row === undefined || row.paymentId === null) return row;
  const payment = await payments.findPayment(row.paymentId);
  if (payment?.status === 'paid' && payment.amount >= row.amount) await writePaid(db, row);
  // Given back by the operator at the provider; what was redeemed stays redeemed.
  if (payment?.status === 'refunded')
    await db
      .update(giftCards)
      .set({ refundedAt: new Date() })
      .where(and(eq(giftCards.id, id), isNull(giftCards.redeemedAt), isNull(giftCards.refundedAt)));
  return findGiftCardRow(db, id);
}

async function writePaid(db: Db, { id, deliverAt }: GiftCardRow): Promise<void> {
  await db.transaction(async (tx) => {
    const paid = await tx
      .update(giftCards)
      .set({ paidAt: new Date() })
      .where(and(eq(giftCards.id, id), isNull(giftCards.paidAt)))
      .returning({ id: giftCards.id });
    if (paid.length === 0) return;
    const mail = (kind: 'gift' | 'gift-bought', dueAt: Date) => ({ id: newId(), kind, ref: id, giftCardId: id, dueAt });
    await tx
      .insert(membershipMails)
      .values([mail('gift', deliverAt), mail('gift-bought', new Date())])
      .onConflictDoNothing();
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

/**
 * Gives the money back, unless the card was redeemed.
 * @param buyerId of whoever asks; undefined for the operator
 */
export async function refundGiftCard(
  { db, payments }: MembershipParts,
  id: string,
  buyerId?: string,
): Promise<GiftCardOutcome> {
  const row = await findGiftCardRow(db, id);
  if (row === undefined || row.paymentId === null || row.paidAt === null)
    return { ok: false, reason: 'gift-card/unknown' };
  if (buyerId !== undefined && row.buyerId !== buyerId) return { ok: false, reason: 'gift-card/unknown' };
  // First here, so that nobody redeems it while its money is on the way back.
  const marked = await db
    .update(giftCards)
    .set({ refundedAt: new Date() })
    .where(and(eq(giftCards.id, id), isNull(giftCards.redeemedAt), isNull(giftCards.refundedAt)))
    .returning();
  const [card] = marked;
  if (card === undefined)
    return { ok: false, reason: row.redeemedAt === null ? 'gift-card/refunded' : 'gift-card/already-redeemed' };
  try {
    await payments.refundPayment(row.paymentId);
  } catch (error) {
    await db.update(giftCards).set({ refundedAt: null }).where(eq(giftCards.id, id));
    throw error;
  }
  return { ok: true, giftCard: presentGiftCard(card) };
}

/** Mails a new code, and the one before counts no more: for whoever has lost the mail. */
export async function resendGiftCard({ db }: MembershipParts, id: string): Promise<GiftCardOutcome> {
  const row = await findGiftCardRow(db, id);
  if (row === undefined || row.paidAt === null || row.recipientEmail === null)
    return { ok: false, reason: 'gift-card/unknown' };
  if (row.redeemedAt !== null) return { ok: false, reason: 'gift-card/already-redeemed' };
  if (row.refundedAt !== null) return { ok: false, reason: 'gift-card/refunded' };
  await db
    .update(membershipMails)
    .set({ sentAt: null, claimedUntil: null, dueAt: sql`now()` })
    .where(and(eq(membershipMails.kind, 'gift'), eq(membershipMails.ref, id)));
  return { ok: true, giftCard: presentGiftCard(row) };
}
