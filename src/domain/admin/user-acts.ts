import { and, asc, eq, lte, ne, sql } from 'drizzle-orm';
import { voices } from '../catalogue/tables.ts';
import { voiceOwners } from '../community/tables.ts';
import { eraseAccount, findOwnAccount } from '../identity/account-changes.ts';
import { setAdmin, setSuspended } from '../identity/operators.ts';
import { resetSecondFactor } from '../identity/second-factor.ts';
import { endAllSessions } from '../identity/sessions.ts';
import { accountDeletions, sessions, users } from '../identity/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import type { VoiceRole } from '../kernel/viewer.ts';
import { operator } from '../kernel/actor.ts';
import type { Change } from '../kernel/audit.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import { isId, isSlug } from '../kernel/ids.ts';
import { cancelSubscription } from '../membership/changes.ts';
import type { GivenTime } from '../membership/operator-gifts.ts';
import { refundUnused } from '../membership/refunds.ts';
import { giveTime, takeTimeBack } from '../membership/operator-gifts.ts';
import type { AdminParts } from './admin-parts.ts';
import { administratorsOnly } from './administrators-only.ts';
import { deletionMail, exportMail, keptAccountMail } from './mails.ts';
import { deletionDays } from './rules.ts';

/** Acts of operators on an account, in the browser and on the command line. Each act is recorded with it. */

type Refused<Reason extends ErrorCode> = { ok: false; reason: Reason };
const unknown = { ok: false, reason: 'request/not-found' } as const;

type Account = {
  id: string;
  username: string | null;
  email: string | null;
  isAdmin: boolean;
  suspendedAt: Date | null;
};

const accountColumns = {
  id: users.id,
  username: users.username,
  email: users.email,
  isAdmin: users.isAdmin,
  suspendedAt: users.suspendedAt,
};

async function findAccount(db: Db, userId: string): Promise<Account | undefined> {
  if (!isId(userId)) return undefined;
  const [row] = await db.select(accountColumns).from(users).where(eq(users.id, userId));
  return row;
}

/** Locks the account's row: of two operators, the second sees what the first has done. */
async function lockAccount(tx: Db, userId: string): Promise<Account | undefined> {
  if (!isId(userId)) return undefined;
  const [row] = await tx.select(accountColumns).from(users).where(eq(users.id, userId)).for('no key update');
  return row;
}

async function record(
  tx: Db,
  actor: Actor,
  account: Pick<Account, 'id' | 'username'>,
  change: Pick<Change, 'action' | 'before' | 'after' | 'voiceId'>,
): Promise<void> {
  await recordChange(tx, {
    actor,
    role: actor.kind === 'operator' ? 'operator' : 'admin',
    // The address is no name to keep: an entry outlives the account.
    subject: { type: 'user', id: account.id, name: account.username ?? account.id },
    ...change,
  });
}

export async function giveMonths(
  parts: AdminParts,
  actor: Actor,
  userId: string,
  { months, reason }: { months: number; reason: string },
): Promise<({ ok: true } & GivenTime) | Refused<'request/not-found'>> {
  administratorsOnly(actor);
  const account = await findAccount(parts.db, userId);
  if (account === undefined) return unknown;
  const given = await giveTime(parts.membership, userId, months, (tx) =>
    record(tx, actor, account, { action: 'user.give-months', after: { months, reason } }),
  );
  return { ok: true, ...given };
}

export async function takeMonthsBack(
  parts: AdminParts,
  actor: Actor,
  userId: string,
): Promise<
  ({ ok: true; months: number } & GivenTime) | Refused<'request/not-found' | 'admin/nothing-given' | 'admin/gift-used'>
> {
  administratorsOnly(actor);
  const account = await findAccount(parts.db, userId);
  if (account === undefined) return unknown;
  const taken = await takeTimeBack(parts.membership, userId, (tx, months) =>
    record(tx, actor, account, { action: 'user.take-months-back', before: { months } }),
  );
  if (taken.ok) return taken;
  return { ok: false, reason: taken.reason === 'nothing-given' ? 'admin/nothing-given' : 'admin/gift-used' };
}

export type SuspendOutcome =
  | {
      ok: true;
      /** `failed`: the payment provider did not answer; doing it again stops the renewal. */
      renewal: 'stopped' | 'none' | 'failed';
      /** Cents that were paid back. */
      refunded: number;
    }
  | Refused<'request/not-found' | 'admin/not-yourself' | 'admin/last-admin'>;

