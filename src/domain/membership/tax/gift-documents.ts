import { type SQL, and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import { giftCards } from '../tables.ts';
import { creditNoteOf } from './credit-notes.ts';
import { atOnce, type Issuing, type NewDocument, ofUser, sellerOf } from './issuing.ts';
import { rateOn, taxCountry, taxIn } from './rules.ts';
import { buyerTaxFacts, taxDocuments } from './tables.ts';

/**
 * Gift cards are multi-purpose vouchers (decision 086): their sale has an invoice without tax, and their redemption a
 * document of its own with that of the recipient's country, which nobody is shown: it has the price.
 */

type Card = typeof giftCards.$inferSelect;
type Flag = 'awaitsSaleDocument' | 'awaitsRedemptionDocument' | 'awaitsRefundDocument';

const isPaid = sql`${giftCards.paymentId} is not null`;
const isSold = sql`${isPaid} and ${giftCards.awaitsSaleDocument} and ${giftCards.paidAt} is not null`;
const isRedeemed = sql`${isPaid} and ${giftCards.awaitsRedemptionDocument} and ${giftCards.redeemedAt} is not null`;
const isGivenBack = sql`${isPaid} and ${giftCards.awaitsRefundDocument}
  and coalesce(${giftCards.refundedAt}, ${giftCards.paidBackAt}) is not null and ${giftCards.refundState} = 'done'
  and not (${isSold}) and not (${isRedeemed})`;

export const isGiftWaiting = sql`((${isSold}) or (${isRedeemed}) or (${isGivenBack}))`;

export function ofBuyer(of: string | undefined): SQL {
  return or(ofUser(giftCards.buyerId, of), ofUser(giftCards.redeemedBy, of)) ?? sql`true`;
}

async function take({ tx, of }: Issuing, flag: Flag, is: SQL): Promise<Card[]> {
  const some = sql`select ${giftCards.id} from ${giftCards} where ${is} and ${ofBuyer(of)} order by ${giftCards.id} limit ${atOnce}`;
  const taken = await tx
    .update(giftCards)
    .set({ [flag]: false })
    .where(and(sql`${giftCards.id} in (${some})`, is))
    .returning();
  return taken.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

export async function makeGiftInvoices(issuing: Issuing): Promise<NewDocument[]> {
  const sold = await take(issuing, 'awaitsSaleDocument', isSold);
  const redeemed = await take(issuing, 'awaitsRedemptionDocument', isRedeemed);
  const people = await findPeople(issuing.tx, [...sold, ...redeemed]);
  return [
    ...sold.map((card) => saleOf(card, people.get(card.buyerId ?? '')?.vatId ?? null, issuing)),
    ...redeemed.map((card) => redemptionOf(card, people.get(card.redeemedBy ?? '')?.region ?? null, issuing)),
  ];
}

async function findPeople(tx: Db, cards: Card[]) {
  const ids = cards.flatMap(({ buyerId, redeemedBy }) => [buyerId, redeemedBy].filter((id) => id !== null));
  if (ids.length === 0) return new Map<string, never>();
  const facts = await tx.select().from(buyerTaxFacts).where(inArray(buyerTaxFacts.userId, ids));
  return new Map(facts.map((one) => [one.userId, one]));
}

function saleOf(card: Card, vatId: string | null, issuing: Issuing): NewDocument {
  const amounts = { net: card.amount, tax: 0, gross: card.amount };
  return {
    ...partsOf(card, issuing.now),
    subject: 'voucher',
    seller: sellerOf(issuing.settings, '', 0),
    userId: card.buyerId,
    suppliedAt: card.paidAt ?? card.createdAt,
    country: '',
    permille: null,
    ...amounts,
    lines: [{ ...lineOf(card), ...amounts }],
    buyer: { name: null, email: card.buyerEmail, vatId },
  };
}

function redemptionOf(card: Card, region: string | null, issuing: Issuing): NewDocument {
  const { mode, rates, seller } = issuing.settings;
  const suppliedAt = card.redeemedAt ?? card.createdAt;
  const evidence = { region, payment: null };
  const country = taxCountry(evidence, seller.country);
  const permille = mode === 'off' ? null : (rateOn(rates, country, suppliedAt) ?? null);
  const tax = taxIn(card.amount, permille ?? 0);
  const amounts = { net: card.amount - tax, tax, gross: card.amount };
  return {
    ...partsOf(card, issuing.now),
    subject: 'redemption',
    seller: sellerOf(issuing.settings, country, tax),
    suppliedAt,
    country,
    permille,
    ...amounts,
    lines: [{ ...lineOf(card), ...amounts }],
    evidence,
  };
}

function partsOf({ id, currency, paymentId }: Card, now: Date) {
  const provider = providerOf(paymentId ?? '');
  return { id: newId(), kind: 'invoice', giftCardId: id, currency, provider, issuedAt: now } as const;
}

function lineOf({ months }: Card) {
  return { kind: 'gift-card', months, description: '', start: null, end: null } as const;
}

/** The sale is taken back, and so is the redemption of a card that was paid back after it. */
export async function makeGiftCreditNotes(issuing: Issuing): Promise<NewDocument[]> {
  const cards = await take(issuing, 'awaitsRefundDocument', isGivenBack);
  if (cards.length === 0) return [];
  const ids = cards.map(({ id }) => id);
  const known = await issuing.tx
    .select()
    .from(taxDocuments)
    .where(and(inArray(taxDocuments.giftCardId, ids), eq(taxDocuments.kind, 'invoice')));
  return cards.flatMap(({ id, refundedAt, paidBackAt, createdAt }) =>
    known
      .filter((document) => document.giftCardId === id)
      .toSorted((one, other) => (one.number < other.number ? -1 : 1))
      .map((document) =>
        creditNoteOf(document, {
          before: 0,
          gross: document.gross,
          refundId: null,
          at: refundedAt ?? paidBackAt ?? createdAt,
          now: issuing.now,
        }),
      ),
  );
}
