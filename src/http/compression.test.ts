import { expect, test } from 'vitest';
import { chooseCoding } from './compression.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=1.0, br;q=0.5, zstd;q=0', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0, br;q=0.1', 'br'],
  ['gzip;q=0.2, identity;q=0.5', undefined],
  ['gzip;q=0.5, identity;q=0.2', 'gzip'],
  ['deflate', undefined],
  ['*', 'zstd'],
  ['*;q=0', undefined],
  ['zstd;q=0, *', 'br'],
  ['gzip;q=0.3, *;q=0', 'gzip'],
  ['identity;q=0', 'gzip'],
  ['identity;q=0, gzip;q=0', undefined],
  ['identity;q=0, br', 'br'],
])('Accept-Encoding %j gets %s', (header, coding) => {
  expect(chooseCoding(header, 10_000)).toBe(coding);
});

test('a small answer is encoded only for clients that refuse the plain one', () => {
  expect(chooseCoding('gzip', 500)).toBeUndefined();
  expect(chooseCoding('gzip, *;q=0', 500)).toBe('gzip');
});
