import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSecret, readStoredSecret, restoreSecret } from './site-secret.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'sotto-secret-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const [first, second] = ['1'.repeat(43), '2'.repeat(43)];

test('a restore brings the secret back, or says that it must be set', async () => {
  const notes: string[] = [];
  const note = (line: string) => void notes.push(line);
  expect(await readStoredSecret(dataDir)).toBeUndefined();
  await readSecret({ dataDir, secret: undefined });
  await restoreSecret({ dataDir, secret: undefined }, first, note);
  expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(first);
  expect((await stat(join(dataDir, 'secret'))).mode & 0o077).toBe(0);
  await restoreSecret({ dataDir, secret: second }, second, note);
  await restoreSecret({ dataDir, secret: second }, undefined, note);
  expect(notes).toEqual([]);
  await restoreSecret({ dataDir, secret: second }, first, note);
  await restoreSecret({ dataDir, secret: undefined }, undefined, note);
  expect(notes).toEqual([
    'SECRET is set, so the secret of the backup is not used',
    'The backup holds no secret: set SECRET to that of the site before you start it',
  ]);
  expect(await readStoredSecret(dataDir)).toBe(first);
});
