import { expect, test } from 'vitest';
import { adminAddress } from './admin-address.ts';

test.each(['/admin/reports', '/admin/log?area=user&days=7', '/admin/users/019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b'])(
  '%s is opened after the second factor',
  (wanted) => expect(adminAddress(wanted)).toBe(wanted),
);

test.each([
  undefined,
  null,
  '',
  '/',
  '/library',
  '/administrator',
  '//evil.example/admin',
  'https://evil.example/admin',
  '/admin//evil.example',
  '/admin/\\evil.example',
  '/admin/second-factor',
  '/admin/second-factor?to=/admin/second-factor',
  'javascript:alert(1)',
  `/admin/${'a'.repeat(500)}`,
])('%s leads to the overview', (wanted) => expect(adminAddress(wanted)).toBe('/admin'));
