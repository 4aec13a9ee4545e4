import { asc, eq } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { openPaidPayee, readOwnPayee, sealPaidPayee, sealPayee } from './sealed-payees.ts';
import { payees, paymentPayees } from './tables.ts';

/**
 * Encrypts payees under a new secret. Safe to repeat: what is under the new one stays.
 * @returns how many were encrypted anew, and how many the former secret does not open either
 */
export async function resealPayees(
  db: Db,
  { former, secret }: { former: string; secret: string },
): Promise<{ resealed: number; unreadable: number }> {
  return db.transaction(async (tx) => {
    let [resealed, unreadable] = [0, 0];
    for (const { userId } of await tx.select({ userId: payees.userId }).from(payees).orderBy(asc(payees.userId))) {
      if ((await readOwnPayee(tx, secret, userId)) !== undefined) continue;
      const payee = await readOwnPayee(tx, former, userId);
      if (payee === undefined) unreadable += 1;
      else {
        await tx
          .update(payees)
          .set({ sealed: sealPayee(secret, userId, payee) })
          .where(eq(payees.userId, userId));
        resealed += 1;
      }
    }
    for (const row of await tx.select().from(paymentPayees).orderBy(asc(paymentPayees.paymentId))) {
      if (openPaidPayee(secret, row) !== undefined) continue;
      const payee = openPaidPayee(former, row);
      if (payee === undefined) unreadable += 1;
      else {
        await tx
          .update(paymentPayees)
          .set({ sealed: sealPaidPayee(secret, row.paymentId, payee) })
          .where(eq(paymentPayees.paymentId, row.paymentId));
        resealed += 1;
      }
    }
    return { resealed, unreadable };
  });
}
