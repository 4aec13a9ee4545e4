import type { Language } from '#formats/languages.ts';
import type { ListeningChoice } from './listening-rules.ts';

/**
 * Settings that a listener keeps in the account, each a switch. The account, the API, the export and the pages follow from
 * this list, and the menu for those with a name there. Off is the default. A browser without a user has them in the cookie
 * named here, which also applies to users who have not chosen.
 */
export const preferenceSwitches = {
  // Neutral tab title, lock-screen text and artwork, and news without titles.
  isDiscreet: 'sotto_discreet',
  // Its switch is where suggestions are.
  hasNoSuggestions: 'sotto_no_suggestions',
} satisfies Record<string, string>;

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
