/** @module-tag slow */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyBinaries, findBinaries, mendLinks } from './binaries.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'sotto-binaries-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

test('links that the install script did not create are created, and broken ones replaced', () => {
  const lib = join(scratch, 'native', 'lib');
  mkdirSync(lib, { recursive: true });
  writeFileSync(join(lib, 'libpq.so.5.18'), 'library');
  symlinkSync('nowhere', join(lib, 'libpq.so.5'));
  const links = ['native/lib/libpq.so', 'native/lib/libpq.so.5'].map((target) => ({
    source: 'native/lib/libpq.so.5.18',
    target,
  }));
  writeFileSync(join(scratch, 'native', 'pg-symlinks.json'), JSON.stringify(links));

  mendLinks(scratch);
  expect(['libpq.so', 'libpq.so.5'].map((name) => readlinkSync(join(lib, name)))).toEqual([
    'libpq.so.5.18',
    'libpq.so.5.18',
  ]);
});

test('a copy of the programs runs on its own and replaces older copies', () => {
  const binaries = findBinaries();
  mkdirSync(join(scratch, 'postgres-software-17.0.0'));
  const copy = copyBinaries(binaries, scratch);
  expect(readdirSync(scratch)).toEqual([`postgres-software-${binaries.version}`]);
  expect(copy.postgres.startsWith(scratch)).toBe(true);
  expect(execFileSync(copy.postgres, ['--version'], { encoding: 'utf8' })).toContain('PostgreSQL');
  expect(existsSync(join(copy.root, 'share'))).toBe(true);
  expect(copyBinaries(binaries, scratch)).toEqual(copy);
});
