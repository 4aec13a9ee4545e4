import type { SocialProvider } from '#domain/identity/social-rules.ts';

export const signInFailures = [
  'auth/wrong-password',
  'auth/user-not-found',
  'auth/user-disabled',
  'auth/too-many-requests',
  'auth/account-exists-with-different-credential',
  'auth/network-request-failed',
  'auth/popup-closed-by-user',
  'auth/popup-blocked',
  /** The operator has not configured this sign-in method. */
  'auth/not-configured',
  /** By the browser’s settings. */
  'auth/cookies-blocked',
  'auth/internal-error',
  'request/too-many',
  'request/wrong-host',
  'server/unavailable',
  'server/busy',
  'server/too-slow',
] as const;

export type SignInFailure = (typeof signInFailures)[number];

export type IdentityOutcome = { ok: true } | { ok: false; code: SignInFailure };
export type SignInOutcome = { ok: true; idToken: string } | { ok: false; code: SignInFailure };

/**
 * Sign-in of the browser. Never rejects. After the ID token is issued, the provider’s own session ends: the site’s
 * session is the only one.
 */
export type BrowserIdentityProvider = {
  signInWithPassword(email: string, password: string): Promise<SignInOutcome>;
  /** Opens a window: call it synchronously in the click handler, or browsers block it. */
  signInWith(provider: SocialProvider): Promise<SignInOutcome>;
  /** `auth/user-not-found` also stands for an invalid address; callers show neither (spec §8). */
  sendPasswordReset(email: string): Promise<IdentityOutcome>;
  signOut(): Promise<IdentityOutcome>;
};

export function isSignInFailure(code: unknown): code is SignInFailure {
  return (signInFailures as readonly unknown[]).includes(code);
}
