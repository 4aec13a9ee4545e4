import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formerAssets, keepFormerAssets } from './former-builds.mjs';
import { ensureInstalled } from './install.mjs';
import { ExpectedError, findNode, root, run, runScript, print, toolPath, withLock } from './run.mjs';

const build = join(root, 'build');
const stampFile = join(build, '.stamp');

// Pages import only rules and forms from the domain, but those may import their neighbours.
const sources = [
  'src/web',
  'src/player',
  'src/offline',
  'src/suggestions',
  'src/embed',
  'src/service-worker',
  'src/i18n',
  'src/formats',
  'locales',
  'src/domain',
  'public',
  'vite.config.ts',
  'react-router.config.ts',
  'package-lock.json',
  'tsconfig.json',
];

/** Builds the pages if their sources have changed since the last complete build. @throws ExpectedError */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock('build', async () => {
    if (isBuilt()) return;
    print('Building the pages...');
    const stamp = stampOfSources();
    keepFormerAssets(join(build, 'client', 'assets'), join(root, formerAssets));
    // Removed first and written last, so that an interrupted build never counts as complete.
    rmSync(stampFile, { force: true });
    const { code, output } = await run(findNode(), [toolPath('react-router'), 'build'], {
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (code !== 0) {
      process.stderr.write(output);
      throw new ExpectedError('The pages could not be built: see above.');
    }
    writeFileSync(stampFile, stamp);
  });
}

function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOfSources();
}

/** Hashes content, not times: a copied or freshly checked-out tree is unchanged. */
function stampOfSources() {
  const hash = createHash('sha256');
  for (const path of sources) addTo(hash, path);
  hash.update(JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports));
  return `${hash.digest('hex')}\n`;
}

function addTo(hash, path) {
  const full = join(root, path);
  let content;
  try {
    content = readFileSync(full);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    if (error.code !== 'EISDIR') throw error;
    for (const name of readdirSync(full).sort()) if (!/\.test\.tsx?$/.test(name)) addTo(hash, `${path}/${name}`);
    return;
  }
  hash.update(`${path}\0${content.length}\0`).update(content);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runScript(async () => {
    await ensureInstalled({ development: false });
    await ensureBuilt();
  });
}
