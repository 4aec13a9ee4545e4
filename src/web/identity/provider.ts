import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';

export const signInFailures = [
  'auth/wrong-password',
  'auth/user-not-found',
  'auth/user-disabled',
  'auth/too-many-requests',
  'auth/account-exists-with-different-credential',
  'auth/network-request-failed',
  'auth/popup-closed-by-user',
  'auth/popup-blocked',
  /** The operator has not set this way of signing in up. */
  'auth/not-configured',
  'auth/internal-error',
] as const;

export type SignInFailure = (typeof signInFailures)[number];
export type SocialProvider = 'google' | 'facebook';

export type IdentityOutcome = { ok: true } | { ok: false; code: SignInFailure };
export type SignInOutcome = { ok: true; idToken: string } | { ok: false; code: SignInFailure };

/**
 * Where the browser signs in. Nothing rejects. Once the ID token is taken, the provider's own session is over: the
 * site's is the only one.
 */
export type BrowserIdentityProvider = {
  signInWithPassword(email: string, password: string): Promise<SignInOutcome>;
  /** Opens a window: to be called in the click itself, with nothing awaited before it. */
  signInWith(provider: SocialProvider): Promise<SignInOutcome>;
  /** `auth/user-not-found` also stands for an address that is none; a caller shows neither (spec §8). */
  sendPasswordReset(email: string): Promise<IdentityOutcome>;
  signOut(): Promise<IdentityOutcome>;
};

let loading: Promise<BrowserIdentityProvider> | undefined;

/**
 * Fetches the code of the provider that the site uses, once. To be asked for when a form that needs it is shown, so that
 * it is there at the click. Rejects when it cannot be fetched; the next call tries again.
 */
export function loadIdentityProvider(settings: BrowserIdentitySettings): Promise<BrowserIdentityProvider> {
  loading ??= load(settings).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(settings: BrowserIdentitySettings): Promise<BrowserIdentityProvider> {
  if (settings.provider === 'firebase') return (await import('./firebase-provider.ts')).firebaseProvider(settings);
  return (await import('./built-in-provider.ts')).builtInProvider(settings);
}

export function isSignInFailure(code: unknown): code is SignInFailure {
  return (signInFailures as readonly unknown[]).includes(code);
}
