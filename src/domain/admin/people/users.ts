import { type SQL, and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { voices } from '../../catalogue/tables.ts';
import { voiceOwners } from '../../community/tables.ts';
import { findHasPassword } from '../../identity/accounts.ts';
import { hasSecondFactorSql } from '../../identity/second-factor/second-factor-sql.ts';
import { accountDeletions, sessions, users } from '../../identity/tables.ts';
import type { Actor, ActorRole } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { type PageQuery, pageIn } from '../../kernel/pages.ts';
import { isSubscribedSql } from '../../membership/entitlement.ts';
import { giftCards, invoiceRefunds, invoices, paymentCustomers } from '../../membership/tables.ts';
import { findSubscription } from '../../membership/subscription.ts';
import type { AccountParts } from '../admin-parts.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { UserFilter } from '../rules.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { foundInWays } from '../word-search.ts';

/**
 * Users as operators see them. No query of this file may read a table of the library, of listening or of search
 * (product.md).
 */

const rowColumns = {
  ...pick(users, 'id', 'username', 'email', 'icon', 'color', 'createdAt'),
  isSubscribed: isSubscribedSql(users.id),
  isAdmin: users.isAdmin,
  isModerator: users.isModerator,
  isCreator: sql<boolean>`exists (select from voice_owners o where o.user_id = ${users.id})`,
  suspendedAt: users.suspendedAt,
  deletionDueAt: accountDeletions.dueAt,
};

/** By the time of joining, newest first. @param query the start of a username or an email, or an id */
export async function listUsers(
  db: Db,
  actor: Actor,
  { query, filter }: { query?: string | undefined; filter?: UserFilter | undefined },
  at: PageQuery,
) {
  administratorsOnly(actor);
  const page = pageIn('users', at, { direction: 'desc', by: users.createdAt, id: users.id });
  // Selects the page first: otherwise the planner would read the tables of its columns completely.
  const ids = db
    .select({ id: users.id })
    .from(users)
    .where(and(await matching(db, query), filter && isOf[filter], page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  const rows = await db
    .select({ ...rowColumns, ...page.columns })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .where(sql`${users.id} = any(array(${ids}))`)
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return page.of(rows);
}
export type UserRow = Awaited<ReturnType<typeof listUsers>>['items'][number];

const isOf: Record<UserFilter, SQL> = {
  admins: sql`${users.isAdmin}`,
  moderators: sql`${users.isModerator}`,
  creators: sql`${users.id} in (select o.user_id from voice_owners o)`,
  suspended: sql`${users.suspendedAt} is not null`,
  deleting: sql`${users.id} in (select d.user_id from account_deletions d)`,
};

async function matching(db: Db, query: string | undefined): Promise<SQL | undefined> {
  const text = query?.trim().toLowerCase() ?? '';
  if (text === '') return undefined;
  if (isId(text)) return eq(users.id, text);
  const start = startingWith(text.replace(/^@/, ''));
  const ways = [sql`${users.email} like ${start}`, sql`lower(${users.username}) like ${start}`];
  return foundInWays(db, { table: sql`${users}`, id: sql`${users.id}` }, ways);
}

/** The operator of a gift: on the command line, or an admin, whose name is null once the account is deleted. */
export type GiftAuthor = { kind: 'command-line' } | { kind: 'admin'; name: string | null };

/** One moment of the subscription, newest first. Amounts in cents. */
export type PaymentMoment =
  | { kind: 'paid' | 'failed' | 'void'; at: Date; amount: number; currency: string; number: string | null }
  | { kind: 'refunded'; at: Date; amount: number; currency: string; number: string | null }
  | { kind: 'given' | 'taken-back'; at: Date; months: number; by: GiftAuthor | null; reason: string | null }
  | { kind: 'gift-card'; at: Date; months: number };

/** @returns undefined for an unknown id */
export async function findUser(parts: AccountParts, actor: Actor, id: string) {
  administratorsOnly(actor);
  const { db, identity, membership } = parts;
  if (!isId(id)) return undefined;
  const [row] = await db
    .select({
      ...rowColumns,
      hasSecondFactor: hasSecondFactorSql(users.id),
      passwordChangedAt: users.passwordChangedAt,
      subject: users.identitySubject,
      deletionReason: accountDeletions.reason,
      customerId: paymentCustomers.customerId,
      suspensionReason: sql<string | null>`case when ${users.suspendedAt} is not null then (
        select e.after->>'reason' from audit_entries e where e.subject_id = ${users.id}::text and e.action = 'user.suspend'
        order by e.id desc limit 1) end`,
      comments: sql<number>`(select count(*)::int from comments c where c.user_id = ${users.id} and c.removed_at is null)`,
    })
    .from(users)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .leftJoin(paymentCustomers, eq(paymentCustomers.userId, users.id))
    .where(eq(users.id, id));
  if (row === undefined) return undefined;
  const { subject, ...account } = row;
  const [own, roles, reports, payments, subscription, hasPassword] = await Promise.all([
    listSessionsOf(db, id),
    listVoicesOf(db, id),
    countReports(db, id),
    listPayments(db, id),
    findSubscription(membership, id),
    subject === null ? null : findHasPassword(identity.provider, { subject, email: row.email ?? '' }),
  ]);
  return {
    ...account,
    /** Null when the identity provider does not say. */
    hasPassword,
    sessions: own,
    voices: roles,
    reports,
    payments,
    subscription,
  };
}
export type UserDetail = NonNullable<Awaited<ReturnType<typeof findUser>>>;

async function listSessionsOf(db: Db, userId: string) {
  return db
    .select(pick(sessions, 'id', 'device', 'createdAt', 'lastUsedAt'))
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .limit(50);
}

async function listVoicesOf(db: Db, userId: string) {
  return db
    .select({ slug: voices.slug, name: voices.name, role: voiceOwners.role })
    .from(voiceOwners)
    .innerJoin(voices, eq(voices.id, voiceOwners.voiceId))
    .where(eq(voiceOwners.userId, userId))
    .orderBy(asc(voices.sortName), asc(voices.id))
    .limit(100);
}

/** Reported comments by this user, and reports made by them. */
async function countReports(db: Db, userId: string) {
  const { rows } = await db.execute<Record<'about' | 'aboutOpen' | 'made' | 'madeOpen', number>>(sql`
    select count(*) filter (where c.user_id = ${userId})::int as about,
      count(*) filter (where c.user_id = ${userId} and r.settled_at is null)::int as "aboutOpen",
      count(*) filter (where r.user_id = ${userId})::int as made,
      count(*) filter (where r.user_id = ${userId} and r.settled_at is null)::int as "madeOpen"
    from comment_reports r join comments c on c.id = r.comment_id
    where r.user_id = ${userId} or r.comment_id in (select own.id from comments own where own.user_id = ${userId})`);
  return rows[0] ?? { about: 0, aboutOpen: 0, made: 0, madeOpen: 0 };
}

const maxPayments = 60;

export async function listPayments(db: Db, userId: string): Promise<PaymentMoment[]> {
  const [billed, refunds, given, redeemed] = await Promise.all([
    db
      .select()
      .from(invoices)
      .where(and(eq(invoices.userId, userId), gt(invoices.total, 0)))
      .orderBy(desc(invoices.createdAt), desc(invoices.id))
      .limit(maxPayments),
    db
      .select({
        at: invoiceRefunds.createdAt,
        amount: invoiceRefunds.amount,
        currency: invoiceRefunds.currency,
        number: invoices.number,
      })
      .from(invoiceRefunds)
      .innerJoin(invoices, eq(invoices.id, invoiceRefunds.invoiceId))
      .where(and(eq(invoiceRefunds.userId, userId), eq(invoiceRefunds.state, 'done')))
      .orderBy(desc(invoiceRefunds.createdAt))
      .limit(maxPayments),
    listGivenMonths(db, userId),
    db
      .select({ at: giftCards.redeemedAt, months: giftCards.months })
      .from(giftCards)
      .where(and(eq(giftCards.redeemedBy, userId), isNull(giftCards.refundedAt)))
      .limit(maxPayments),
  ]);
  const moments: PaymentMoment[] = [
    ...billed.map(({ status, paidAt, createdAt, total, amountPaid, currency, number }) => ({
      kind: status === 'paid' ? ('paid' as const) : status === 'open' ? ('failed' as const) : ('void' as const),
      at: paidAt ?? createdAt,
      amount: status === 'paid' ? amountPaid : total,
      currency,
      number,
    })),
    ...refunds.map((refund) => ({ kind: 'refunded' as const, ...refund })),
    ...given,
    ...redeemed.flatMap(({ at, months }) => (at === null ? [] : [{ kind: 'gift-card' as const, at, months }])),
  ];
  return moments.toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, maxPayments);
}

/** Free months with the operator who gave them and why, from the audit log, which is written in the same transaction. */
async function listGivenMonths(db: Db, userId: string): Promise<PaymentMoment[]> {
  const { rows } = await db.execute<{
    kind: 'given' | 'taken-back';
    at: Date;
    months: number;
    role: ActorRole | null;
    username: string | null;
    reason: string | null;
  }>(sql`
    select g.kind, g.at, g.months, e.actor_role as role, u.username, e.after->>'reason' as reason
    from (
      select 'given' as kind, 'user.give-months' as action, created_at as at, months from given_months where user_id = ${userId}
      union all
      select 'taken-back', 'user.take-months-back', coalesce(taking_back_at, taken_back_at), months from given_months
      where user_id = ${userId} and coalesce(taking_back_at, taken_back_at) is not null
      order by at desc limit ${maxPayments}
    ) g
    left join lateral (
      select a.actor_role, a.actor_id, a.after from audit_entries a
      where a.subject_id = ${userId}::text and a.action = g.action
        -- Earlier versions marked months as taken back shortly before the transaction began.
        and a.created_at between g.at and g.at + case g.kind when 'given' then interval '0' else interval '1 minute' end
      order by a.id limit 1
    ) e on true
    left join users u on u.id = e.actor_id`);
  return rows.map(({ kind, at, months, role, username, reason }) => ({
    kind,
    at: new Date(at),
    months,
    by: role === null ? null : role === 'operator' ? { kind: 'command-line' } : { kind: 'admin', name: username },
    reason,
  }));
}
