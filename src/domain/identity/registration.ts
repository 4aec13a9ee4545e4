import { chosenLanguage } from './account-language.ts';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { Refusal } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { isCommonPassword } from './common-passwords.ts';
import type { SignUpForm } from './forms.ts';
import type { IdentityParts } from './parts.ts';
import type { Language } from '#formats/languages.ts';
import type { IdentityProvider, IdentityProviderName } from './provider.ts';
import { findListedInName, refuseWords } from '../settings/word-lists.ts';
import { isUsernameReserved } from './reserved-usernames.ts';
import type { SignUpSource } from './rules.ts';
import { countSignUp } from './sign-up-sources.ts';
import { users } from './tables.ts';
import { takenBy } from './unique-fields.ts';

export type RegisterOutcome =
  | { ok: true; user: { id: string; username: string; email: string } }
  | Refusal<
      | 'auth/email-already-in-use'
      | 'auth/username-already-in-use'
      | 'auth/weak-password'
      | 'auth/common-password'
      | 'auth/invalid-email'
      | 'site/sign-up-closed'
    >;

/** Prefix of a placeholder until the provider's account id is known. */
const pending = 'pending ';

/** Public sign-up: refuses common passwords and reserved usernames. */
export async function signUp(
  parts: IdentityParts,
  form: Pick<SignUpForm, 'email' | 'username' | 'password'> & { source?: SignUpSource | undefined },
): Promise<RegisterOutcome> {
  if (parts.isSignUpOpen?.() === false) return { ok: false, reason: 'site/sign-up-closed' };
  if (await isCommonPassword(form.password)) return { ok: false, reason: 'auth/common-password' };
  await refuseWords(parts.db, [form.username], findListedInName);
  if (await isUsernameReserved(parts, form.username)) return { ok: false, reason: 'auth/username-already-in-use' };
  const outcome = await register(parts.db, parts.provider, form);
  if (outcome.ok) await countSignUp(parts.db, form.source);
  return outcome;
}

/**
 * Creates the user, then the provider's account, without a common transaction: it would hold a connection during the
 * provider's call. A later registration cleans up interrupted ones; if the provider's account exists by then, its
 * log-in asks for a username, as for a new social account.
 */
export async function register(
  db: Db,
  provider: IdentityProvider,
  form: Pick<SignUpForm, 'email' | 'username' | 'password'>,
): Promise<RegisterOutcome> {
  const id = newId();
  const { email, username } = form;
  await db
    .delete(users)
    .where(sql`${users.identitySubject} like 'pending %' and ${users.createdAt} < now() - interval '5 minutes'`);
  try {
    // Under concurrency the unique indexes let one succeed.
    await db.insert(users).values({
      id,
      username,
      email,
      identityProvider: provider.name,
      identitySubject: pending + id,
      termsAcceptedAt: new Date(),
      passwordChangedAt: new Date(),
      preferences: await chosenLanguage(db),
    });
  } catch (error) {
    const taken = takenBy(error);
    if (taken !== undefined) return { ok: false, reason: taken };
    throw error;
  }
  const account = await createAccountOrUndo();
  if (!account.ok) {
    const { reason } = account;
    return { ok: false, reason: reason === 'email-in-use' ? 'auth/email-already-in-use' : `auth/${reason}` };
  }
  await db.update(users).set({ identitySubject: account.subject }).where(eq(users.id, id));
  return { ok: true, user: { id, username, email } };

  async function createAccountOrUndo() {
    let outcome: Awaited<ReturnType<IdentityProvider['createAccount']>> | undefined;
    try {
      outcome = await provider.createAccount({ email, password: form.password });
      return outcome;
    } finally {
      if (outcome?.ok !== true) await db.delete(users).where(eq(users.id, id));
    }
  }
}

/**
 * A user whom an operator brings in: they choose a name, and accept the terms, with their first log-in, as after a social
 * sign-up.
 * @throws a violation of `users_email_key`
 */
export async function insertInvited(
  tx: Db,
  account: {
    id: string;
    email: string;
    identityProvider: IdentityProviderName;
    identitySubject: string;
    /** Undefined: the site's default one. */
    language: Language | undefined;
  },
): Promise<void> {
  const { language, ...user } = account;
  await tx.insert(users).values({ ...user, preferences: language === undefined ? {} : { language } });
}
