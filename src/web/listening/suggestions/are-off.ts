import { preferenceSwitches } from '#domain/identity/preference-rules.ts';

/** By the cookie, which follows the account's choice (`agreeOnPreferences`). */
export function areSuggestionsOff(): boolean {
  return document.cookie.split('; ').includes(`${preferenceSwitches.hasNoSuggestions}=1`);
}
