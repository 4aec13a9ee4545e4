import type { IdentityProviderName } from './provider.ts';
import type { SocialProvider } from './social-rules.ts';

/** Settings of the identity provider for signing in from the browser. */
export type BrowserIdentitySettings = {
  /** Those that are configured. */
  social: readonly SocialProvider[];
  /** Only this machine can open the site, so the buttons of unconfigured providers are shown too. */
  isLocal?: boolean;
} & (
  | { provider: Extract<IdentityProviderName, 'built-in'> }
  | {
      provider: Extract<IdentityProviderName, 'firebase'>;
      apiKey: string;
      authDomain: string;
      projectId: string;
      /** URL of Firebase's Auth emulator; null in production. */
      emulatorUrl: string | null;
    }
);

/**
 * Page where a visitor signed up. `prompt`: a feature that needs an account; `paid-link`: after an advertisement;
 * `page`: anywhere else.
 */
export const signUpSources = ['prompt', 'home', 'paid-link', 'gift-card', 'shared-link', 'page'] as const;
export type SignUpSource = (typeof signUpSources)[number];

export const usernameLength = 24;
export const passwordLength = { min: 6, max: 256 } as const;

/** Spec §3: a pink default and five palette hexes. */
export const avatarColors = ['#F29AB0', '#F0B37E', '#8FC7B5', '#93B7EA', '#C9A9E0', '#E3CB7F'] as const;
export type AvatarColor = (typeof avatarColors)[number];

/** @param index as the database keeps it; any other number is the pink default */
export function avatarColorOf(index: number): AvatarColor {
  return avatarColors[index] ?? avatarColors[0];
}

/**
 * Only Latin letters in common use, against look-alike names: no foreign scripts, no phonetic letters (clicks look like
 * `!` and `|`), no wide, raised or joined forms. Names are compared by `lower()` in the database. A name of dots alone
 * would vanish from a URL.
 */
export function isUsername(text: string): boolean {
  return (
    text.length <= usernameLength &&
    !/^\.+$/.test(text) &&
    /^(?:(?=\p{Script=Latin})[A-Za-z\u00C0-\u01BF\u01C4-\u024F\u1E00-\u1EFF]|[0-9._-])+$/u.test(text) &&
    text === text.normalize('NFKC')
  );
}

/** NFC and trimmed, as stored. */
export function normalizeUsername(text: string): string {
  return text.trim().normalize('NFC');
}

/** Trimmed and lower-case, as stored and compared, with an international domain in its ASCII form (RFC 5891). */
export function normalizeEmail(text: string): string {
  const address = text.trim().toLowerCase();
  const [, local, domain] = /^([^@]*)@([\p{L}\p{M}\p{N}.-]+)$/u.exec(address) ?? [];
  if (local === undefined || domain === undefined || !/\P{ASCII}/u.test(domain)) return address;
  const url = URL.parse(`http://${domain}`);
  return url === null ? address : `${local}@${url.hostname}`;
}

/** Any ASCII address without quotation marks (RFC 5322 §3.4.1) at a domain of at least two names. */
export const emailPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!-|\d+$)[a-z0-9-]{2,63}(?<!-)$/i;

/** Six digits of an authenticator app; anything else is a recovery code. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code.replaceAll(/\s/g, ''));
}
