import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { inLanguage } from '#i18n';
import type { OfferedLanguages } from '#formats/languages.ts';
import type { IdentityParts } from '../../identity/parts.ts';
import { insertInvited } from '../../identity/registration.ts';
import { accountDeletions, users } from '../../identity/tables.ts';
import { takenBy } from '../../identity/unique-fields.ts';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { type MembershipParts, findCustomerId, findUserOfCustomer, keepFormer, writeCustomer } from '../customers.ts';
import { withPaymentLock } from '../lock.ts';
import { findProviderOf } from '../payment-providers.ts';
import { syncLocked } from '../sync/sync.ts';
import { memberships, subscriptions } from '../tables.ts';
import { importedMemberMail } from './mails.ts';
import type { MemberRefusal } from './rules.ts';
import { importedMembers } from './tables.ts';

/** Dependencies of imports of members. */
export type ImportParts = MembershipParts & { identity: Pick<IdentityParts, 'provider' | 'secret'> };

export type ImportedRow = typeof importedMembers.$inferSelect;

/** A row that waits and has the address of its member. */
type Member = ImportedRow & { email: string };

/**
 * Carries out one line. Safe to repeat at any point: the account, its time and its mail are one transaction, and what is
 * done with a subscription at its provider can be done again.
 * @throws DomainError `payment/unavailable`, `server/unavailable`; the line waits
 */
export async function importOne(parts: ImportParts, row: ImportedRow, offered: OfferedLanguages): Promise<void> {
  const { db } = parts;
  const { email, customerId } = row;
  if (email === null) return refuse(db, row, 'erased');
  const member = { ...row, email };
  const account = await findAccount(db, member);
  const refusal =
    account === undefined
      ? await refusalOfErased(db, member)
      : account.suspendedAt !== null
        ? 'suspended'
        : account.isBeingDeleted
          ? 'being-deleted'
          : undefined;
  if (refusal !== undefined) return refuse(db, row, refusal);
  if (customerId !== null) {
    const ofCustomer =
      (await refusalOfCustomer(db, customerId, account?.id)) ?? (await askProvider(parts, customerId, 'check'));
    if (ofCustomer !== undefined) return refuse(db, row, ofCustomer);
  }
  if (account === undefined) {
    const made = await makeAccount(parts, member, offered);
    // Somebody took the address meanwhile.
    if (made === 'taken') return importOne(parts, row, offered);
    if (made !== undefined && customerId !== null)
      await adopt(parts, { ...member, userId: made, isNew: true }, made, customerId);
    return;
  }
  if (customerId !== null) await adopt(parts, member, account.id, customerId);
  else await giveLackingTime(parts, member, account.id);
}

/** A row that no longer waits stays as it is. */
export async function note(db: Db, { importId, line }: ImportedRow, change: Partial<ImportedRow>): Promise<void> {
  const isThis = and(eq(importedMembers.importId, importId), eq(importedMembers.line, line));
  await db
    .update(importedMembers)
    .set(change)
    .where(and(isThis, eq(importedMembers.state, 'waiting')));
}

async function refuse(db: Db, row: ImportedRow, reason: MemberRefusal): Promise<void> {
  await note(db, row, { state: 'refused', reason, error: null });
}

const doneState = ({ isNew }: ImportedRow) => (isNew ? 'new' : 'known');

async function findAccount(db: Db, { userId, email }: Member) {
  const [row] = await db
    .select({
      id: users.id,
      suspendedAt: users.suspendedAt,
      isBeingDeleted: sql<boolean>`${accountDeletions.userId} is not null`,
    })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    // An account that this line made may have another address by now.
    .where(userId === null ? eq(users.email, email) : or(eq(users.id, userId), eq(users.email, email)))
    .limit(1);
  return row;
}

/** An import had made the account, and it was erased since. */
async function refusalOfErased(db: Db, { emailHash }: Member): Promise<'erased' | undefined> {
  if (emailHash === null) return undefined;
  const isErased = and(eq(importedMembers.emailHash, emailHash), isNull(importedMembers.email));
  return (await db.$count(importedMembers, isErased)) > 0 ? 'erased' : undefined;
}

async function refusalOfCustomer(
  db: Db,
  customerId: string,
  userId: string | undefined,
): Promise<MemberRefusal | undefined> {
  const owner = await findUserOfCustomer(db, customerId);
  if (owner !== undefined && owner.userId !== userId) return 'customer-of-another';
  if (userId === undefined || (await findCustomerId(db, userId)) === customerId) return undefined;
  const isRunning = and(eq(subscriptions.userId, userId), sql`${subscriptions.status} <> 'ended'`);
  return (await db.$count(subscriptions, isRunning)) > 0 ? 'other-subscription' : undefined;
}

