import type { Me } from '#domain/identity/accounts.ts';
import {
  preferenceNames,
  preferenceSwitches,
  type PreferenceName,
  type Preferences,
  type PreferencesChange,
} from '#domain/identity/preference-rules.ts';
import { type Answer, answerOf, api } from '../api.ts';
import { keepCookie } from './preference-cookie.ts';

/** The cookie lasts a year; pages change when next loaded. */
function keepPreference(name: PreferenceName, isOn: boolean): void {
  keepCookie(preferenceSwitches[name], isOn ? '1' : undefined);
}

/**
 * Saves the choices in the browser’s cookies and, for a user, in the account. If the account call fails, neither
 * changes.
 */
export async function choosePreferences(user: Me | null, change: PreferencesChange): Promise<Answer<unknown>> {
  const chosen = preferenceNames.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]] as const]));
  for (const [name, isOn] of chosen) keepPreference(name, isOn);
  if (user === null) return { ok: true, data: undefined };
  const answer = await answerOf(api.user.me.$patch({ json: { preferences: change } }));
  if (!answer.ok) for (const [name, isOn] of chosen) keepPreference(name, !isOn);
  return answer;
}

/** After a log-in, the account’s choices overwrite the cookies. An account without a choice takes over the browser’s. */
export function agreeOnPreferences(user: Me | null, preferences: Preferences): void {
  if (user === null) return;
  const adopted: PreferencesChange = {};
  for (const name of preferenceNames) {
    const own = user.preferences[name];
    if (own !== null) keepPreference(name, own);
    else if (preferences[name]) adopted[name] = true;
  }
  if (Object.keys(adopted).length > 0) void choosePreferences(user, adopted);
}
