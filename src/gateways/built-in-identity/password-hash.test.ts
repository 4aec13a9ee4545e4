import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';

test('a hash is argon2id with the OWASP parameters and a new salt each time', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword(one, 'correct horse')).toBe(true);
  expect(await verifyPassword(two, 'correct horse')).toBe(true);
  expect(await verifyPassword(one, 'correct horsf')).toBe(false);
});

test('a hash with other parameters is verified by its own', async () => {
  // By the reference implementation: echo -n password | argon2 somesalt -id -v 13 -t 2 -k 65536 -p 1
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword(hash, 'password')).toBe(true);
  expect(await verifyPassword(hash, 'passwore')).toBe(false);
});

test('composed and decomposed accents are equal', async () => {
  expect(await verifyPassword(await hashPassword('caf\u00e9'), 'cafe\u0301')).toBe(true);
});

test.each([
  '',
  'password',
  '$2b$10$abcdefghijklmnopqrstuv',
  '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQxMjM0NTY$xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  '$argon2id$v=19$m=99999999,t=2,p=1$c29tZXNhbHQxMjM0NTY$xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
])('%j fits no password', async (hash) => {
  expect(await verifyPassword(hash, 'password')).toBe(false);
});
