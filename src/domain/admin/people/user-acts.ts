import type { Refusal } from '../../kernel/errors.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { voices } from '../../catalogue/tables.ts';
import { voiceOwners } from '../../community/tables.ts';
import { liftVoiceBlock } from '../../community/voice-blocks.ts';
import { findOwnAccount } from '../../identity/account-changes.ts';
import { countAttempts } from '../../identity/attempts.ts';
import { isOnlyAdmin, lockAdmins, setAdmin, setModerator, setSuspended } from '../../identity/operators.ts';
import { resetSecondFactor } from '../../identity/second-factor/second-factor.ts';
import { endAllSessions } from '../../identity/sessions.ts';
import { sessions } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isSlug } from '../../kernel/ids.ts';
import type { VoiceRole } from '../../kernel/viewer.ts';
import { cancelSubscription } from '../../membership/changes.ts';
import { type GivenTime, giveTime, takeTimeBack } from '../../membership/gift-cards/operator-gifts.ts';
import { refundUnused } from '../../membership/refunds.ts';
import type { AccountParts } from '../admin-parts.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { mailTo } from '../../identity/account-language.ts';
import { exportMail, givenMonthsMail, newRoleMail } from './mails.ts';
import {
  findAccount,
  isOneself,
  lockAccount,
  notYourself,
  recordOnAccount,
  unknownUser,
  type Account,
} from './user-account.ts';

/** Operators' acts on an account, in the browser and on the command line. Each act is logged in its transaction. */

export async function giveMonths(
  parts: AccountParts,
  actor: Actor,
  userId: string,
  { months, reason, key }: { months: number; reason: string; key?: string | undefined },
): Promise<({ ok: true } & GivenTime) | Refusal<'request/not-found'>> {
  administratorsOnly(actor);
  const account = await findAccount(parts.db, userId);
  if (account === undefined) return unknownUser;
  let isNew = false;
  const given = await giveTime(parts.membership, userId, { months, key }, async (tx) => {
    await recordOnAccount(tx, actor, account, { action: 'user.give-months', after: { months, reason } });
    isNew = true;
  });
  if (isNew && account.email !== null)
    await parts.mail.send(await mailTo(parts.db, account.email, () => givenMonthsMail(parts.site, months, given)));
  return { ok: true, ...given };
}

export async function takeMonthsBack(parts: AccountParts, actor: Actor, userId: string) {
  administratorsOnly(actor);
  const account = await findAccount(parts.db, userId);
  if (account === undefined) return unknownUser;
  const taken = await takeTimeBack(parts.membership, userId, (tx, months) =>
    recordOnAccount(tx, actor, account, { action: 'user.take-months-back', before: { months } }),
  );
  if (taken.ok) return taken;
  const isNone = taken.reason === 'nothing-given';
  return { ok: false, reason: isNone ? 'admin/nothing-given' : 'admin/gift-used' } as const;
}

export type SuspendOutcome =
  | {
      ok: true;
      /** `failed`: the payment provider did not answer; repeating the act stops the renewal. */
      renewal: 'stopped' | 'none' | 'failed';
      /** Refunded cents. */
      refunded: number;
    }
  | Refusal<'request/not-found' | 'admin/not-yourself' | 'admin/last-admin'>;

/**
 * Ends all sessions and blocks new ones, then stops the renewal. The provider is called last, so that the account is
 * locked even while the provider is unreachable.
 */
export async function suspendUser(
  parts: AccountParts,
  actor: Actor,
  userId: string,
  { reason, paysBack }: { reason: string; paysBack: boolean },
): Promise<SuspendOutcome> {
  administratorsOnly(actor);
  const { db, membership } = parts;
  if (isOneself(actor, userId)) return notYourself;
  const suspended = await db.transaction(
    async (tx): Promise<Refusal<'request/not-found' | 'admin/last-admin'> | Account> => {
      await lockAdmins(tx);
      const account = await lockAccount(tx, userId);
      if (account === undefined) return unknownUser;
      if (await isOnlyAdmin(tx, userId)) return { ok: false, reason: 'admin/last-admin' };
      const ended = await tx.$count(sessions, eq(sessions.userId, userId));
      if (account.suspendedAt === null) {
        await setSuspended(tx, userId, true);
        await recordOnAccount(tx, actor, account, {
          action: 'user.suspend',
          before: { suspended: false, sessions: ended },
          after: { suspended: true, sessions: 0, reason },
        });
      } else await endAllSessions(tx, userId);
      return account;
    },
  );
  if ('ok' in suspended) return suspended;
  let refunded = 0;
  try {
    if (paysBack) {
      const paid = await refundUnused(membership, userId, {
        record: (tx, after) => recordOnAccount(tx, actor, suspended, { action: 'user.pay-back', after }),
      });
      refunded = paid?.amount ?? 0;
    }
    const cancelled = await cancelSubscription(membership, userId, 'suspended');
    return { ok: true, renewal: cancelled.ok ? 'stopped' : 'none', refunded };
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'payment/unavailable') throw error;
    return { ok: true, renewal: 'failed', refunded };
  }
}