async function askProvider(
  { payments }: ImportParts,
  customerId: string,
  act: 'check' | { adoptFor: string },
): Promise<MemberRefusal | undefined> {
  const adoptions = findProviderOf(payments, customerId)?.adoptions;
  if (adoptions === undefined) return 'customer-missing';
  return act === 'check' ? adoptions.check(customerId) : adoptions.adopt(customerId, act.adoptFor);
}

/** @returns the new account's id; undefined: the line is refused */
async function makeAccount(
  parts: ImportParts,
  row: Member,
  offered: OfferedLanguages,
): Promise<string | 'taken' | undefined> {
  const { db, site, identity, mail } = parts;
  const { email, paidUntil, customerId } = row;
  const { provider } = identity;
  const made = await provider.createInvited(email);
  if (!made.ok) return void (await refuse(db, row, made.reason === 'email-in-use' ? 'in-use-at-provider' : 'no-email'));
  const account = { subject: made.subject, email };
  const link = await provider.invite(account);
  const id = newId();
  const language = offered.find((one) => one === row.language);
  const content = inLanguage(language ?? offered[0], () => importedMemberMail(site, { link, paidUntil }));
  try {
    await db.transaction(async (tx) => {
      const identityFields = { identityProvider: provider.name, identitySubject: made.subject };
      await insertInvited(tx, { id, email, ...identityFields, language });
      if (paidUntil !== null) await tx.insert(memberships).values({ userId: id, giftUntil: paidUntil });
      await mail.queue(tx, { to: email, ...content });
      const done = customerId === null ? { state: 'new' as const, givenUntil: paidUntil } : {};
      await note(tx, row, { userId: id, isNew: true, error: null, ...done });
    });
  } catch (error) {
    if (takenBy(error) === undefined) throw error;
    return 'taken';
  }
  return id;
}

/** Only time that the account lacks, and nothing is charged before its end. */
async function giveLackingTime(parts: ImportParts, row: Member, userId: string): Promise<void> {
  const { db } = parts;
  const { paidUntil } = row;
  if (paidUntil === null) return refuse(db, row, 'no-time');
  await withPaymentLock(db, userId, async () => {
    const isGiven = await db.transaction(async (tx) => {
      await tx.insert(memberships).values({ userId }).onConflictDoNothing();
      const isUser = eq(memberships.userId, userId);
      const [own] = await tx
        .select({ giftUntil: memberships.giftUntil })
        .from(memberships)
        .where(isUser)
        .for('no key update');
      const isPaid = and(
        eq(subscriptions.userId, userId),
        sql`${subscriptions.status} in ('active', 'trialing')`,
        sql`least(${subscriptions.endsAt}, ${subscriptions.periodEndsAt}) >= ${paidUntil.toISOString()}::timestamptz`,
      );
      const isLacking = (own?.giftUntil ?? new Date(0)) < paidUntil && (await tx.$count(subscriptions, isPaid)) === 0;
      if (isLacking) await tx.update(memberships).set({ giftUntil: paidUntil }).where(isUser);
      const givenUntil = isLacking ? paidUntil : row.givenUntil;
      await note(tx, row, { state: doneState(row), userId, givenUntil, error: null });
      return isLacking;
    });
    const customerId = isGiven ? await findCustomerId(db, userId) : undefined;
    // Moves the next charge behind it. Without an answer, the sync of the night does.
    if (customerId !== undefined) await syncLocked(parts, userId, customerId).catch(() => undefined);
  });
}

/** The subscription goes on at the provider as it is; from now on the site follows it. */
async function adopt(parts: ImportParts, row: Member, userId: string, customerId: string): Promise<void> {
  const { db } = parts;
  await withPaymentLock(db, userId, async () => {
    const refusal =
      (await refusalOfCustomer(db, customerId, userId)) ?? (await askProvider(parts, customerId, { adoptFor: userId }));
    if (refusal !== undefined) return refuse(db, row, refusal);
    const former = await findCustomerId(db, userId);
    if (former !== customerId)
      await db.transaction(async (tx) => {
        if (former !== undefined) await keepFormer(tx, userId);
        await writeCustomer(tx, userId, customerId, new Date());
      });
    await syncLocked(parts, userId, customerId);
    await note(db, row, { state: doneState(row), userId, isAdopted: true, error: null });
  });
}
