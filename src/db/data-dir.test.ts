import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openDataDir } from './data-dir.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sotto-data-dir-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('missing folders are created once', () => {
  const path = join(scratch, 'deep', 'er', 'data');
  expect(openDataDir(path)).toBe(openDataDir(path));
  expect(statSync(path).mode & 0o077).toBe(process.getuid?.() === 0 ? 0o011 : 0);
});

test.each([
  ['a file', 'file', 'it is a file'],
  ['something below a file', 'file/data', 'a part of its path is a file'],
  ['a link to nowhere', 'nowhere', 'it cannot be created there'],
  ['a link to the root', 'root', 'it is the root of the file system'],
])('%s is refused in one line', (_name, name, reason) => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  writeFileSync(join(scratch, 'file'), '');
  symlinkSync(join(scratch, 'gone'), join(scratch, 'nowhere'));
  symlinkSync('/', join(scratch, 'root'));
  const path = join(scratch, name);
  expect(() => openDataDir(path)).toThrow(`DATA_DIR ${path} cannot be used: ${reason}`);
});

// In a separate process that can be killed: `mkdir` with `recursive` would never return.
test.runIf(existsSync('/proc/self'))('where nothing can be made the answer comes at once', async () => {
  const module = fileURLToPath(new URL('./data-dir.ts', import.meta.url));
  const program = `import { openDataDir } from ${JSON.stringify(module)}; openDataDir('/proc/nothing/data')`;
  const failed = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 10_000 });
  await expect(failed).rejects.toMatchObject({
    killed: false,
    stderr: expect.stringContaining('DATA_DIR /proc/nothing/data cannot be used: it cannot be created there'),
  });
});
