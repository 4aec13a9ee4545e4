import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, like, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { purgeRows } from '#domain/kernel/purge.ts';
import type { Mail } from '#domain/gateways.ts';
import { addressTaken, confirmEmail, emailChangedMail, passwordChanged } from '#domain/identity/mails.ts';
import type { MailContent, MailSite } from '#domain/kernel/email-template.ts';
import { renderMail } from '#domain/kernel/mail-text.ts';
import type { IdentityProvider, PasswordOutcome, ProviderAccount } from '#domain/identity/provider.ts';
import { normalizeEmail, passwordLength } from '#domain/identity/rules.ts';
import { type Auth, invitationDays, linkSeconds, passwordLink } from './auth.ts';
import { verifyIdToken } from './id-tokens.ts';
import { isReservedEmail, realEmail } from './social.ts';
import { providerAccounts, providerSessions, providerUsers, providerVerifications } from './tables.ts';

export type ProviderParts = {
  db: Db;
  auth: Auth;
  site: MailSite;
  mail: Pick<Mail, 'send' | 'purge'>;
  /** Runs work in the background: its duration would reveal whether an address is known. */
  inBackground(what: string, work: () => Promise<void>): void;
  requestPasswordReset(email: string): Promise<void>;
  onPasswordChanged(account: ProviderAccount): Promise<void>;
};

