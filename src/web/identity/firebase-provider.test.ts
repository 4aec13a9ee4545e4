import { beforeEach, expect, test, vi } from 'vitest';

// Tests error codes and popups with a mocked SDK; firebase-identity.emulator.test.ts covers the real SDK.
const sdk = vi.hoisted(() => ({
  browserPopupRedirectResolver: class Windows {},
  connectAuthEmulator: vi.fn(),
  FacebookAuthProvider: class Facebook {},
  GoogleAuthProvider: class Google {},
  initializeAuth: vi.fn(() => 'auth'),
  inMemoryPersistence: 'memory',
  sendPasswordResetEmail: vi.fn(),
  signInWithEmailAndPassword: vi.fn(),
  signInWithPopup: vi.fn(),
  signOut: vi.fn(),
}));
vi.mock('@firebase/auth', () => sdk);
vi.mock('@firebase/app', () => ({ initializeApp: (options: object) => options }));

const { firebaseProvider } = await import('./firebase-provider.ts');
const settings = {
  provider: 'firebase',
  apiKey: 'key',
  authDomain: 'demo-sotto.firebaseapp.com',
  projectId: 'demo-sotto',
  emulatorUrl: null,
  social: ['google', 'facebook'],
} as const;
const signedIn = { user: { getIdToken: async () => 'id-token' } };

beforeEach(() => {
  for (const mock of [sdk.connectAuthEmulator, sdk.signInWithPopup, sdk.signInWithEmailAndPassword, sdk.signOut])
    mock.mockReset();
  sdk.sendPasswordResetEmail.mockReset();
});

test('it persists no session, and talks to Firebase itself unless an emulator is set', () => {
  firebaseProvider(settings);
  expect(sdk.initializeAuth).toHaveBeenLastCalledWith(
    { apiKey: 'key', authDomain: 'demo-sotto.firebaseapp.com', projectId: 'demo-sotto' },
    {
      persistence: 'memory',
      popupRedirectResolver: expect.toSatisfy(({ prototype }) => prototype instanceof sdk.browserPopupRedirectResolver),
    },
  );
  expect(sdk.connectAuthEmulator).not.toHaveBeenCalled();
  firebaseProvider({ ...settings, emulatorUrl: 'http://127.0.0.1:9099' });
  expect(sdk.connectAuthEmulator).toHaveBeenCalledWith('auth', 'http://127.0.0.1:9099', { disableWarnings: true });
});

test.each([
  ['google', sdk.GoogleAuthProvider],
  ['facebook', sdk.FacebookAuthProvider],
] as const)(
  '%s opens its window within the click, and Firebase’s session ends once the token is issued',
  async (name, kind) => {
    sdk.signInWithPopup.mockResolvedValue(signedIn);
    const signingIn = firebaseProvider(settings).signInWith(name);
    expect(sdk.signInWithPopup).toHaveBeenCalledWith('auth', expect.any(kind));
    expect(await signingIn).toEqual({ ok: true, idToken: 'id-token' });
    expect(sdk.signOut).toHaveBeenCalledWith('auth');
  },
);

test.each([
  ['auth/invalid-credential', 'auth/wrong-password'],
  ['auth/wrong-password', 'auth/wrong-password'],
  ['auth/user-not-found', 'auth/user-not-found'],
  ['auth/user-disabled', 'auth/user-disabled'],
  ['auth/too-many-requests', 'auth/too-many-requests'],
  ['auth/network-request-failed', 'auth/network-request-failed'],
  ['auth/popup-blocked', 'auth/popup-blocked'],
  ['auth/popup-closed-by-user', 'auth/popup-closed-by-user'],
  ['auth/cancelled-popup-request', 'auth/popup-closed-by-user'],
  ['auth/account-exists-with-different-credential', 'auth/account-exists-with-different-credential'],
  ['auth/operation-not-allowed', 'auth/not-configured'],
  ['auth/unauthorized-domain', 'auth/not-configured'],
  ['auth/something-new', 'auth/internal-error'],
  ['toString', 'auth/internal-error'],
  [undefined, 'auth/internal-error'],
])('its %s is our %s', async (code, ours) => {
  const error = Object.assign(new Error('Firebase'), { code });
  for (const mock of [sdk.signInWithPopup, sdk.signInWithEmailAndPassword, sdk.sendPasswordResetEmail])
    mock.mockRejectedValue(error);
  const provider = firebaseProvider(settings);
  const failed = { ok: false, code: ours };
  expect(await provider.signInWith('google')).toEqual(failed);
  expect(await provider.signInWithPassword('a@b.example', 'x')).toEqual(failed);
  expect(await provider.sendPasswordReset('a@b.example')).toEqual(failed);
});
