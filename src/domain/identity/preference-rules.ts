import type { Language } from '#formats/languages.ts';
import type { ListeningChoice } from './listening-rules.ts';

/**
 * Settings that a listener keeps in the account, each a switch of the menu. The account, the API, the export, the pages
 * and the menu follow from this list. Off is the default. A browser without a user has them in a cookie, which also
 * applies to users who have not chosen.
 */
export const preferenceSwitches = {
  // Neutral tab title, lock-screen text and artwork, and news without titles.
  isDiscreet: { label: 'Discreet mode', cookie: 'sotto_discreet' },
} satisfies Record<string, { label: string; cookie: string }>;

export type PreferenceName = keyof typeof preferenceSwitches;
export type Preferences = Record<PreferenceName, boolean>;
/** Null: this user has not chosen. */
export type OwnPreferences = Record<PreferenceName, boolean | null>;

/** As an account keeps them, without what its user has not chosen. */
export type StoredPreferences = Partial<OwnPreferences> & { language?: Language } & Partial<ListeningChoice>;

export type PreferencesChange = { [Name in PreferenceName]?: boolean | undefined };

export const preferenceNames = Object.keys(preferenceSwitches) as PreferenceName[];

/** An object with one value for each preference. */
export function forPreferences<Value>(valueOf: (name: PreferenceName) => Value): Record<PreferenceName, Value> {
  return Object.fromEntries(preferenceNames.map((name) => [name, valueOf(name)])) as Record<PreferenceName, Value>;
}
