import { type SQL, and, eq, inArray, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import { newId } from '../../kernel/ids.ts';
import { providerOf } from '../hosted/hosted-id.ts';
import { tips } from '../tips/tables.ts';
import { creditNoteOf } from './credit-notes.ts';
import { atOnce, type Issuing, type NewDocument, ofUser, sellerOf } from './issuing.ts';
import { taxCountry } from './rules.ts';
import { buyerTaxFacts, taxDocuments } from './tables.ts';

/** A tip is a payment to the site: its invoice has the tax that was taken off when it was paid. */

type TipRow = typeof tips.$inferSelect;

const isPaid = sql`${tips.awaitsDocument} and ${tips.paidAt} is not null`;
const isGivenBack = sql`${tips.awaitsCreditNote} and ${tips.refundState} = 'done' and not (${isPaid})`;
export const isTipWaiting = sql`((${isPaid}) or (${isGivenBack}))`;

export const ofGiver = (of: string | undefined): SQL => ofUser(tips.giverId, of);

async function take({ tx, of }: Issuing, flag: 'awaitsDocument' | 'awaitsCreditNote', is: SQL): Promise<TipRow[]> {
  const some = sql`select ${tips.id} from ${tips} where ${is} and ${ofGiver(of)} order by ${tips.id} limit ${atOnce}`;
  const taken = await tx
    .update(tips)
    .set({ [flag]: false })
    .where(and(sql`${tips.id} in (${some})`, is))
    .returning();
  return taken.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

export async function makeTipInvoices(issuing: Issuing): Promise<NewDocument[]> {
  const paid = await take(issuing, 'awaitsDocument', isPaid);
  const ids = paid.flatMap(({ giverId }) => giverId ?? []);
  const people =
    ids.length === 0
      ? []
      : await issuing.tx
          .select({ id: users.id, email: users.email, vatId: buyerTaxFacts.vatId })
          .from(users)
          .leftJoin(buyerTaxFacts, eq(buyerTaxFacts.userId, users.id))
          .where(inArray(users.id, ids));
  return paid.map((tip) => {
    const { id, amount, tax, currency, paymentId, giverId, region, taxPermille, createdAt } = tip;
    const giver = people.find((one) => one.id === giverId);
    const evidence = { region, payment: null };
    const country = taxCountry(evidence, issuing.settings.seller.country);
    const amounts = { net: amount - tax, tax, gross: amount };
    return {
      id: newId(),
      kind: 'invoice',
      subject: 'payment',
      tipId: id,
      userId: giverId,
      currency,
      provider: providerOf(paymentId ?? ''),
      issuedAt: issuing.now,
      suppliedAt: tip.paidAt ?? createdAt,
      seller: sellerOf(issuing.settings, country, tax),
      country,
      permille: taxPermille,
      ...amounts,
      lines: [{ kind: 'tip', description: '', start: null, end: null, ...amounts }],
      buyer: giver === undefined ? null : { name: null, email: giver.email, vatId: giver.vatId },
      evidence,
    };
  });
}

export async function makeTipCreditNotes(issuing: Issuing): Promise<NewDocument[]> {
  const back = await take(issuing, 'awaitsCreditNote', isGivenBack);
  if (back.length === 0) return [];
  const ids = back.map(({ id }) => id);
  const known = await issuing.tx
    .select()
    .from(taxDocuments)
    .where(and(inArray(taxDocuments.tipId, ids), eq(taxDocuments.kind, 'invoice')));
  return back.flatMap(({ id, refundedAt, createdAt }) =>
    known
      .filter((document) => document.tipId === id)
      .map((document) =>
        creditNoteOf(document, {
          before: 0,
          gross: document.gross,
          refundId: id,
          at: refundedAt ?? createdAt,
          now: issuing.now,
        }),
      ),
  );
}
