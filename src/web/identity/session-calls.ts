import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { type TimedInit, logOutLimitMs } from '#player/timed-fetch.ts';
import { answerOf, api, withoutOtherCalls } from '../api.ts';
import type { SessionCalls } from './session.ts';

/** These calls have no body, and the API accepts JSON only for calls that change something. */
const asJson = { headers: { 'content-type': 'application/json' } };

const withLogOutLimit: RequestInit & TimedInit = { limitMs: logOutLimitMs };

export function sessionCalls(identity: BrowserIdentitySettings): SessionCalls {
  return {
    logIn: (firebaseIdtoken) => answerOf(api.auth.login.$post({ json: { firebaseIdtoken } })),
    exchange: () => answerOf(api.auth.session.$post({}, asJson)),
    restore: () => answerOf(api.auth.session.token.$post({}, asJson)),
    logOut: () => withoutOtherCalls(() => answerOf(api.auth.logout.$post({}, { ...asJson, init: withLogOutLimit }))),
    signOutOfProvider: () =>
      import('./load-identity-provider.ts')
        .then(({ loadIdentityProvider }) => loadIdentityProvider(identity))
        .then(
          (provider) => provider.signOut(),
          () => undefined,
        ),
  };
}