/** The provider's side of `IdentityProvider`, on better-auth's own tables and by its hashes. */
export function createProvider(parts: ProviderParts): IdentityProvider {
  const { db, auth, site, mail, inBackground } = parts;

  const notify = (to: string, content: MailContent) =>
    inBackground('A mail was not written', () => mail.send({ to, ...content }));

  async function hashOf(subject: string): Promise<string | undefined> {
    const { internalAdapter } = await auth.$context;
    return (await internalAdapter.findCredentialAccount(subject))?.password ?? undefined;
  }

  async function checkPassword(account: { subject: string }, typed: string): Promise<PasswordOutcome> {
    const { password } = await auth.$context;
    const hash = await hashOf(account.subject);
    // Without a password the hash is computed anyway, so that timing reveals nothing.
    const fits =
      hash === undefined ? void (await password.hash(typed)) : await password.verify({ hash, password: typed });
    return fits === true ? { ok: true } : { ok: false, reason: 'wrong-password' };
  }

  /** Changing the password invalidates sessions and links of the old one. */
  async function writePassword(subject: string, newPassword: string): Promise<void> {
    const { internalAdapter, password } = await auth.$context;
    const hash = await password.hash(newPassword);
    if ((await internalAdapter.findCredentialAccount(subject)) === null)
      await internalAdapter.linkAccount({
        userId: subject,
        providerId: 'credential',
        accountId: subject,
        password: hash,
      });
    else await internalAdapter.updatePassword(subject, hash);
    await db.delete(providerSessions).where(eq(providerSessions.userId, subject));
    await dropLinks(db, subject);
  }

  return {
    name: 'built-in',

    verifyIdToken: (idToken) => verifyIdToken(db, site.url, idToken),

    async createAccount({ email, password }) {
      if (!isUsablePassword(password)) return { ok: false, reason: 'weak-password' };
      if (isReservedEmail(email)) return { ok: false, reason: 'invalid-email' };
      const context = await auth.$context;
      const hash = await context.password.hash(password);
      const now = new Date();
      try {
        const subject = await context.adapter.transaction(async (transaction) => {
          const user = await transaction.create<Record<string, unknown>, { id: string }>({
            model: 'user',
            data: { email, name: '', emailVerified: false, createdAt: now, updatedAt: now },
          });
          await transaction.create({
            model: 'account',
            data: {
              userId: user.id,
              providerId: 'credential',
              accountId: user.id,
              password: hash,
              createdAt: now,
              updatedAt: now,
            },
          });
          return user.id;
        });
        return { ok: true, subject };
      } catch (error) {
        if (isEmailTaken(error)) return { ok: false, reason: 'email-in-use' };
        throw error;
      }
    },

    async createInvited(email) {
      if (isReservedEmail(email)) return { ok: false, reason: 'invalid-email' };
      const { adapter } = await auth.$context;
      const now = new Date();
      const data = { email, name: '', emailVerified: false, createdAt: now, updatedAt: now };
      try {
        const { id } = await adapter.create<Record<string, unknown>, { id: string }>({ model: 'user', data });
        return { ok: true, subject: id };
      } catch (error) {
        if (!isEmailTaken(error)) throw error;
        const [unused] = await db
          .select({ id: providerUsers.id })
          .from(providerUsers)
          .where(and(eq(providerUsers.email, email), isUnused));
        return unused === undefined ? { ok: false, reason: 'email-in-use' } : { ok: true, subject: unused.id };
      }
    },

    async invite({ subject, email }) {
      const { internalAdapter } = await auth.$context;
      const token = randomBytes(24).toString('base64url');
      // As better-auth stores it when somebody asks for a new password.
      await internalAdapter.createVerificationValue({
        value: subject,
        identifier: `reset-password:${token}`,
        expiresAt: new Date(Date.now() + invitationDays * 24 * 60 * 60 * 1000),
      });
      return passwordLink(site.url, { email, token });
    },

    hasPassword: async ({ subject }) => (await hashOf(subject)) !== undefined,

    checkPassword,

    async changePassword(account, { currentPassword, newPassword }) {
      if (!isUsablePassword(newPassword)) return { ok: false, reason: 'weak-password' };
      const outcome = await checkPassword(account, currentPassword);
      if (!outcome.ok) return outcome;
      try {
        await writePassword(account.subject, newPassword);
      } catch (error) {
        // The account was deleted after the password was checked.
        if (isAccountGone(error)) return { ok: false, reason: 'wrong-password' };
        throw error;
      }
      const email = await findEmail(db, account.subject);
      if (email !== undefined) notify(email, renderMail(site, passwordChanged, {}));
      return { ok: true };
    },

    async requestEmailChange(account, { password, newEmail }) {
      const outcome = await checkPassword(account, password);
      if (!outcome.ok) return outcome;
      const { subject } = account;
      const to = normalizeEmail(newEmail);
      inBackground('A change of e-mail could not be prepared', async () => {
        if (isReservedEmail(to)) return;
        const [owner] = await db
          .select({ id: providerUsers.id })
          .from(providerUsers)
          .where(eq(providerUsers.email, to))
          .limit(1);
        if (owner !== undefined) return mail.send({ to, ...renderMail(site, addressTaken, { link: site.url }) });
        const token = randomBytes(32).toString('base64url');
        // Only the last request counts; a mistyped address has no working link.
        await db.delete(providerVerifications).where(isEmailChangeOf(subject));
        // Locks the account's row, to wait for a concurrent deletion.
        const { rowCount } = await db.execute(sql`
          insert into provider_verifications (id, identifier, value, expires_at)
          select ${randomBytes(16).toString('hex')}, ${hashToken(token)}, ${emailChangeValue(subject, to)},
            now() + make_interval(secs => ${linkSeconds})
          from provider_users u where u.id = ${subject} for key share`);
        if (rowCount === 0) return;
        await mail.send({
          to,
          ...renderMail(site, confirmEmail, { link: `${site.url}/confirm-email?token=${token}` }),
        });
      });
      return { ok: true };
    },

    async confirmEmailChange(token) {
      try {
        const change = await db.transaction(async (transaction) => {
          const [link] = await transaction
            .delete(providerVerifications)
            .where(
              and(
                eq(providerVerifications.identifier, hashToken(token)),
                gt(providerVerifications.expiresAt, new Date()),
              ),
            )
            .returning({ value: providerVerifications.value });
          const change = link && readEmailChange(link.value);
          if (change === undefined) return undefined;
          const oldEmail = await findEmail(transaction, change.subject);
          const changed = await transaction
            .update(providerUsers)
            .set({ email: change.email, emailVerified: true, updatedAt: new Date() })
            .where(eq(providerUsers.id, change.subject))
            .returning({ id: providerUsers.id });
          if (changed.length === 0) return undefined;
          // Links sent to the old address would still open the account.
          await dropLinks(transaction, change.subject);
          return { ...change, oldEmail };
        });
        if (change === undefined) return undefined;
        const { subject, email, oldEmail } = change;
        if (oldEmail !== undefined) notify(oldEmail, emailChangedMail(site, { newEmail: email }));
        return { subject, email };
      } catch (error) {
        // Someone else took the address after the mail was sent.
        if (isEmailTaken(error)) return undefined;
        throw error;
      }
    },

    async setPassword(email, newPassword) {
      if (!isUsablePassword(newPassword)) throw new DomainError('auth/weak-password');
      const { internalAdapter } = await auth.$context;
      const account = await internalAdapter.findUserByEmail(normalizeEmail(email));
      if (account === null) return false;
      await writePassword(account.user.id, newPassword);
      await parts.onPasswordChanged({ subject: account.user.id, email: account.user.email });
      return true;
    },

    async requestPasswordReset(email) {
      await parts.requestPasswordReset(normalizeEmail(email));
    },

    /** `onPasswordChanged` reports each change. */
    async findPasswordChange() {
      return undefined;
    },

    async endSessions(subject) {
      await db.delete(providerSessions).where(eq(providerSessions.userId, subject));
    },

    async deleteAccount({ subject }) {
      const addresses = [await findEmail(db, subject), ...(await findWantedEmails(db, subject))];
      // Cascades to sessions and sign-in methods. Links follow, because none is made for a deleted account.
      await db.delete(providerUsers).where(eq(providerUsers.id, subject));
      await dropLinks(db, subject);
      inBackground('Mails to a deleted account could not be dropped', async () => {
        for (const address of addresses) if (address !== undefined) await mail.purge(address);
      });
    },

    async exportOf(subject) {
      const [account] = await db
        .select({
          id: providerUsers.id,
          email: providerUsers.email,
          emailVerified: providerUsers.emailVerified,
          createdAt: providerUsers.createdAt,
          updatedAt: providerUsers.updatedAt,
        })
        .from(providerUsers)
        .where(eq(providerUsers.id, subject));
      const signInMethods = await db
        .select({
          method: providerAccounts.providerId,
          idThere: providerAccounts.accountId,
          createdAt: providerAccounts.createdAt,
          updatedAt: providerAccounts.updatedAt,
        })
        .from(providerAccounts)
        .where(eq(providerAccounts.userId, subject));
      return { account: account ?? null, signInMethods };
    },
  };
}