/**
 * Ends all sessions and blocks new ones, then stops the renewal. The provider is asked afterwards, so that an account
 * is out at once, also while the provider is away.
 */
export async function suspendUser(
  parts: AdminParts,
  actor: Actor,
  userId: string,
  { reason, paysBack }: { reason: string; paysBack: boolean },
): Promise<SuspendOutcome> {
  administratorsOnly(actor);
  const { db, membership } = parts;
  if (isOneself(actor, userId)) return { ok: false, reason: 'admin/not-yourself' };
  const suspended = await db.transaction(
    async (tx): Promise<Refused<'request/not-found' | 'admin/last-admin'> | Account> => {
      await lockAdmins(tx);
      const account = await lockAccount(tx, userId);
      if (account === undefined) return unknown;
      if (account.isAdmin && (await isLastAdmin(tx, actor, userId))) return { ok: false, reason: 'admin/last-admin' };
      const ended = await tx.$count(sessions, eq(sessions.userId, userId));
      if (account.suspendedAt === null) {
        await setSuspended(tx, userId, true);
        await record(tx, actor, account, {
          action: 'user.suspend',
          before: { suspended: false, sessions: ended },
          after: { suspended: true, sessions: 0, reason },
        });
      } else await endAllSessions(tx, userId);
      return account;
    },
  );
  if ('ok' in suspended) return suspended;
  try {
    const refunded = paysBack ? await payBackUnused(parts, actor, suspended) : 0;
    const cancelled = await cancelSubscription(membership, userId, 'suspended');
    return { ok: true, renewal: cancelled.ok ? 'stopped' : 'none', refunded };
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'payment/unavailable') throw error;
    return { ok: true, renewal: 'failed', refunded: 0 };
  }
}

async function payBackUnused(parts: AdminParts, actor: Actor, account: Account): Promise<number> {
  const paid = await refundUnused(parts.membership, account.id);
  if (paid === undefined) return 0;
  await record(parts.db, actor, account, {
    action: 'user.pay-back',
    after: { amount: paid.amount, currency: paid.currency },
  });
  return paid.amount;
}

/** The renewal stays stopped: only the user decides to pay again. */
export async function liftSuspension(
  parts: AdminParts,
  actor: Actor,
  userId: string,
): Promise<{ ok: true } | Refused<'request/not-found'>> {
  administratorsOnly(actor);
  return parts.db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) return unknown;
    if (account.suspendedAt !== null) {
      await setSuspended(tx, userId, false);
      await record(tx, actor, account, {
        action: 'user.lift-suspension',
        before: { suspended: true },
        after: { suspended: false },
      });
    }
    return { ok: true };
  });
}

export type AdminRoleOutcome =
  | { ok: true }
  | Refused<'request/not-found' | 'admin/not-yourself' | 'admin/last-admin' | 'admin/suspended'>;

export async function setAdminRole(
  parts: AdminParts,
  actor: Actor,
  userId: string,
  isAdmin: boolean,
): Promise<AdminRoleOutcome> {
  administratorsOnly(actor);
  if (isOneself(actor, userId)) return { ok: false, reason: 'admin/not-yourself' };
  return parts.db.transaction(async (tx) => {
    await lockAdmins(tx);
    const account = await lockAccount(tx, userId);
    if (account === undefined) return unknown;
    if (isAdmin && account.suspendedAt !== null) return { ok: false, reason: 'admin/suspended' };
    if (!isAdmin && account.isAdmin && (await isLastAdmin(tx, actor, userId)))
      return { ok: false, reason: 'admin/last-admin' };
    await setAdmin(tx, userId, isAdmin);
    await record(tx, actor, account, {
      action: isAdmin ? 'user.make-admin' : 'user.take-admin',
      before: { admin: account.isAdmin },
      after: { admin: isAdmin },
    });
    return { ok: true };
  });
}

