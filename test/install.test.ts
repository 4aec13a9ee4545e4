import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { slow } from './support/tags.ts';

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

const machines = ['/usr/bin/node', '/usr/local/bin/node'].filter((node) => existsSync(node));

test.skipIf(machines.length === 0)(
  'the scripts begin on the machine’s own Node, before anything is installed',
  async () => {
    const scripts = (await readdir(join(root, 'scripts'))).filter((name) => name.endsWith('.mjs'));
    const sources = await Promise.all(scripts.map((name) => readFile(join(root, 'scripts', name), 'utf8')));
    const imports = sources.flatMap((source) => source.match(/^import [^;]* from 'node:[^']+';$/gm) ?? []);
    expect(imports.length).toBeGreaterThan(scripts.length);
    const modules = [...new Set(imports)].map((line) => `data:text/javascript,${encodeURIComponent(line)}`);
    const code = `for (const module of ${JSON.stringify(modules)}) await import(module);`;
    for (const node of machines) await run(node, ['--input-type=module', '-e', code]);
  },
);

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

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'a user without rights and without a browser gets one from npm, which opens pages and plays sound',
  { ...slow, timeout: 300_000 },
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'sotto-no-browser-'));
    await cp(join(root, 'scripts'), join(home, 'scripts'), { recursive: true });
    await cp(join(root, '.npmrc'), join(home, '.npmrc'));
    await mkdir(join(home, 'node_modules'));
    await symlink(join(root, 'node_modules', 'node'), join(home, 'node_modules', 'node'));
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (nobody.uid !== undefined) {
      await chown(home, nobody.uid, nobody.gid);
      await chown(join(home, 'node_modules'), nobody.uid, nobody.gid);
    }
    const code = `import { installNpms } from './scripts/browser.mjs'; console.log(await installNpms());`;
    // npm's own settings, if npm runs this test, name the folders of the user that runs it.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
    const env = { ...Object.fromEntries(own), HOME: home };
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: home, env, ...nobody });
    const browser = await chromium.launch({ executablePath: stdout.trim(), args: ['--no-sandbox', '--disable-gpu'] });
    const page = await browser.newPage();
    await page.setContent('<p>Good evening</p>');
    expect(await page.textContent('p')).toBe('Good evening');
    expect(await page.evaluate(() => new Audio().canPlayType('audio/mpeg'))).toBe('probably');
    await browser.close();
    await rm(home, { recursive: true });
  },
);
