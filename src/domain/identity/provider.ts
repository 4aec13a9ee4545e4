/** Who holds passwords and social accounts: the built-in provider or Firebase. The rest of the site does not know which. */

export const identityProviderNames = ['built-in', 'firebase'] as const;
export type IdentityProviderName = (typeof identityProviderNames)[number];

export type SignInMethod = 'password' | 'google' | 'facebook' | 'other';

/** What a verified ID token says. */
export type VerifiedIdentity = {
  /** The provider's own id of the account; never changes. */
  subject: string;
  /** Trimmed and lower-case; some social accounts have none. */
  email: string | undefined;
  signInMethod: SignInMethod;
  /** When the user signed in at the provider, not when this token was made from that. */
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

/** Failures that are nobody's fault (the provider cannot be reached) throw `DomainError('server/unavailable')`. */
export type IdentityProvider = {
  name: IdentityProviderName;
  /**
   * Signature, algorithm, issuer, audience and times, by RFC 7519 and the provider's rules.
   * @returns undefined for every token that must not be believed
   */
  verifyIdToken(idToken: string): Promise<VerifiedIdentity | undefined>;
  /** @param account e-mail trimmed and lower-case */
  createAccount(account: { email: string; password: string }): Promise<CreateAccountOutcome>;
  /**
   * Whether the account has a password at all: one made by Google or Facebook may have none.
   * @returns undefined where the provider does not tell
   */
  hasPassword(account: ProviderAccount): Promise<boolean | undefined>;
  checkPassword(account: ProviderAccount, password: string): Promise<PasswordOutcome>;
  changePassword(
    account: ProviderAccount,
    change: { currentPassword: string; newPassword: string },
  ): Promise<PasswordOutcome>;
  /**
   * Sends the new address a link that makes the change; nothing changes before it is followed. Says nothing of whether
   * the new address is taken.
   */
  requestEmailChange(
    account: ProviderAccount,
    change: { password: string; newEmail: string },
  ): Promise<PasswordOutcome>;
  /** @returns the account with its new address; undefined for a link that is spent, too old or never was */
  confirmEmailChange(token: string): Promise<ProviderAccount | undefined>;
  /** For the operator. @returns false where there is no such account, or the provider leaves this to its own console */
  setPassword(email: string, newPassword: string): Promise<boolean>;
  /** The caller has made sure who asks: by `checkPassword` with this password, or by a fresh ID token. */
  deleteAccount(account: ProviderAccount, proof: { password?: string; idToken?: string }): Promise<void>;
  /** All that the provider keeps of the account on this site's machines, for the user's own export. */
  exportOf(subject: string): Promise<Record<string, unknown>>;
};