/** @param role null takes the voice away */
export async function setVoiceRole(
  parts: AdminParts,
  actor: Actor,
  userId: string,
  voiceSlug: string,
  role: VoiceRole | null,
): Promise<{ ok: true; voice: { slug: string; name: string } } | Refused<'request/not-found'>> {
  administratorsOnly(actor);
  if (!isSlug(voiceSlug)) return unknown;
  return parts.db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    const [voice] = await tx
      .select({ id: voices.id, slug: voices.slug, name: voices.name })
      .from(voices)
      .where(eq(voices.slug, voiceSlug))
      .for('key share');
    if (account === undefined || voice === undefined) return unknown;
    const isOf = and(eq(voiceOwners.voiceId, voice.id), eq(voiceOwners.userId, userId));
    const [before] = await tx.select({ role: voiceOwners.role }).from(voiceOwners).where(isOf);
    if (role === null) await tx.delete(voiceOwners).where(isOf);
    else
      await tx
        .insert(voiceOwners)
        .values({ voiceId: voice.id, userId, role })
        .onConflictDoUpdate({ target: [voiceOwners.voiceId, voiceOwners.userId], set: { role } });
    await record(tx, actor, account, {
      action: role === null ? 'user.take-voice' : 'user.give-voice',
      voiceId: voice.id,
      before: { voice: voice.name, role: before?.role ?? null },
      after: { voice: voice.name, role },
    });
    return { ok: true, voice: { slug: voice.slug, name: voice.name } };
  });
}

export async function endSessionsOf(
  parts: AdminParts,
  actor: Actor,
  userId: string,
): Promise<{ ok: true; ended: number } | Refused<'request/not-found'>> {
  administratorsOnly(actor);
  const { db, identity } = parts;
  const ended = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) return undefined;
    const count = await tx.$count(sessions, eq(sessions.userId, userId));
    await endAllSessions(tx, userId);
    if (count > 0)
      await record(tx, actor, account, {
        action: 'user.end-sessions',
        before: { sessions: count },
        after: { sessions: 0 },
      });
    return count;
  });
  if (ended === undefined) return unknown;
  const own = await findOwnAccount(db, identity.provider, userId).catch(() => undefined);
  if (own !== undefined) await identity.provider.endSessions(own.subject);
  return { ok: true, ended };
}

type MailOutcome = { ok: true } | Refused<'request/not-found' | 'admin/no-email' | 'admin/suspended'>;

/** Sends the user a link to set a new password, as "Forgot your password?" does. */
export async function sendPasswordReset(parts: AdminParts, actor: Actor, userId: string): Promise<MailOutcome> {
  administratorsOnly(actor);
  return withAddress(parts, actor, userId, 'user.send-password-reset', (account) =>
    parts.identity.provider.requestPasswordReset(account.email),
  );
}

/**
 * Mails the user where to download their data: the page asks for their log-in, so nobody else, operators included, can
 * open it.
 */
export async function sendExport(parts: AdminParts, actor: Actor, userId: string): Promise<MailOutcome> {
  administratorsOnly(actor);
  const { site, mail } = parts;
  return withAddress(parts, actor, userId, 'user.send-export', async ({ email, isSuspended }) => {
    if (isSuspended) return 'suspended';
    await mail.send({ to: email, ...exportMail(site, { link: `${site.url}/account/data` }) });
    return undefined;
  });
}

async function withAddress(
  { db }: AdminParts,
  actor: Actor,
  userId: string,
  action: 'user.send-password-reset' | 'user.send-export',
  send: (account: { email: string; isSuspended: boolean }) => Promise<unknown>,
): Promise<MailOutcome> {
  const account = await findAccount(db, userId);
  if (account === undefined) return unknown;
  if (account.email === null) return { ok: false, reason: 'admin/no-email' };
  const sent = await send({ email: account.email, isSuspended: account.suspendedAt !== null });
  if (sent === 'suspended') return { ok: false, reason: 'admin/suspended' };
  await record(db, actor, account, { action });
  return { ok: true };
}

export type DeletionOutcome =
  | { ok: true; dueAt: Date }
  | Refused<'request/not-found' | 'admin/not-yourself' | 'admin/last-admin'>;

