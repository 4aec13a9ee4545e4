import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm } from './install.mjs';
import { ExpectedError, findNode, root, run, runScript, withLock } from './run.mjs';

// The headless shell first: the same engine without windows needs half the work for each page.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const places = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const shell = places[0];
/**
 * A Chromium in a package of npm, for Linux on x64: it needs neither root nor a download of its own. Not a dependency,
 * because it weighs 67 MB, unpacked 210 MB more, and few machines need it.
 */
const npmChromium = { name: '@sparticuz/chromium', version: '153.0.0' };
const webkitPackages = ['webkit2gtk-driver', 'xvfb', 'gstreamer1.0-plugins-base', 'gstreamer1.0-plugins-good'];

/** Browsers besides Chromium, with the programs that a test needs; undefined when one is not installed. */
export function findOtherBrowsers() {
  const libraries = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
  const programs = {
    firefox: { browser: '/usr/bin/firefox-esr', sound: '/usr/bin/pulseaudio' },
    webkit: {
      driver: '/usr/bin/WebKitWebDriver',
      browser: `${libraries}/webkit2gtk-4.1/MiniBrowser`,
      screen: '/usr/bin/Xvfb',
    },
  };
  const ifThere = (paths) => (Object.values(paths).every((path) => existsSync(path)) ? paths : undefined);
  return { firefox: ifThere(programs.firefox), webkit: ifThere(programs.webkit) };
}

/** Installs the Debian packages that browser tests need. Runs before npm's packages are installed. */
export async function prepareBrowsers() {
  const { firefox, webkit } = findOtherBrowsers();
  await installDebians([
    process.env.CHROMIUM_PATH || existsSync(shell) ? [] : ['chromium-headless-shell'],
    firefox ? [] : ['firefox-esr', 'pulseaudio'],
    webkit ? [] : webkitPackages,
  ]);
}

/**
 * A Chromium for the browser tests: CHROMIUM_PATH, an installed one, Debian's, Playwright's own, or npm's; the last
 * three are installed if possible.
 * @returns {Promise<string>} path of the program
 * @throws ExpectedError
 */
export async function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (await works(chosen)) return chosen;
    throw new ExpectedError(`The setting CHROMIUM_PATH is wrong: ${chosen} does not start.`);
  }
  const found = (await findInstalled()) ?? (await findPlaywrights()) ?? (await findNpms());
  if (found) return found;
  process.stdout.write('Installing a browser for the tests...\n');
  await installDebians([['chromium']]);
  const installed = (await findInstalled()) ?? (await installPlaywrights()) ?? (await installNpms());
  if (installed) return installed;
  throw new ExpectedError(
    'No Chromium was found and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  );
}

async function findInstalled() {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  for (const path of new Set([...onPath, ...places])) if (existsSync(path) && (await works(path))) return path;
  return undefined;
}

/** Runs it, because on some systems this name is a stub that only explains how to install it. */
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
  // Playwright itself waits minutes for an unreachable server.
  const { code } = await run(findNode(), [cli, 'install', '--no-shell', 'chromium'], {
    limit: 300_000,
    silence: 30_000,
  });
  return code === 0 ? findPlaywrights() : undefined;
}

const npmsFolder = join(root, 'node_modules', '.cache', `chromium-${npmChromium.version}`);
const npmsProgram = join(npmsFolder, 'chromium-with-libraries');

async function findNpms() {
  return existsSync(npmsProgram) && (await works(npmsProgram)) ? npmsProgram : undefined;
}

/** With the libraries and fonts that a desktop or Debian's package would have; they are in the npm package too. */
export async function installNpms() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  return withLock('chromium', async () => {
    const found = await findNpms();
    if (found) return found;
    rmSync(npmsFolder, { recursive: true, force: true });
    mkdirSync(npmsFolder, { recursive: true });
    const { name, version } = npmChromium;
    const { code } = await npm(
      'install',
      '--prefix',
      npmsFolder,
      '--no-save',
      '--ignore-scripts',
      `${name}@${version}`,
    );
    if (code !== 0) return undefined;
    const unpack = `const { inflate } = await import('${name}');
      for (const part of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'])
        await inflate('node_modules/${name}/bin/' + part);`;
    const unpacked = await run(findNode(), ['--input-type=module', '-e', unpack], {
      cwd: npmsFolder,
      env: { ...process.env, TMPDIR: npmsFolder },
    });
    if (unpacked.code !== 0) return undefined;
    rmSync(join(npmsFolder, 'node_modules'), { recursive: true });
    // Written last, so that an interrupted install does not count.
    const script = `#!/bin/sh
folder=$(dirname "$0")
LD_LIBRARY_PATH=$folder/al2023/lib FONTCONFIG_PATH=$folder/fonts exec "$folder/chromium" "$@"
`;
    writeFileSync(npmsProgram, script, { mode: 0o755 });
    return findNpms();
  });
}

/** Installs groups of packages; an unavailable one does not block the others. */
async function installDebians(groups) {
  const wanted = groups.filter((group) => group.length > 0);
  if (wanted.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const install = (packages) => apt(['install', '-y', '--no-install-recommends', ...packages]);
  process.stdout.write(`Installing for the tests: ${wanted.flat().join(' ')}\n`);
  if (!(await apt(['update'])) || (await install(wanted.flat()))) return;
  for (const group of wanted) await install(group);
}

/** @returns whether it succeeded */
export async function apt(step, limit = 240_000) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (await run('apt-get', step, { env, limit })).code === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runScript(async () => process.stdout.write(`${await findBrowser()}\n`));
}
