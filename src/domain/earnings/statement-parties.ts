import { and, asc, eq, gte } from 'drizzle-orm';
import { payoutPayments } from '../admin/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { taxSetting } from '../membership/tax/settings.ts';
import { findSetting } from '../settings/change-setting.ts';
import { type PaidPayee, openPaidPayee, openPayee, readNamedPayees } from '../studio/payees/sealed-payees.ts';
import { paymentPayees } from '../studio/payees/tables.ts';

/** The seller and the payee, as a statement names them. */
export type StatementParties = {
  /** Empty: the site's name stands for it. */
  seller: { name: string; address: string };
  /** Null: not entered, or another person than the reader. */
  payee: PaidPayee | null;
};

/** @param month that the reader may see */
export async function findStatementParties(
  { db, secret }: { db: Db; secret: string },
  actor: Actor,
  voiceId: string,
  month: string,
): Promise<StatementParties> {
  const { name, address } = (await findSetting(db, taxSetting)).value.seller;
  return { seller: { name, address }, payee: (await findPaid(db, secret, actor, { voiceId, month })) ?? null };
}

/** As they were when the month was paid. */
async function findPaid(
  db: Db,
  secret: string,
  actor: Actor,
  { voiceId, month }: { voiceId: string; month: string },
): Promise<PaidPayee | undefined> {
  if (actor.kind !== 'user') return undefined;
  const [paid] = await db
    .select({ paymentId: paymentPayees.paymentId, userId: paymentPayees.userId, sealed: paymentPayees.sealed })
    .from(payoutPayments)
    .innerJoin(paymentPayees, eq(paymentPayees.paymentId, payoutPayments.id))
    .where(and(eq(payoutPayments.voiceId, voiceId), gte(payoutPayments.month, `${month}-01`)))
    .orderBy(asc(payoutPayments.month), asc(payoutPayments.id))
    .limit(1);
  if (paid !== undefined) return paid.userId === actor.id ? openPaidPayee(secret, paid) : undefined;
  const named = (await readNamedPayees(db, [voiceId])).get(voiceId);
  return named?.userId === actor.id ? openPayee(secret, named) : undefined;
}
