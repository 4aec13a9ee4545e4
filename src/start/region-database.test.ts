import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { networkOf } from '#domain/identity/networks.ts';
import { writeMmdb } from '#test/support/mmdb.ts';
import { openRegionDatabase } from './region-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'sotto-regions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'regions.mmdb');

test('an address has its country, and its state in the United States', () => {
  const builtAt = new Date('2026-11-01T00:00:00Z');
  writeMmdb(
    path,
    {
      '198.51.100.0/24': 'FR',
      '203.0.113.0/25': 'US-TX',
      '203.0.113.128/25': 'US',
      '192.0.2.0/24': 'DE-BY',
      '192.88.99.0/24': 'ZZ',
      '2001:db8:1::/48': 'GB',
    },
    { builtAt },
  );
  const regions = openRegionDatabase(path);
  expect([regions.kind, regions.builtAt]).toEqual(['Test-City', builtAt]);
  const found = (written: string) => regions.find(networkOf(written));
  expect(found('198.51.100.9')).toBe('FR');
  expect(found('::ffff:198.51.100.9')).toBe('FR');
  expect(regions.find('::ffff:198.51.100.9')).toBe('FR');
  expect(found('203.0.113.7')).toBe('US-TX');
  expect(found('203.0.113.200')).toBe('US');
  expect(found('192.0.2.1')).toBe('DE');
  expect(found('[2001:db8:1:2::3]:4711')).toBe('GB');
  for (const unknown of ['192.88.99.1', '10.0.0.1', '::1', '2001:db8:2::1', 'unknown', ''])
    expect([unknown, found(unknown)]).toEqual([unknown, undefined]);
});

test('a file of IPv4 addresses knows no others', () => {
  // 32.1.13.184 has the first bits of 2001:db8::.
  writeMmdb(path, { '32.1.13.0/24': 'FR' }, { ipVersion: 4 });
  const { find } = openRegionDatabase(path);
  expect([find('32.1.13.184'), find('2001:db8::1')]).toEqual(['FR', undefined]);
});

test('a file that cannot be used is named', () => {
  const missing = join(folder, 'missing.mmdb');
  expect(() => openRegionDatabase(missing)).toThrow(`the file of REGION_DATABASE, ${missing}, cannot be read: ENOENT`);
  writeFileSync(path, 'Not found\n'.repeat(100));
  expect(() => openRegionDatabase(path)).toThrow(
    `the file of REGION_DATABASE, ${path}, is no MMDB file, or is damaged`,
  );
  writeFileSync(path, '');
  expect(() => openRegionDatabase(path)).toThrow('is no MMDB file');
});
