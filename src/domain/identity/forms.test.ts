import { expect, test } from 'vitest';
import { ChangeEmailForm, LogInForm, ResetForm, SignUpForm, UsernameForm } from './forms.ts';
import { isUsername } from './rules.ts';

const good = { email: 'Ada@Lovelace.example ', username: 'ada.m', password: 'secret', tac: true, legal: true };

function messages(result: { success: boolean; error?: { issues: { message: string }[] } }): string[] {
  return result.error?.issues.map(({ message }) => message) ?? [];
}

test('an email is lower-cased and trimmed', () => {
  expect(SignUpForm.parse(good).email).toBe('ada@lovelace.example');
});

test.for([
  ["a&b!#$%'*+/=?^_`{|}~-@example.com"],
  ['x_y-z%2@sub.domain.example.co.uk'],
  ['user@exämple.de', 'user@xn--exmple-cua.de'],
  ['user@пример.рф', 'user@xn--e1afmkfd.xn--p1ai'],
  ['a@b.example'],
  ["o'neill@example.com"],
  ['ana+sotto=news@example.com'],
  ['#1@example.com'],
  ['a/b@example.com'],
  ['{x}@example.com'],
  ['night|owl@example.com'],
  ['`a`@example.com'],
  ['$ana!@example.com'],
  ['ana@münchen.example', 'ana@xn--mnchen-3ya.example'],
  ['ana@日本.example', 'ana@xn--wgv71a.example'],
  ['ana@faß.example', 'ana@xn--fa-hia.example'],
])('%s is an address', ([typed, stored = typed]) => {
  expect(SignUpForm.parse({ ...good, email: typed }).email).toBe(stored);
});

test.for([
  'a@b',
  'a b@c.example',
  '.a@b.example',
  'a.@b.example',
  'a..b@c.example',
  'a@-b.example',
  'a@b-.example',
  'a@b..example',
  'a@127.0.0.1',
  'a@b@c.example',
  '"a b"@c.example',
  'ä@b.example',
  'a,b@c.example',
  'a<b>@c.example',
  'a@b.example/x',
  `a@${'b'.repeat(64)}.example`,
])('%s is no address', (email) => {
  expect(messages(SignUpForm.safeParse({ ...good, email }))).toEqual(['enter valid email']);
});

test.each([
  [SignUpForm, { ...good, email: '' }, 'enter email'],
  [SignUpForm, { ...good, email: 'ada@lovelace' }, 'enter valid email'],
  [SignUpForm, { ...good, password: '' }, 'enter password'],
  [SignUpForm, { ...good, password: '12345' }, 'password too short'],
  [SignUpForm, { ...good, username: ' ' }, 'enter username'],
  [SignUpForm, { ...good, tac: false }, 'You must be at least 18 years old'],
  [SignUpForm, { ...good, legal: false }, 'You must accept the terms and conditions'],
  [LogInForm, { email: '', password: 'x' }, 'enter email'],
  [LogInForm, { email: 'a@', password: 'x' }, 'enter valid email'],
  [LogInForm, { email: 'a@b.example', password: '' }, 'enter password'],
  [ResetForm, { email: '' }, 'enter valid email'],
  [UsernameForm, { username: '', tac: true, legal: true }, 'Please enter username'],
  [ChangeEmailForm, { email: '', password: 'x' }, 'Please enter email'],
  [ChangeEmailForm, { email: 'x', password: 'x' }, 'Enter a valid email address'],
])('the form says %# in the words of the specification', (form, input, message) => {
  expect(messages(form.safeParse(input))[0]).toBe(message);
});

test('usernames have at most 24 Latin letters, digits and three punctuation marks', () => {
  for (const name of ['a', 'Zoë', 'Łukasz', 'Tuğçe', 'Nguyễn', 'Straße', 'nell_w', 'b.finch-2', 'x'.repeat(24)])
    expect(isUsername(name), name).toBe(true);
  for (const name of [
    '',
    '.',
    '..',
    'two words',
    'аda' /* Cyrillic а */,
    '<b>',
    'a\u0000',
    'a\u200b',
    'x'.repeat(25),
    '😀',
    '\uff41dmin' /* wide */,
    '\u2160van' /* Roman numeral */,
    'wow\u01c3' /* a click, as an exclamation mark */,
    '\u01c0van' /* a click, as a bar */,
    '\ufb01nn' /* joined */,
    '\u00aann' /* raised */,
    '\u0251da' /* phonetic */,
    '\u1d00da' /* small capital */,
    'a\ua78f' /* a dot */,
    '\u01c4ada' /* two letters in one */,
    '\u00d7' /* times */,
  ])
    expect(isUsername(name), name).toBe(false);
});
