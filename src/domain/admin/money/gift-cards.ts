import { countOf } from '#formats/numbers.ts';
import { type SQL, and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { type PageQuery, pageIn } from '../../kernel/pages.ts';
import type { MembershipParts } from '../../membership/customers.ts';
import type { MadeGiftCardForm } from '../../membership/forms.ts';
import type { GiftCardRow } from '../../membership/gift-cards/gift-cards.ts';
import type { GiftCard } from '../../membership/shapes.ts';
import * as cards from '../../membership/gift-cards/gift-cards.ts';
import { giftCards, membershipMails } from '../../membership/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';
import { foundInWays } from '../word-search.ts';
import type { GiftCardRefundForm } from '../forms.ts';

const buyers = alias(users, 'buyers');
const redeemers = alias(users, 'redeemers');

/** A gift card as operators see it. The code is only mailed: nobody can read it here. */
const columns = {
  ...pick(giftCards, 'id', 'months', 'amount', 'currency', 'recipientEmail', 'createdAt', 'deliverAt', 'paidAt'),
  ...pick(giftCards, 'sentAt', 'redeemedAt', 'refundedAt'),
  /** Last letters of the newest code; null for codes mailed before they were kept. */
  codeEnding: giftCards.codeEnding,
  buyer: { id: giftCards.buyerId, username: buyers.username, email: giftCards.buyerEmail },
  redeemer: { id: redeemers.id, username: redeemers.username },
  /** Paid back although it was redeemed. */
  paidBackAt: giftCards.paidBackAt,
  /** A mail with a new code waits to be sent. */
  isBeingSent: sql<boolean>`${giftCards.paidAt} is not null and ${giftCards.redeemedAt} is null
    and ${giftCards.refundedAt} is null and exists (select from ${membershipMails} m
      where m.kind = 'gift' and m.ref = ${giftCards.id}::text and m.sent_at is null)`,
};

/** Newest first. @param of.q last letters of the code, the start of the buyer's or recipient's email, or an id */
export async function listGiftCards(
  db: Db,
  actor: Actor,
  filter: { q?: string | undefined; state?: GiftCard['state'] | undefined },
  query: PageQuery,
) {
  administratorsOnly(actor);
  const page = pageIn('gift-cards', query, { direction: 'desc', id: giftCards.id });
  const rows = await db
    .select({ ...columns, ...page.columns })
    .from(giftCards)
    .leftJoin(buyers, eq(buyers.id, giftCards.buyerId))
    .leftJoin(redeemers, eq(redeemers.id, giftCards.redeemedBy))
    .where(and(await matching(db, filter.q), filter.state && isIn[filter.state], page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows.map((row) => ({ ...row, state: cards.stateOf(row) })));
}

export type AdminGiftCard = Awaited<ReturnType<typeof listGiftCards>>['items'][number];

export async function findGiftCard(db: Db, actor: Actor, id: string): Promise<AdminGiftCard | undefined> {
  administratorsOnly(actor);
  return isId(id) ? (await listGiftCards(db, actor, { q: id }, { limit: 1 })).items[0] : undefined;
}

const isIn: Record<GiftCard['state'], SQL | undefined> = {
  'awaiting-payment': and(isNull(giftCards.paidAt), isNull(giftCards.refundedAt)),
  paid: and(
    isNotNull(giftCards.paidAt),
    isNull(giftCards.sentAt),
    isNull(giftCards.redeemedAt),
    isNull(giftCards.refundedAt),
  ),
  sent: and(isNotNull(giftCards.sentAt), isNull(giftCards.redeemedAt), isNull(giftCards.refundedAt)),
  redeemed: isNotNull(giftCards.redeemedAt),
  refunded: isNotNull(giftCards.refundedAt),
};

async function matching(db: Db, q: string | undefined): Promise<SQL | undefined> {
  const text = q?.trim() ?? '';
  if (text === '') return undefined;
  if (isId(text.toLowerCase())) return eq(giftCards.id, text.toLowerCase());
  const start = startingWith(text.toLowerCase());
  // A typed code, without hyphens and with look-alikes replaced.
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1').slice(-4);
  const ways = [
    sql`lower(${giftCards.buyerEmail}) like ${start}`,
    sql`lower(${giftCards.recipientEmail}) like ${start}`,
    ...(letters.length === 4 && !text.includes('@') ? [sql`${giftCards.codeEnding} = ${letters}`] : []),
  ];
  return foundInWays(db, { table: sql`${giftCards}`, id: sql`${giftCards.id}` }, ways);
}

export type GiftCardAct =
  | { ok: true }
  | { ok: false; reason: Extract<ErrorCode, `gift-card/${string}` | 'request/not-found'> };

function record(actor: Actor, action: `gift-card.${string}`, reason?: string) {
  return (tx: Db, { id, amount, currency, months }: GiftCardRow): Promise<void> =>
    recordByOperator(tx, actor, {
      action,
      // No email address: log entries outlive accounts.
      subject: { type: 'gift-card', id, name: `a gift card of ${countOf(months, 'month')}` },
      after: { amount, currency, ...(reason !== undefined && { reason }) },
    });
}

/** Makes a card that nobody pays for, and mails its code. */
export async function createGiftCard(parts: MembershipParts, actor: Actor, form: MadeGiftCardForm): Promise<GiftCard> {
  administratorsOnly(actor);
  return cards.makeGiftCard(parts, form, record(actor, 'gift-card.create'));
}

/** Mails a new code and invalidates the old one. */
export async function resendGiftCard(parts: MembershipParts, actor: Actor, id: string): Promise<GiftCardAct> {
  administratorsOnly(actor);
  return toAct(await cards.resendGiftCard(parts, id, record(actor, 'gift-card.resend')));
}

/** Refunds the card, once. A redeemed card needs the operator's consent; its months stay. */
export async function refundGiftCard(
  parts: MembershipParts,
  actor: Actor,
  id: string,
  { evenRedeemed, reason }: GiftCardRefundForm,
): Promise<GiftCardAct> {
  administratorsOnly(actor);
  return toAct(
    await cards.refundGiftCard(parts, id, {
      evenRedeemed,
      record: (tx, card, how) =>
        record(actor, how === 'failed' ? 'gift-card.refund-failed' : 'gift-card.refund', reason)(tx, card),
    }),
  );
}

function toAct(outcome: Awaited<ReturnType<typeof cards.resendGiftCard>>): GiftCardAct {
  if (outcome.ok) return { ok: true };
  return { ok: false, reason: outcome.reason === 'gift-card/unknown' ? 'request/not-found' : outcome.reason };
}
