import { findCustomerId } from './customers.ts';
import type { MembershipParts } from './customers.ts';
import { withPaymentLock } from './lock.ts';
import { currentOf, syncLocked } from './sync.ts';

/**
 * Ends the subscription at once and pays back the days that were paid and will not be used; each invoice once.
 * @returns cents; undefined when nothing was paid for the time to come
 */
export async function refundUnused(
  parts: MembershipParts,
  userId: string,
  now: Date = new Date(),
): Promise<{ amount: number; currency: string } | undefined> {
  const { db, payments } = parts;
  return withPaymentLock(db, userId, async () => {
    const customerId = await findCustomerId(db, userId);
    const facts = customerId === undefined ? undefined : await payments.readCustomer(customerId);
    const current = facts && currentOf(facts);
    if (customerId === undefined || current === undefined || current.status === 'ended') return undefined;
    const invoice = facts?.invoices.find(
      ({ status, subscriptionId, periodStart, periodEnd, amountPaid, isDisputed }) =>
        status === 'paid' &&
        subscriptionId === current.id &&
        amountPaid > 0 &&
        !isDisputed &&
        periodStart <= now &&
        periodEnd > now,
    );
    await payments.cancelNow(current.id);
    const amount = invoice === undefined ? 0 : unusedPart(invoice, now);
    const isPaid = invoice !== undefined && amount > 0 && (await payments.refundInvoice(invoice.id, amount));
    await syncLocked(parts, userId, customerId);
    return isPaid ? { amount, currency: invoice.currency } : undefined;
  });
}

/** In whole cents, rounded down. */
function unusedPart(
  { amountPaid, periodStart, periodEnd }: { amountPaid: number; periodStart: Date; periodEnd: Date },
  now: Date,
): number {
  const [start, end] = [periodStart.getTime(), periodEnd.getTime()];
  return Math.floor((amountPaid * (end - now.getTime())) / (end - start));
}