/** Deletes the account after some days; until then the user is told, and it can be taken back. */
export async function planDeletion(
  parts: AdminParts,
  actor: Actor,
  userId: string,
  { reason }: { reason: string },
): Promise<DeletionOutcome> {
  administratorsOnly(actor);
  const { db, mail, site } = parts;
  if (isOneself(actor, userId)) return { ok: false, reason: 'admin/not-yourself' };
  const dueAt = new Date(Date.now() + deletionDays * 24 * 60 * 60 * 1000);
  const planned = await db.transaction(async (tx) => {
    await lockAdmins(tx);
    const account = await lockAccount(tx, userId);
    if (account === undefined) return unknown;
    if (account.isAdmin && (await isLastAdmin(tx, actor, userId)))
      return { ok: false, reason: 'admin/last-admin' } as const;
    const added = await tx
      .insert(accountDeletions)
      .values({ userId, requestedBy: actor.kind === 'user' ? actor.id : null, reason, dueAt })
      .onConflictDoNothing()
      .returning({ userId: accountDeletions.userId });
    if (added.length > 0)
      await record(tx, actor, account, {
        action: 'user.plan-deletion',
        before: { deletion: null },
        after: { deletion: dueAt.toISOString(), reason },
      });
    const [due] = await tx
      .select({ at: accountDeletions.dueAt })
      .from(accountDeletions)
      .where(eq(accountDeletions.userId, userId));
    return { ok: true, dueAt: due?.at ?? dueAt, email: added.length > 0 ? account.email : null } as const;
  });
  if (!planned.ok) return planned;
  if (planned.email !== null) await mail.send({ to: planned.email, ...deletionMail(site, planned) });
  return { ok: true, dueAt: planned.dueAt };
}

export async function takeDeletionBack(
  parts: AdminParts,
  actor: Actor,
  userId: string,
): Promise<{ ok: true } | Refused<'request/not-found'>> {
  administratorsOnly(actor);
  const { db, mail, site } = parts;
  const kept = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) return undefined;
    const [deletion] = await tx
      .delete(accountDeletions)
      .where(eq(accountDeletions.userId, userId))
      .returning({ dueAt: accountDeletions.dueAt });
    if (deletion === undefined) return { email: null };
    await record(tx, actor, account, {
      action: 'user.take-deletion-back',
      before: { deletion: deletion.dueAt.toISOString() },
      after: { deletion: null },
    });
    return { email: account.email };
  });
  if (kept === undefined) return unknown;
  if (kept.email !== null) await mail.send({ to: kept.email, ...keptAccountMail(site) });
  return { ok: true };
}

const perRun = 50;

/** Erases the accounts whose time has come, as their own deletion does. @returns how many */
export async function deleteDueAccounts(parts: AdminParts, signal?: AbortSignal): Promise<number> {
  const { db, identity } = parts;
  const due = await db
    .select({ userId: accountDeletions.userId })
    .from(accountDeletions)
    .where(lte(accountDeletions.dueAt, sql`now()`))
    .orderBy(asc(accountDeletions.dueAt))
    .limit(perRun);
  for (const { userId } of due) {
    signal?.throwIfAborted();
    const account = await findOwnAccount(db, identity.provider, userId).catch(() => undefined);
    if (account !== undefined) await eraseAccount(identity, account, {});
    // An account of another identity provider than today's.
    else await identity.withoutCharges(userId, () => identity.privacy.erase(userId));
    // Without a name: nothing of the account is kept.
    await recordChange(db, {
      actor: operator,
      role: 'operator',
      action: 'user.delete',
      subject: { type: 'user', id: userId, name: 'an account' },
    });
  }
  return due.length;
}

/** For an operator who lost all second factors. */
export async function resetSecondFactorOf(
  parts: AdminParts,
  actor: Actor,
  userId: string,
): Promise<{ ok: true; had: boolean } | Refused<'request/not-found' | 'admin/not-yourself'>> {
  administratorsOnly(actor);
  if (isOneself(actor, userId)) return { ok: false, reason: 'admin/not-yourself' };
  if ((await findAccount(parts.db, userId)) === undefined) return unknown;
  return { ok: true, had: await resetSecondFactor(parts.db, actor, userId) };
}

function isOneself(actor: Actor, userId: string): boolean {
  return actor.kind === 'user' && actor.id === userId;
}

/** In the order of ids, so that two operators who change each other wait instead of deadlocking. */
async function lockAdmins(tx: Db): Promise<void> {
  await tx.execute(sql`select from users where is_admin order by id for no key update`);
}

/** On the command line another one can always be made. */
async function isLastAdmin(tx: Db, actor: Actor, userId: string): Promise<boolean> {
  if (actor.kind === 'operator') return false;
  const others = and(eq(users.isAdmin, true), sql`${users.suspendedAt} is null`, ne(users.id, userId));
  return (await tx.$count(users, others)) === 0;
}
