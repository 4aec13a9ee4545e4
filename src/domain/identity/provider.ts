import type { SocialProvider } from './social-rules.ts';

/** Identity provider: the built-in one or Firebase. The rest of the site does not know which. */

export const identityProviderNames = ['built-in', 'firebase'] as const;
export type IdentityProviderName = (typeof identityProviderNames)[number];

export type SignInMethod = 'password' | SocialProvider | 'other';

/** Claims of a verified ID token. */
export type VerifiedIdentity = {
  /** The provider's own id of the account; never changes. */
  subject: string;
  /** Trimmed and lower-case; some social accounts have none. */
  email: string | undefined;
  signInMethod: SignInMethod;
  /** When the user signed in at the provider, not when the token was issued. */
  signedInAt: Date;
  issuedAt: Date;
  expiresAt: Date;
};

export type CreateAccountOutcome =
  | { ok: true; subject: string }
  | { ok: false; reason: 'email-in-use' | 'weak-password' | 'invalid-email' };

export type PasswordOutcome = { ok: true } | { ok: false; reason: 'wrong-password' | 'weak-password' | 'too-many' };

/** One account of the provider, as the site knows it. */
export type ProviderAccount = { subject: string; email: string };

/** When the provider cannot be reached, methods throw `DomainError('server/unavailable')`. */
export type IdentityProvider = {
  name: IdentityProviderName;
  /**
   * Checks signature, algorithm, issuer, audience and times, by RFC 7519 and the provider's rules.
   * @returns undefined for every token that fails a check
   */
  verifyIdToken(idToken: string): Promise<VerifiedIdentity | undefined>;
  /** @param account e-mail trimmed and lower-case */
  createAccount(account: { email: string; password: string }): Promise<CreateAccountOutcome>;
  /**
   * For somebody who has not signed up here: an account without a password, or with one that nobody knows. Repeated, it
   * is the same account as long as nobody uses it, where the provider can tell.
   * @param email trimmed and lower-case
   */
  createInvited(email: string): Promise<CreateAccountOutcome>;
  /**
   * The address at which the owner of such an account sets a password, for two weeks.
   * @returns undefined where only the provider's own mail has one
   */
  invite(account: ProviderAccount): Promise<string | undefined>;
  /**
   * Accounts made by social sign-in may have no password.
   * @returns undefined when the provider does not report it
   */
  hasPassword(account: ProviderAccount): Promise<boolean | undefined>;
  checkPassword(account: ProviderAccount, password: string): Promise<PasswordOutcome>;
  changePassword(
    account: ProviderAccount,
    change: { currentPassword: string; newPassword: string },
  ): Promise<PasswordOutcome>;
  /** Mails the new address a link that makes the change. Does not reveal whether the new address is taken. */
  requestEmailChange(
    account: ProviderAccount,
    change: { password: string; newEmail: string },
  ): Promise<PasswordOutcome>;
  /** @returns the account with its new address; undefined for a used, expired or unknown link */
  confirmEmailChange(token: string): Promise<ProviderAccount | undefined>;
  /** For operators. @returns false without such an account, or when only the provider's console can do it */
  setPassword(email: string, newPassword: string): Promise<boolean>;
  /** Mails the address a link for a new password, if it has an account. @throws when the mail cannot be sent or stored */
  requestPasswordReset(email: string): Promise<void>;
  /**
   * Last change of the password at an external provider, which resets it without the site.
   * @returns undefined when the provider tells the site of changes itself, or for an account without a password
   */
  findPasswordChange(idToken: string): Promise<Date | undefined>;
  /** Ends the provider's own sessions of the account, as far as its API allows. */
  endSessions(subject: string): Promise<void>;
  /**
   * The caller has verified the user, by `checkPassword` with this password or by a fresh ID token. Without either an
   * operator deletes it, which an external provider may leave to its console.
   */
  deleteAccount(account: ProviderAccount, proof: { password?: string; idToken?: string }): Promise<void>;
  /** The provider's data about the account on this site's machines, for the user's export. */
  exportOf(subject: string): Promise<Record<string, unknown>>;
};
