import type { IdentityProviderName } from './provider.ts';

/** Who asks. A request without a valid session is a visitor. */
export type Viewer =
  | { kind: 'visitor' }
  | {
      kind: 'user';
      id: string;
      isSubscribed: boolean;
      /** Has a username and accepted the terms; without, only what anyone may hear (product.md, "Settled in detail"). */
      isComplete: boolean;
    };

export const visitor: Viewer = { kind: 'visitor' };

/** What the browser must know of the identity provider to sign in there. */
export type BrowserIdentitySettings =
  | { provider: Extract<IdentityProviderName, 'built-in'>; google: boolean; facebook: boolean }
  | {
      provider: Extract<IdentityProviderName, 'firebase'>;
      apiKey: string;
      authDomain: string;
      projectId: string;
      /** Of Google's Auth emulator; null for the real one. */
      emulatorUrl: string | null;
      google: boolean;
      facebook: boolean;
    };

export const usernameLength = 24;
export const passwordLength = { min: 6, max: 256 } as const;

/** Avatar colours of the design: a pink default and five more. */
export const avatarColors = 6;

/**
 * Letters that languages are written with, so that no name looks like another by a foreign script, by letters of phonetics
 * (the clicks look like `!` and `|`), or by wide, raised and joined forms; compared by `lower()` in the database. One of
 * dots alone would vanish from an address.
 */
export function isUsername(text: string): boolean {
  return (
    text.length <= usernameLength &&
    !/^\.+$/.test(text) &&
    /^(?:(?=\p{Script=Latin})[A-Za-z\u00C0-\u01BF\u01C4-\u024F\u1E00-\u1EFF]|[0-9._-])+$/u.test(text) &&
    text === text.normalize('NFKC')
  );
}

/** Composed and without spaces around, as it is kept. */
export function normalizeUsername(text: string): string {
  return text.trim().normalize('NFC');
}

/** As it is kept and compared. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}
