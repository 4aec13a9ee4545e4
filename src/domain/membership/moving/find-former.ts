import { desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { providerTitles } from '../capabilities.ts';
import { isAtProvider, providerOf } from '../hosted/hosted-id.ts';
import { invoices } from '../tables.ts';
import { movedSubscriptions, providerMoves } from './tables.ts';

/** A user's subscription before the site's payments moved, as its owner sees it. */
export type FormerProvider = {
  title: string;
  /** The provider to subscribe with now. */
  newTitle: string;
  /** `asked`: it goes on there until they cancel it. `unstopped`: its provider has not answered yet. */
  state: 'asked' | 'unstopped' | 'stopped';
  paidUntil: Date | null;
  cancelUrl: string | null;
  /** Invoices of that time. */
  invoices: number;
};

/** The newest one; null for everybody whose subscription was never moved. */
export async function findFormerProvider(db: Db, userId: string): Promise<FormerProvider | null> {
  const [row] = await db
    .select({ moved: movedSubscriptions, to: providerMoves.toProvider })
    .from(movedSubscriptions)
    .innerJoin(providerMoves, eq(providerMoves.id, movedSubscriptions.moveId))
    .where(sql`${movedSubscriptions.userId} = ${userId} and ${movedSubscriptions.state} in ('asked', 'moved')`)
    .orderBy(desc(providerMoves.startedAt))
    .limit(1);
  if (row === undefined) return null;
  const { state, stoppedAt, paidUntil, cancelUrl, customerId } = row.moved;
  const from = providerOf(customerId);
  const isFrom = sql`${invoices.userId} = ${userId} and ${invoices.subtotal} <> 0 and ${isAtProvider(invoices.invoiceId, from)}`;
  return {
    title: providerTitles[from],
    newTitle: providerTitles[row.to],
    state: state === 'asked' ? 'asked' : stoppedAt === null ? 'unstopped' : 'stopped',
    paidUntil,
    cancelUrl,
    invoices: await db.$count(invoices, isFrom),
  };
}
