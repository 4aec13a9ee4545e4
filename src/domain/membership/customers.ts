import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { MailSite } from '../kernel/email-template.ts';
import { type Db, pick } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Mail } from '../gateways.ts';
import { users } from '../identity/tables.ts';
import type { CustomerFacts, PaymentProvider } from './payment-provider.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { paymentCustomers } from './tables.ts';

/** Dependencies of the membership area. */
export type MembershipParts = {
  db: Db;
  payments: PaymentProvider;
  mail: Mail;
  /** `url` is an origin without a trailing slash. */
  site: MailSite;
};

export async function findCustomerId(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ customerId: paymentCustomers.customerId })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, userId));
  return row?.customerId;
}

export async function findUserOfCustomer(db: Db, customerId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ userId: paymentCustomers.userId })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.customerId, customerId));
  return row?.userId;
}

/** Requires the user's lock. Replaces a customer that was deleted at the provider. */
export async function findOrCreateCustomer(
  { db, payments }: MembershipParts,
  userId: string,
): Promise<{ customerId: string; facts: CustomerFacts }> {
  const known = await findCustomerId(db, userId);
  if (known !== undefined) {
    const facts = await payments.readCustomer(known);
    if (facts !== undefined) return { customerId: known, facts };
  }
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  // The user was deleted while this waited for the lock.
  if (user === undefined) throw new DomainError('auth/login-required');
  const customerId = await payments.createCustomer({ userId, email: user.email ?? undefined });
  await writeCustomer(db, userId, customerId);
  return { customerId, facts: { subscriptions: [], invoices: [], givenUpId: undefined } };
}

/**
 * Tells the provider the emails that users have changed; its receipts and disputes name them. A trigger notes them.
 * @throws the first failure, after all others were tried
 */
export async function changeEmails({ db, payments }: MembershipParts, signal?: AbortSignal): Promise<void> {
  const changed = await db
    .select({ ...pick(paymentCustomers, 'customerId', 'emailChangedAt'), email: users.email })
    .from(paymentCustomers)
    .innerJoin(users, eq(users.id, paymentCustomers.userId))
    .where(isNotNull(paymentCustomers.emailChangedAt))
    .orderBy(asc(paymentCustomers.emailChangedAt))
    .limit(200);
  const change = async ({ customerId, emailChangedAt, email }: (typeof changed)[number]) => {
    await payments.changeEmail(customerId, email ?? undefined);
    const isSame = and(
      eq(paymentCustomers.customerId, customerId),
      // Changed again meanwhile.
      eq(paymentCustomers.emailChangedAt, emailChangedAt ?? new Date(0)),
    );
    await db.update(paymentCustomers).set({ emailChangedAt: null }).where(isSame);
  };
  await settleEach(changed, change, { signal });
}

export async function writeCustomer(db: Db, userId: string, customerId: string): Promise<void> {
  await db
    .insert(paymentCustomers)
    .values({ userId, customerId })
    .onConflictDoUpdate({ target: paymentCustomers.userId, set: { customerId, syncedAt: null } });
}
