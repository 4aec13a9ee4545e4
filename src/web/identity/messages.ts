import { t } from '@lingui/core/macro';
import type { FormMessage } from '../ui/fields/use-checked-form.ts';

/** Texts of spec §5 and §8, letter for letter. */

const noInternet = () => t`No internet connection`;
const cannotCreate = () => t`We couldn't create your account. Please try again.`;
const somethingWrong = () => t`Something went wrong. Please try again.`;
const cookiesBlocked = () => t`Your browser blocks cookies from this site. Logging in needs them.`;
export const usernameTaken = () => t`This username is unavailable`;

export const signUpClosed = () => t`This site does not accept new accounts at the moment.`;

const wrongCombination = () => t`This combination does not exist. Please try again.`;

const notReady = () => t`The site is not ready. Please try again in a moment.`;

const logInTexts: Record<string, () => string> = {
  'auth/account-exists-with-different-credential': () =>
    t`An account already exists with the same email address but different sign-in credentials. Please sign in using a provider associated with this email address.`,
  'auth/wrong-password': wrongCombination,
  'auth/user-not-found': wrongCombination,
  'auth/too-many-requests': () =>
    t`Access to this account has been temporarily disabled due to many failed login attempts. You can immediately restore it by resetting your password or you can try again later.`,
  'auth/user-disabled': () => t`This account has been suspended.`,
  'auth/cookies-blocked': cookiesBlocked,
  'auth/internal-error': somethingWrong,
  'auth/not-configured': somethingWrong,
  'auth/invalid-id-token': () => t`This sign-in has expired. Please log in again.`,
  'request/too-many': () => t`Too many requests. Please wait a moment.`,
  'request/wrong-host': () =>
    t`You cannot log in here: this page is not at the address of the site. Please open the site at its own address.`,
  'site/sign-up-closed': signUpClosed,
  'server/failed': somethingWrong,
  'server/unavailable': notReady,
  'server/busy': notReady,
  'server/too-slow': somethingWrong,
  'auth/network-request-failed': noInternet,
  network: noInternet,
};

/** Error of the identity provider or the site. */
export type Failure = { code: string; message?: string | undefined };

/** The fallback of spec §8 is for refusals only; a failure of the site says nothing about the password. */
export function logInMessage({ code }: Failure): string {
  return logInTexts[code]?.() ?? t`invalid email or password`;
}

/** Spec §8 leaves the mapping open. Undefined when the user closed the window, which is not an error. */
export function socialMessage({ code }: Failure): string | undefined {
  if (code === 'auth/popup-closed-by-user') return undefined;
  if (code === 'auth/popup-blocked')
    return t`Your browser blocked the sign-in window. Allow pop-ups for this site and try again.`;
  return logInTexts[code]?.() ?? somethingWrong();
}

export function signUpMessage({ code, message }: Failure): FormMessage<'username' | 'password'> {
  if (message === 'Username is not available') return { field: 'username', text: message };
  switch (code) {
    case 'network':
    case 'auth/network-request-failed':
      return { field: undefined, text: noInternet() };
    case 'auth/cookies-blocked':
      return { field: undefined, text: cookiesBlocked() };
    case 'request/too-many':
      // The site’s message adds when to try again.
      return { field: undefined, text: [cannotCreate(), message].filter(Boolean).join(' ') };
    case 'site/sign-up-closed':
      return { field: undefined, text: signUpClosed() };
    case 'auth/weak-password':
    case 'auth/common-password':
      return { field: 'password', text: message ?? t`Password have a minimum of 6 characters` };
    case 'auth/username-already-in-use':
      return { field: 'username', text: message ?? usernameTaken() };
    default:
      return { field: undefined, text: cannotCreate() };
  }
}

export function usernameMessage({ code, message }: Failure): FormMessage<'username'> {
  if (code === 'auth/username-already-in-use') return { field: 'username', text: message ?? usernameTaken() };
  if (code === 'network') return { field: undefined, text: somethingWrong() };
  return { field: undefined, text: message ?? somethingWrong() };
}

/** Same result whether or not the account exists. @returns undefined when the request was accepted */
export function resetFailure({ code }: Failure): string | undefined {
  return code === 'auth/user-not-found' || code === 'auth/invalid-email' ? undefined : noInternet();
}

export const resetSent = () =>
  t`If an account with this email address exists, a reset link will be sent to that inbox.`;
