import { expect, test } from 'vitest';
import { logInMessage, resetFailure, signUpMessage, socialMessage, usernameMessage } from './messages.ts';

test.each([
  ['auth/wrong-password', 'This combination does not exist. Please try again.'],
  ['auth/user-not-found', 'This combination does not exist. Please try again.'],
  [
    'auth/account-exists-with-different-credential',
    'An account already exists with the same email address but different sign-in credentials. Please sign in using a provider associated with this email address.',
  ],
  [
    'auth/too-many-requests',
    'Access to this account has been temporarily disabled due to many failed login attempts. You can immediately restore it by resetting your password or you can try again later.',
  ],
  ['auth/network-request-failed', 'No internet connection'],
  ['auth/unheard-of', 'invalid email or password'],
  // The password may be right, because it was not checked.
  ['auth/internal-error', 'Something went wrong. Please try again.'],
  ['server/failed', 'Something went wrong. Please try again.'],
  [
    'request/wrong-host',
    'You cannot log in here: this page is not at the address of the site. Please open the site at its own address.',
  ],
  ['server/unavailable', 'The site is not ready. Please try again in a moment.'],
  ['request/too-many', 'Too many requests. Please wait a moment.'],
  ['site/sign-up-closed', 'This site does not accept new accounts at the moment.'],
])('log-in says of %s: %s', (code, text) => {
  expect(logInMessage({ code })).toBe(text);
});

test.each([
  ['network', undefined, 'No internet connection'],
  ['auth/network-request-failed', undefined, 'No internet connection'],
  ['auth/invalid-email', undefined, "We couldn't create your account. Please try again."],
  ['auth/email-already-in-use', undefined, "We couldn't create your account. Please try again."],
  ['server/failed', undefined, "We couldn't create your account. Please try again."],
  ['site/sign-up-closed', undefined, 'This site does not accept new accounts at the moment.'],
  ['auth/weak-password', 'password', 'What the provider says'],
  ['auth/common-password', 'password', 'What the provider says'],
  ['request/too-many', undefined, "We couldn't create your account. Please try again. What the provider says"],
  ['auth/username-already-in-use', 'username', 'What the provider says'],
])('sign-up puts %s at %s: %s', (code, field, text) => {
  expect(signUpMessage({ code, message: 'What the provider says' })).toEqual({ field, text });
});

test('sign-up also recognizes a taken username by its message', () => {
  expect(signUpMessage({ code: 'server/failed', message: 'Username is not available' })).toEqual({
    field: 'username',
    text: 'Username is not available',
  });
});

test('the username step shows the site’s message, and its own text when there was no answer', () => {
  expect(usernameMessage({ code: 'auth/username-already-in-use' })).toEqual({
    field: 'username',
    text: 'This username is unavailable',
  });
  expect(usernameMessage({ code: 'network', message: 'No internet connection' })).toEqual({
    field: undefined,
    text: 'Something went wrong. Please try again.',
  });
  expect(usernameMessage({ code: 'auth/under-age', message: 'You must be at least 18 years old' })).toEqual({
    field: undefined,
    text: 'You must be at least 18 years old',
  });
});

test('a reset never reveals whether the account exists', () => {
  expect(resetFailure({ code: 'auth/user-not-found' })).toBeUndefined();
  expect(resetFailure({ code: 'auth/invalid-email' })).toBeUndefined();
  expect(resetFailure({ code: 'auth/network-request-failed' })).toBe('No internet connection');
});

test('closing the social window is not a failure', () => {
  expect(socialMessage({ code: 'auth/popup-closed-by-user' })).toBeUndefined();
  expect(socialMessage({ code: 'auth/popup-blocked' })).toMatch(/^Your browser blocked/);
  expect(socialMessage({ code: 'auth/account-exists-with-different-credential' })).toMatch(/^An account already/);
  expect(socialMessage({ code: 'auth/internal-error' })).toBe('Something went wrong. Please try again.');
});
