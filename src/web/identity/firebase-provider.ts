import { initializeApp } from '@firebase/app';
import {
  browserPopupRedirectResolver,
  connectAuthEmulator,
  FacebookAuthProvider,
  GoogleAuthProvider,
  initializeAuth,
  inMemoryPersistence,
  OAuthProvider,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type Auth,
  type AuthProvider,
  type PopupRedirectResolver,
  type UserCredential,
} from '@firebase/auth';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import type { SocialProvider } from '#domain/identity/social-rules.ts';
import { browserLimits, inTime } from '#player/browser-limits.ts';
import {
  isSignInFailure,
  type BrowserIdentityProvider,
  type IdentityOutcome,
  type SignInFailure,
  type SignInOutcome,
} from './provider.ts';

/** With the SDK’s own scopes; others are the general kind. */
const sdkProviders: Partial<Record<SocialProvider, new () => AuthProvider>> = {
  google: GoogleAuthProvider,
  facebook: FacebookAuthProvider,
};

/** Firebase error codes that differ from ours; identical ones are not listed. */
const ourCodes = new Map<unknown, SignInFailure>(
  Object.entries({
    // With email enumeration protection, Firebase gives one answer for both a wrong address and a wrong password.
    'auth/invalid-credential': 'auth/wrong-password',
    'auth/invalid-login-credentials': 'auth/wrong-password',
    'auth/missing-password': 'auth/wrong-password',
    'auth/invalid-email': 'auth/user-not-found',
    'auth/missing-email': 'auth/user-not-found',
    'auth/email-already-in-use': 'auth/account-exists-with-different-credential',
    'auth/credential-already-in-use': 'auth/account-exists-with-different-credential',
    'auth/cancelled-popup-request': 'auth/popup-closed-by-user',
    'auth/user-cancelled': 'auth/popup-closed-by-user',
    'auth/quota-exceeded': 'auth/too-many-requests',
    'auth/timeout': 'auth/network-request-failed',
    'auth/operation-not-allowed': 'auth/not-configured',
    'auth/configuration-not-found': 'auth/not-configured',
    'auth/unauthorized-domain': 'auth/not-configured',
    'auth/invalid-api-key': 'auth/not-configured',
    'auth/api-key-not-valid.-please-pass-a-valid-api-key.': 'auth/not-configured',
  }),
);

/**
 * Before it opens a window, the SDK loads a script of Google, for as long as the browser waits. The window itself has no
 * limit: a person signs in there.
 */
class TimedResolver extends (browserPopupRedirectResolver as unknown as new () => {
  _initialize(auth: Auth): Promise<unknown>;
}) {
  override _initialize(auth: Auth): Promise<unknown> {
    return inTime(super._initialize(auth), browserLimits.call);
  }
}

/** Firebase by its own SDK, without persistence: only the site’s session lasts. */
export function firebaseProvider(
  settings: Extract<BrowserIdentitySettings, { provider: 'firebase' }>,
): BrowserIdentityProvider {
  const { apiKey, authDomain, projectId, emulatorUrl } = settings;
  const auth = initializeAuth(initializeApp({ apiKey, authDomain, projectId }), {
    persistence: inMemoryPersistence,
    popupRedirectResolver: TimedResolver as unknown as PopupRedirectResolver,
  });
  if (emulatorUrl !== null) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true });

  async function idTokenOf(signIn: Promise<UserCredential>): Promise<SignInOutcome> {
    try {
      const { user } = await signIn;
      const idToken = await user.getIdToken();
      await signOut(auth);
      return { ok: true, idToken };
    } catch (error) {
      return { ok: false, code: codeOf(error) };
    }
  }

  return {
    // The SDK itself waits for half a minute, on phones for a whole one.
    signInWithPassword: (email, password) =>
      idTokenOf(inTime(signInWithEmailAndPassword(auth, email, password), browserLimits.call)),
    async signInWith(provider) {
      if (!settings.social.includes(provider)) return { ok: false, code: 'auth/not-configured' };
      const Sdk = sdkProviders[provider];
      return idTokenOf(signInWithPopup(auth, Sdk ? new Sdk() : new OAuthProvider(`${provider}.com`)));
    },
    sendPasswordReset: (email) => outcomeOf(inTime(sendPasswordResetEmail(auth, email), browserLimits.call)),
    signOut: () => outcomeOf(signOut(auth)),
  };
}

async function outcomeOf(done: Promise<void>): Promise<IdentityOutcome> {
  try {
    await done;
    return { ok: true };
  } catch (error) {
    return { ok: false, code: codeOf(error) };
  }
}

function codeOf(error: unknown): SignInFailure {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'auth/network-request-failed';
  const { code } = error as { code?: unknown };
  return isSignInFailure(code) ? code : (ourCodes.get(code) ?? 'auth/internal-error');
}
