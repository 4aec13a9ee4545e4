import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import { answerOf, api } from '../api.ts';
import { loadIdentityProvider } from './provider.ts';
import type { SessionCalls } from './session.ts';

/** These two have no body, and the site takes changing calls as JSON only. */
const asJson = { headers: { 'content-type': 'application/json' } };

export function sessionCalls(identity: BrowserIdentitySettings): SessionCalls {
  return {
    logIn: (firebaseIdtoken) => answerOf(api.auth.login.$post({ json: { firebaseIdtoken } })),
    exchange: () => answerOf(api.auth.session.$post({}, asJson)),
    logOut: () => answerOf(api.auth.logout.$post({}, asJson)),
    signOutOfProvider: () =>
      loadIdentityProvider(identity).then(
        (provider) => provider.signOut(),
        () => undefined,
      ),
  };
}
