import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExpectedError, root, run, runScript, print, systemEnvironment, withLock } from './run.mjs';

const modules = join(root, 'node_modules');
const stampFile = join(modules, '.sotto-install');

/**
 * Makes `node_modules` match package-lock.json; skips npm when it already does.
 * @param options `development` is false where the site's own packages are enough, as after `npm ci --omit=dev`
 * @throws ExpectedError
 */
export async function ensureInstalled({ development = true } = {}) {
  if (isInstalled(development)) return;
  await withLock('install', async () => {
    if (isInstalled(development)) return;
    print('Installing packages...');
    rmSync(stampFile, { force: true });
    let { code, output } = await npm('ci', ...omitted(development));
    // Some npm versions refuse a lock file without every platform's optional packages in `npm ci`; `npm install`
    // accepts it.
    if (code !== 0 && /EUSAGE/.test(output) && lockFitsPackage())
      ({ code, output } = await npm('install', '--no-save', ...omitted(development)));
    if (code === 127) throw new ExpectedError('npm is not on the PATH; it comes with Node.');
    if (code !== 0) {
      process.stderr.write(output);
      throw new ExpectedError('The packages could not be installed: see what npm says above, and start again.');
    }
    writeStamp(development);
  });
}

/** A server (NODE_ENV=production, npm's own sign) needs no packages for development. */
function omitted(development) {
  return development || process.env.NODE_ENV !== 'production' ? ['--include=dev'] : ['--omit=dev'];
}

/** Runs npm without its advice. */
export function npm(...command) {
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const program = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return run(program, [...command, ...options], { env: systemEnvironment() });
}

/** Whether the lock file matches the dependencies in package.json. */
function lockFitsPackage() {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[''];
  const listed = ({ dependencies, devDependencies }) =>
    JSON.stringify(Object.entries({ ...dependencies, ...devDependencies }).sort());
  return listed(wanted) === listed(locked);
}

function isInstalled(development) {
  const lock = readText(join(root, 'package-lock.json'));
  if (lock === undefined) return false;
  const packages = Object.entries(JSON.parse(lock).packages).filter(
    ([path, entry]) => path !== '' && !entry.optional && !entry.devOptional && (development || !entry.dev),
  );
  const isThere = ([path]) => existsSync(join(root, path, 'package.json'));
  if (!packages.every(isThere)) return false;
  const stamp = readText(stampFile);
  if (stamp === stampOf(lock, true) || (!development && stamp === stampOf(lock, false))) return true;
  // npm writes its own list last, so its presence shows a complete install, even offline.
  const list = readText(join(modules, '.package-lock.json'));
  if (list === undefined) return false;
  const installed = JSON.parse(list).packages;
  if (!packages.every(([path, entry]) => installed[path]?.version === entry.version)) return false;
  writeStamp(development);
  return true;
}

function stampOf(lock, development) {
  const packages = development ? 'all' : 'without development';
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch} ${packages}\n`;
}

function writeStamp(development) {
  try {
    writeFileSync(stampFile, stampOf(readFileSync(join(root, 'package-lock.json'), 'utf8'), development));
  } catch {
    // The folder is read-only, as in a container image: check again at each start.
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runScript(ensureInstalled);
