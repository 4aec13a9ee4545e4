import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outageOf } from './outages.ts';

test.each([
  ['57P03', 'away'],
  ['08006', 'away'],
  ['53300', 'away'],
  ['53100', 'away'],
  ['57014', 'busy'],
  ['55P03', 'busy'],
  ['40P01', 'busy'],
  ['40001', 'busy'],
  ['22P02', undefined],
  ['23505', undefined],
])('PostgreSQL saying %s means that it is %s', (code, expected) => {
  const error = Object.assign(new Error('as PostgreSQL says it'), { code });
  expect(outageOf(new DrizzleQueryError('select', [], error))).toBe(expected);
});
