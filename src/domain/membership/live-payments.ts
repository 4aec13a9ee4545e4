import { eq } from 'drizzle-orm';
import { siteSettings } from '../catalogue/tables.ts';
import type { Db } from '../db.ts';
import { giftCards, paymentCustomers, subscriptions } from './tables.ts';

const key = 'live_payments';

/**
 * Whether real cards were ever taken with this database. Nobody of it is known to a sandbox or to test keys: the next
 * reconciliation would take every customer for deleted.
 */
export async function hadLivePayments(db: Db): Promise<boolean> {
  return (await db.select().from(siteSettings).where(eq(siteSettings.key, key))).length > 0;
}

export async function noteLivePayments(db: Db): Promise<void> {
  await db.insert(siteSettings).values({ key, value: {} }).onConflictDoNothing();
}

/** For a copy of a site: forgets whom the provider knows. Gift time stays. @returns how many customers */
export async function forgetLivePayments(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.delete(subscriptions);
    const gone = await tx.delete(paymentCustomers).returning({ userId: paymentCustomers.userId });
    await tx.update(giftCards).set({ paymentId: null });
    await tx.delete(siteSettings).where(eq(siteSettings.key, key));
    return gone.length;
  });
}
