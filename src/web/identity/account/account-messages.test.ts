import { expect, test } from 'vitest';
import { refusalOf } from './account-messages.ts';

const fields = { 'auth/wrong-password': 'currentPassword', 'auth/weak-password': 'newPassword' } as const;

test('a wrong password is reported under its field, without the wording of the log-in', () => {
  const refusal = refusalOf({ code: 'auth/wrong-password', message: 'This combination does not exist.' }, fields);
  expect(refusal).toEqual({ field: 'currentPassword', text: 'Password invalid' });
});

test('an address that the site does not take is reported under its field', () => {
  const refusal = refusalOf(
    { code: 'auth/invalid-email', message: 'Enter a valid email address' },
    { 'auth/invalid-email': 'email' },
  );
  expect(refusal).toEqual({ field: 'email', text: 'Email invalid' });
});

test('the site’s message about a field appears under it unchanged', () => {
  const message = 'Password have a minimum of 6 characters';
  expect(refusalOf({ code: 'auth/weak-password', message }, fields)).toEqual({ field: 'newPassword', text: message });
});

test('any other error applies to the whole form', () => {
  const message = 'No internet connection';
  expect(refusalOf({ code: 'network', message }, fields)).toEqual({ field: undefined, text: message });
});
