import { eq } from 'drizzle-orm';
import { siteSettings } from '../settings/tables.ts';
import type { Db } from '../kernel/db.ts';
import { giftCards, paymentCustomers, subscriptions } from './tables.ts';
import { tips } from './tips/tables.ts';

const key = 'live_payments';

/**
 * Whether this database ever took real cards. A sandbox or test key does not know its customers, so that the next
 * reconciliation would treat every one as deleted.
 */
export async function hadLivePayments(db: Db): Promise<boolean> {
  return (await db.select().from(siteSettings).where(eq(siteSettings.key, key))).length > 0;
}

export async function noteLivePayments(db: Db): Promise<void> {
  await db.insert(siteSettings).values({ key, value: {} }).onConflictDoNothing();
}

/** Rows that `purgeLivePayments` would delete. */
export async function countLivePayments(db: Db): Promise<{ customers: number; subscriptions: number }> {
  return { customers: await db.$count(paymentCustomers), subscriptions: await db.$count(subscriptions) };
}

/** For a copy of a site: deletes customers and subscriptions; gift time stays. @returns how many customers */
export async function purgeLivePayments(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.delete(subscriptions);
    const gone = await tx.delete(paymentCustomers).returning({ userId: paymentCustomers.userId });
    await tx.update(giftCards).set({ paymentId: null });
    await tx.update(tips).set({ paymentId: null });
    await tx.delete(siteSettings).where(eq(siteSettings.key, key));
    return gone.length;
  });
}
