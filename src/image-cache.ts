import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLockFile } from '#db/embedded-lock.ts';

/** The first process keeps the cache from start to start. */
const first = 'images';
const most = 100;

/**
 * A folder for scaled images that no other process uses: `images`, or `images-2` and so on for further processes that
 * share `dataDir`. Folders of processes that are gone are taken over, or else removed.
 */
export function claimImageCache(dataDir: string): { dir: string; release(): void } {
  const parent = join(dataDir, 'cache');
  mkdirSync(parent, { recursive: true });
  try {
    for (let number = 1; number <= most; number += 1) {
      const name = number === 1 ? first : `${first}-${number}`;
      const lock = tryLockFile(join(parent, `${name}.lock`));
      if (lock === undefined) continue;
      removeAbandoned(parent, number);
      return { dir: join(parent, name), release: () => lock.release() };
    }
  } catch {
    // Without locks, such as on some network file systems, no folder of this place is surely free.
  }
  const dir = mkdtempSync(join(tmpdir(), 'sotto-images-'));
  return { dir, release: () => rmSync(dir, { recursive: true, force: true }) };
}

/** @param own number of this process; lower ones are in use, or were a moment ago */
function removeAbandoned(parent: string, own: number): void {
  for (const name of readdirSync(parent)) {
    const number = Number(/^images-(\d+)$/.exec(name)?.[1] ?? 0);
    if (number <= own) continue;
    const lock = tryLockFile(join(parent, `${name}.lock`));
    if (lock === undefined) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
    lock.release();
  }
}
