import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Beside `build`, which React Router deletes when it builds. Relative to the project's folder. */
export const formerAssets = join('build.former', 'assets');

const longestAge = 14 * 24 * 60 * 60 * 1000;
/** About three builds in five languages; the oldest files are removed first. */
const maxFiles = 15_000;

/**
 * Keeps the browser files of the build about to be replaced, because open tabs still request them by their
 * content-hashed names. Old files are deleted, and the oldest when there are too many.
 * @param {string} assets for example `build/client/assets`
 * @param {string} former such as `formerAssets`
 */
export function keepFormerAssets(assets, former, { age = longestAge, files = maxFiles } = {}) {
  mkdirSync(former, { recursive: true });
  // The copy's new mtime makes the age count from the day of replacement.
  for (const name of namesIn(assets)) {
    mkdirSync(dirname(join(former, name)), { recursive: true });
    copyFileSync(join(assets, name), join(former, name));
  }
  const kept = namesIn(former)
    .map((name) => ({ path: join(former, name), time: statSync(join(former, name)).mtimeMs }))
    .sort((one, other) => other.time - one.time);
  for (const [index, { path, time }] of kept.entries()) if (index >= files || time < Date.now() - age) rmSync(path);
}

function namesIn(folder) {
  try {
    // Each language but English has a folder.
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
