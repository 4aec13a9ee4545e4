import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import type { BrowserIdentityProvider, SignInOutcome } from './provider.ts';

let loading: Promise<BrowserIdentityProvider> | undefined;

/**
 * Loads the code of the configured provider, once. Call it when a form that needs it appears, so that it is there at
 * the click. Rejects when the load fails; the next call retries.
 */
export function loadIdentityProvider(settings: BrowserIdentitySettings): Promise<BrowserIdentityProvider> {
  loading ??= load(settings).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(settings: BrowserIdentitySettings): Promise<BrowserIdentityProvider> {
  const provider = await providerOf(settings);
  const orBlocked = (signIn: () => Promise<SignInOutcome>) =>
    navigator.cookieEnabled ? signIn() : Promise.resolve({ ok: false, code: 'auth/cookies-blocked' } as const);
  return {
    ...provider,
    signInWithPassword: (email, password) => orBlocked(() => provider.signInWithPassword(email, password)),
    signInWith: (social) => orBlocked(() => provider.signInWith(social)),
  };
}

async function providerOf(settings: BrowserIdentitySettings): Promise<BrowserIdentityProvider> {
  if (settings.provider === 'firebase') return (await import('./firebase-provider.ts')).firebaseProvider(settings);
  return (await import('./built-in-provider.ts')).builtInProvider(settings);
}