/** Deletes expired sessions and links, which better-auth keeps. */
export async function purgeExpired(db: Db, signal?: AbortSignal): Promise<void> {
  await purgeRows(db, providerSessions, lt(providerSessions.expiresAt, sql`now()`), signal);
  await purgeRows(db, providerVerifications, lt(providerVerifications.expiresAt, sql`now()`), signal);
  await purgeRows(db, providerUsers, isUnclaimed, signal);
}

const hasNoUser = sql`not exists (
  select from users u where u.identity_provider = 'built-in' and u.identity_subject = provider_users.id)`;

/** Nobody logged in to the site with it within a day, such as after a window for Google was closed too early. */
const isUnclaimed = sql`${providerUsers.createdAt} < now() - interval '1 day' and ${hasNoUser}`;

/** Made by `createInvited`, which was interrupted: nobody can sign in with it. */
const isUnused = sql`${hasNoUser} and not exists (
  select from provider_accounts a where a.user_id = provider_users.id)`;

/** Both kinds: better-auth's for a new password hold the account's id, ours for a new e-mail begin with it. */
export async function dropLinks(db: Db, subject: string): Promise<void> {
  await db.delete(providerVerifications).where(or(eq(providerVerifications.value, subject), isEmailChangeOf(subject)));
}

/** Ids are letters and digits, so nothing in them is a pattern. */
function isEmailChangeOf(subject: string) {
  return like(providerVerifications.value, `email-change ${subject} %`);
}

/** New addresses that were not confirmed yet. */
async function findWantedEmails(db: Db, subject: string): Promise<(string | undefined)[]> {
  const links = await db
    .select({ value: providerVerifications.value })
    .from(providerVerifications)
    .where(isEmailChangeOf(subject));
  return links.map(({ value }) => readEmailChange(value)?.email);
}

function emailChangeValue(subject: string, email: string): string {
  return `email-change ${subject} ${email}`;
}

function readEmailChange(value: string): { subject: string; email: string } | undefined {
  const [, subject, email] = /^email-change (\w+) (\S+)$/.exec(value) ?? [];
  return subject === undefined || email === undefined ? undefined : { subject, email };
}

function hashToken(token: string): string {
  return createHash('sha256').update(`email-change:${token}`).digest('base64url');
}

async function findEmail(db: Db, subject: string): Promise<string | undefined> {
  const [row] = await db
    .select({ email: providerUsers.email })
    .from(providerUsers)
    .where(eq(providerUsers.id, subject))
    .limit(1);
  return row && realEmail(row.email);
}

function isUsablePassword(password: string): boolean {
  return password.length >= passwordLength.min && password.length <= passwordLength.max;
}

/** SQLSTATE 23505 on the address. */
function isEmailTaken(error: unknown): boolean {
  const { code, constraint } = violationOf(error);
  return code === '23505' && constraint === 'provider_users_email_key';
}

/** SQLSTATE 23503: the account was deleted. */
function isAccountGone(error: unknown): boolean {
  return violationOf(error).code === '23503';
}

/** Drizzle wraps the driver's error. */
function violationOf(error: unknown): { code?: string; constraint?: string } {
  const { cause = error } = error as { cause?: unknown };
  return cause as { code?: string; constraint?: string };
}