/** The renewal stays off: only the user may turn it on again. */
export async function liftSuspension(parts: AccountParts, actor: Actor, userId: string) {
  administratorsOnly(actor);
  return parts.db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) return unknownUser;
    if (account.suspendedAt !== null) {
      await setSuspended(tx, userId, false);
      await recordOnAccount(tx, actor, account, {
        action: 'user.lift-suspension',
        before: { suspended: true },
        after: { suspended: false },
      });
    }
    return { ok: true } as const;
  });
}

export async function setAdminRole(parts: AccountParts, actor: Actor, userId: string, isAdmin: boolean) {
  administratorsOnly(actor);
  if (isOneself(actor, userId)) return notYourself;
  const { db, mail, site } = parts;
  const changed = await db.transaction(async (tx) => {
    await lockAdmins(tx);
    const account = await lockAccount(tx, userId);
    if (account === undefined) return unknownUser;
    if (isAdmin && account.suspendedAt !== null) return { ok: false, reason: 'admin/suspended' } as const;
    // A mistyped address would leave a site that nobody can open.
    if (!isAdmin && (await isOnlyAdmin(tx, userId))) return { ok: false, reason: 'admin/last-admin' } as const;
    await setAdmin(tx, userId, isAdmin);
    await recordOnAccount(tx, actor, account, {
      action: isAdmin ? 'user.make-admin' : 'user.take-admin',
      before: { admin: account.isAdmin },
      after: { admin: isAdmin },
    });
    return { ok: true, account } as const;
  });
  if (!changed.ok) return changed;
  const { email, isAdmin: wasAdmin } = changed.account;
  if (isAdmin && !wasAdmin && email !== null)
    await mail.send(await mailTo(db, email, () => newRoleMail(site, 'admin')));
  return { ok: true } as const;
}

export async function setModeratorRole(parts: AccountParts, actor: Actor, userId: string, isModerator: boolean) {
  administratorsOnly(actor);
  if (isOneself(actor, userId)) return notYourself;
  const { db, mail, site } = parts;
  const changed = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) return unknownUser;
    if (isModerator && account.suspendedAt !== null) return { ok: false, reason: 'admin/suspended' } as const;
    await setModerator(tx, userId, isModerator);
    await recordOnAccount(tx, actor, account, {
      action: isModerator ? 'user.make-moderator' : 'user.take-moderator',
      before: { moderator: account.isModerator },
      after: { moderator: isModerator },
    });
    return { ok: true, account } as const;
  });
  if (!changed.ok) return changed;
  const { email, isModerator: was } = changed.account;
  if (isModerator && !was && email !== null)
    await mail.send(await mailTo(db, email, () => newRoleMail(site, 'moderator')));
  return { ok: true } as const;
}

