import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const copy = await mkdtemp(join(tmpdir(), 'sotto-install-'));
afterAll(() => rm(copy, { recursive: true, force: true }));

test('a start is content without the packages for development, and the tests are not', async () => {
  const packages = {
    '': {},
    'node_modules/needed': { version: '1.0.0' },
    'node_modules/for-development': { version: '1.0.0', dev: true },
  };
  await cp(join(root, 'scripts'), join(copy, 'scripts'), { recursive: true });
  await mkdir(join(copy, 'node_modules', 'needed'), { recursive: true });
  await writeFile(join(copy, 'node_modules', 'needed', 'package.json'), '{}');
  await writeFile(join(copy, 'package-lock.json'), JSON.stringify({ packages }));
  await writeFile(join(copy, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  // Without npm, an incomplete install fails.
  const install = async (options: string) => {
    const code = `import { ensureInstalled } from './scripts/install.mjs'; await ensureInstalled(${options});`;
    await run(process.execPath, ['--input-type=module', '-e', code], { cwd: copy, env: { PATH: '/nowhere' } });
  };
  await install('{ development: false }');
  expect(await readFile(join(copy, 'node_modules', '.sotto-install'), 'utf8')).toContain('without development');
  await install('{ development: false }');
  await expect(install('')).rejects.toThrow('npm is not on the PATH');
});

test('the lock file has every platform’s packages, without which npm 11 refuses npm ci', async () => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in lock.packages) && !(`${path}/node_modules/${name}` in lock.packages),
    ),
  );
  expect(missing).toEqual([]);
});
