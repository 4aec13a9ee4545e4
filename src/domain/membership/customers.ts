import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { type Db, pick } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Mail } from '../gateways.ts';
import { users } from '../identity/tables.ts';
import { providerOf } from './hosted/hosted-id.ts';
import type { CustomerFacts } from './payment-provider.ts';
import { type PaymentProviders, findProviderOf } from './payment-providers.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { currentOf } from './sync/current.ts';
import { formerPaymentCustomers, paymentCustomers, subscriptions } from './tables.ts';

/** Dependencies of the membership area. */
export type MembershipParts = {
  db: Db;
  payments: PaymentProviders;
  mail: Mail;
  /** `url` is an origin without a trailing slash. */
  site: MailSite;
  /** Ends mails about news with one click; without it, nobody is won back. */
  unsubscribeUrlOf?: ((userId: string) => string) | undefined;
  /** Queues a mail to each owner of a creator; without it, nobody is told of tips. */
  mailOwners?: ((tx: Db, voiceId: string, write: () => MailContent) => Promise<void>) | undefined;
};

export async function findCustomerId(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ customerId: paymentCustomers.customerId })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, userId));
  return row?.customerId;
}

/** @returns `isFormer`: the user pays through another one by now */
export async function findUserOfCustomer(
  db: Db,
  customerId: string,
): Promise<{ userId: string; isFormer: boolean } | undefined> {
  const userOf = async (table: typeof paymentCustomers | typeof formerPaymentCustomers) =>
    (await db.select({ userId: table.userId }).from(table).where(eq(table.customerId, customerId)))[0]?.userId;
  const userId = await userOf(paymentCustomers);
  if (userId !== undefined) return { userId, isFormer: false };
  const former = await userOf(formerPaymentCustomers);
  return former === undefined ? undefined : { userId: former, isFormer: true };
}

/**
 * Requires the user's lock. The customer at the main provider, or at another one while a subscription runs there.
 * Replaces one that was deleted at the provider.
 */
export async function findOrCreateCustomer(
  { db, payments }: MembershipParts,
  userId: string,
): Promise<{ customerId: string; facts: CustomerFacts }> {
  const known = await findCustomerId(db, userId);
  if (known !== undefined) {
    const isMain = providerOf(known) === payments.name;
    const isOver = !isMain && (await hasEnded(db, userId));
    const isAsked = !isOver && findProviderOf(payments, known) !== undefined;
    const facts = isAsked ? await payments.readCustomer(known) : undefined;
    const current = facts && currentOf(facts);
    const isRunning = current !== undefined && current.status !== 'ended';
    if (facts !== undefined && (isMain || isRunning)) return { customerId: known, facts };
    if (!isMain) await keepFormer(db, userId);
  }
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  // The user was deleted while this waited for the lock.
  if (user === undefined) throw new DomainError('auth/login-required');
  const customerId = await payments.createCustomer({ userId, email: user.email ?? undefined });
  await writeCustomer(db, userId, customerId);
  return { customerId, facts: { subscriptions: [], invoices: [], givenUpId: undefined } };
}

/** As it was said last: what has ended does not begin again by itself. */
async function hasEnded(db: Db, userId: string): Promise<boolean> {
  return (await db.$count(subscriptions, and(eq(subscriptions.userId, userId), eq(subscriptions.status, 'ended')))) > 0;
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

/** Events about it still name its user. */
export async function keepFormer(db: Db, userId: string): Promise<void> {
  const [row] = await db
    .select(pick(paymentCustomers, 'customerId', 'userId', 'createdAt', 'syncedAt'))
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, userId));
  if (row !== undefined) await db.insert(formerPaymentCustomers).values(row).onConflictDoNothing();
}

/** @param adoptedAt of one that another site had made */
export async function writeCustomer(
  db: Db,
  userId: string,
  customerId: string,
  adoptedAt: Date | null = null,
): Promise<void> {
  await db
    .insert(paymentCustomers)
    .values({ userId, customerId, adoptedAt })
    .onConflictDoUpdate({ target: paymentCustomers.userId, set: { customerId, adoptedAt, syncedAt: null } });
}