/** @param role null removes the user from the voice */
export async function setVoiceRole(
  parts: AccountParts,
  actor: Actor,
  userId: string,
  voiceSlug: string,
  role: VoiceRole | null,
): Promise<{ ok: true; voice: { slug: string; name: string } } | Refusal<'request/not-found'>> {
  administratorsOnly(actor);
  if (!isSlug(voiceSlug)) return unknownUser;
  const { db, mail, site } = parts;
  const changed = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    const [voice] = await tx
      .select({ id: voices.id, slug: voices.slug, name: voices.name })
      .from(voices)
      .where(and(eq(voices.slug, voiceSlug), isNull(voices.mergedInto)))
      .for('no key update');
    if (account === undefined || voice === undefined) return unknownUser;
    const isOf = and(eq(voiceOwners.voiceId, voice.id), eq(voiceOwners.userId, userId));
    const [before] = await tx.select({ role: voiceOwners.role }).from(voiceOwners).where(isOf);
    if (role === null) await tx.delete(voiceOwners).where(isOf);
    else {
      await tx
        .insert(voiceOwners)
        .values({ voiceId: voice.id, userId, role })
        .onConflictDoUpdate({ target: [voiceOwners.voiceId, voiceOwners.userId], set: { role } });
      await liftVoiceBlock(tx, voice.id, userId);
    }
    await recordOnAccount(tx, actor, account, {
      action: role === null ? 'user.take-voice' : 'user.give-voice',
      voiceId: voice.id,
      before: { voice: voice.name, role: before?.role ?? null },
      after: { voice: voice.name, role },
    });
    return { ok: true, voice: { slug: voice.slug, name: voice.name }, email: account.email, before } as const;
  });
  if (!changed.ok) return changed;
  const { voice, email, before } = changed;
  if (role !== null && role !== before?.role && email !== null)
    await mail.send(await mailTo(db, email, () => newRoleMail(site, { name: voice.name, role })));
  return { ok: true, voice };
}

export async function endSessionsOf(parts: AccountParts, actor: Actor, userId: string) {
  administratorsOnly(actor);
  const { db, identity } = parts;
  const ended = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    if (account === undefined) return undefined;
    const count = await tx.$count(sessions, eq(sessions.userId, userId));
    await endAllSessions(tx, userId);
    if (count > 0)
      await recordOnAccount(tx, actor, account, {
        action: 'user.end-sessions',
        before: { sessions: count },
        after: { sessions: 0 },
      });
    return count;
  });
  if (ended === undefined) return unknownUser;
  const own = await findOwnAccount(db, identity.provider, userId).catch(() => undefined);
  if (own !== undefined) await identity.provider.endSessions(own.subject);
  return { ok: true, ended } as const;
}

type MailOutcome = { ok: true } | Refusal<'request/not-found' | 'admin/no-email' | 'admin/suspended'>;

/** Sends the user a link to set a new password, as "Forgot your password?" does. */
export async function sendPasswordReset(parts: AccountParts, actor: Actor, userId: string): Promise<MailOutcome> {
  administratorsOnly(actor);
  return withAddress(parts, actor, userId, 'user.send-password-reset', (account) =>
    parts.identity.provider.requestPasswordReset(account.email),
  );
}

/**
 * Mails users a link to their data. The page requires their log-in, so nobody else, operators included, can open it.
 */
export async function sendExport(parts: AccountParts, actor: Actor, userId: string): Promise<MailOutcome> {
  administratorsOnly(actor);
  const { site, mail } = parts;
  return withAddress(parts, actor, userId, 'user.send-export', async ({ email, isSuspended }) => {
    if (isSuspended) return 'suspended';
    await mail.send(await mailTo(parts.db, email, () => exportMail(site)));
    return undefined;
  });
}

async function withAddress(
  { db }: AccountParts,
  actor: Actor,
  userId: string,
  action: 'user.send-password-reset' | 'user.send-export',
  send: (account: { email: string; isSuspended: boolean }) => Promise<unknown>,
): Promise<MailOutcome> {
  const account = await findAccount(db, userId);
  if (account === undefined) return unknownUser;
  if (account.email === null) return { ok: false, reason: 'admin/no-email' };
  const sent = await send({ email: account.email, isSuspended: account.suspendedAt !== null });
  if (sent === 'suspended') return { ok: false, reason: 'admin/suspended' };
  await recordOnAccount(db, actor, account, { action });
  return { ok: true };
}

/** For an operator who lost all second factors. Lifts the limit on tries too: setting up a new one asks for a code. */
export async function resetSecondFactorOf(parts: AccountParts, actor: Actor, userId: string) {
  administratorsOnly(actor);
  if (isOneself(actor, userId)) return notYourself;
  if ((await findAccount(parts.db, userId)) === undefined) return unknownUser;
  const had = await resetSecondFactor(parts.db, actor, userId);
  const attempts = countAttempts(parts.db, parts.identity.secret);
  await attempts.lift('second-factor', userId);
  await attempts.lift('recovery-code', userId);
  return { ok: true, had } as const;
}
