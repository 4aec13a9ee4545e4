import type { Me } from '#domain/identity/accounts.ts';
import type { Answer } from '../api.ts';
import { answerOf, api } from '../api.ts';
import { keepCookie } from '../identity/preference-cookie.ts';

/**
 * Discreet mode: neutral tab title, lock-screen text and artwork. The cookie lasts a year; pages change when next
 * loaded.
 */
function keepDiscreet(discreet: boolean): void {
  keepCookie('sotto_discreet', discreet ? '1' : undefined);
}

/**
 * Saves the choice in the browser’s cookie and, for a user, in the account. If the account call fails, neither changes.
 */
export async function chooseDiscreet(user: Me | null, discreet: boolean): Promise<Answer<unknown>> {
  keepDiscreet(discreet);
  if (user === null) return { ok: true, data: undefined };
  const answer = await answerOf(api.user.discreet.$put({ json: { isDiscreet: discreet } }));
  if (!answer.ok) keepDiscreet(!discreet);
  return answer;
}

/** After a log-in, the account’s choice overwrites the cookie. An account without a choice takes over the browser’s. */
export function agreeOnDiscreet(user: Me | null, discreet: boolean): void {
  if (user === null) return;
  if (user.isDiscreet !== null) keepDiscreet(user.isDiscreet);
  else if (discreet) void chooseDiscreet(user, true);
}
