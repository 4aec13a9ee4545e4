import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode, root, run, runScript, Trouble } from './run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const places = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * A Chromium for the browser tests: CHROMIUM_PATH, an installed one, Playwright's own, or Debian's, the last two
 * installed when they are to be had.
 * @returns {Promise<string>} path of the program
 * @throws Trouble
 */
export async function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (await works(chosen)) return chosen;
    throw new Trouble(`The setting CHROMIUM_PATH is wrong: ${chosen} does not start.`);
  }
  const found = (await findInstalled()) ?? (await findPlaywrights());
  if (found) return found;
  process.stdout.write('Installing a browser for the tests...\n');
  const installed = (await installPlaywrights()) ?? (await installDebians());
  if (installed) return installed;
  throw new Trouble(
    'No Chromium was found and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  );
}

async function findInstalled() {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  for (const path of new Set([...onPath, ...places])) if (existsSync(path) && (await works(path))) return path;
  return undefined;
}

/** Asked and not only looked for: some systems have a program of this name that only says how to get the real one. */
async function works(path) {
  const { code, output } = await run(path, ['--version'], { limit: 20_000 });
  return code === 0 && /chrom/i.test(output);
}

async function findPlaywrights() {
  const { code, output } = await run(findNode(), ['-p', `require('playwright-core').chromium.executablePath()`], {
    limit: 20_000,
  });
  const path = output.trim();
  return code === 0 && existsSync(path) && (await works(path)) ? path : undefined;
}

async function installPlaywrights() {
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js');
  // Its own patience with an unreachable server is minutes.
  const { code } = await run(findNode(), [cli, 'install', '--no-shell', 'chromium'], {
    limit: 300_000,
    silence: 30_000,
  });
  return code === 0 ? findPlaywrights() : undefined;
}

async function installDebians() {
  if (process.getuid?.() !== 0) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const steps = [['update'], ['install', '-y', '--no-install-recommends', 'chromium']];
  for (const step of steps) {
    const { code } = await run('apt-get', step, { env, limit: 600_000 });
    if (code !== 0) return undefined;
  }
  return findInstalled();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runScript(async () => process.stdout.write(`${await findBrowser()}\n`));
}
