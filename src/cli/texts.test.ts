import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';

const { url } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'sotto-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sotto = (...args: string[]) => runSotto(args, { environment: { DATABASE_URL: url } });

function fileOf(text: string): string {
  const path = join(folder, 'text.txt');
  writeFileSync(path, text);
  return path;
}

test('a mail is printed, changed, refused without its link, and given back to the site', async () => {
  const { stdout: own } = await sotto('text', 'show', 'reset-password');
  expect(own).toMatch(/^Subject: Set a new password\n\nSomeone[\s\S]*\(\{link\}\)\n\n---\nIf it was not you/);
  expect((await sotto('text', 'set', 'reset-password', fileOf(own))).code).toBe(0);
  expect((await sotto('text', 'show', 'reset-password')).stdout).toBe(own);
  expect(await sotto('text', 'set', 'reset-password', fileOf('Subject: Hello\n\nNo link.'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('{link} is missing'),
  });
  expect(await sotto('text', 'set', 'reset-password', fileOf('Hello'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not begin with a line such as'),
  });
  expect((await sotto('text', 'list')).stdout).toMatch(/^reset-password +yours +New password$/m);
  expect((await sotto('text', 'default', 'reset-password')).code).toBe(0);
  expect((await sotto('text', 'list')).stdout).not.toContain('yours');
});

test('a page is printed, changed, and refused with an unknown placeholder', async () => {
  expect((await sotto('text', 'show', 'terms')).stdout).toMatch(/^# Terms of Service\n/);
  expect((await sotto('text', 'set', 'terms', fileOf('# Rules\n\nBe kind.\n'))).stdout).toBe('terms has your text.\n');
  expect((await sotto('text', 'show', 'terms')).stdout).toBe('# Rules\n\nBe kind.\n');
  expect(await sotto('text', 'set', 'terms', fileOf('# Rules\n\n{who}'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('{who} is no placeholder'),
  });
  expect(await sotto('text', 'show', 'imprint')).toMatchObject({ code: 1 });
  expect(await sotto('text', 'drop', 'terms')).toMatchObject({ code: 2 });
});

test('an article is published, removed and restored', async () => {
  const file = join(folder, 'on-rain.md');
  writeFileSync(file, '---\ntitle: On rain\ntopic: culture\n---\n\nIt rains.\n');
  expect((await sotto('article', 'publish', file)).code).toBe(0);
  expect((await sotto('article', 'list')).stdout).toMatch(/^20\S+ +culture +on-rain$/m);
  expect((await sotto('article', 'remove', 'on-rain')).code).toBe(0);
  expect((await sotto('article', 'list')).stdout).toBe('');
  expect(await sotto('article', 'unpublish', 'on-rain')).toMatchObject({ code: 1 });
  expect((await sotto('article', 'restore', 'on-rain')).stdout).toBe('on-rain is restored.\n');
  expect((await sotto('article', 'unpublish', 'on-rain')).stdout).toBe('on-rain is a draft.\n');
  expect((await sotto('article', 'list')).stdout).toMatch(/^draft +culture +on-rain$/m);
});
