import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLockFile } from '#db/embedded/lock.ts';

const max = 100;

/**
 * A folder below `cache` that no other process uses: `images`, or `images-2` and so on for further processes with the
 * same `dataDir`. The first process keeps its folder across starts; folders of dead processes are reused or removed.
 */
export function claimCacheFolder(dataDir: string, first: 'images' | 'sound'): { dir: string; release(): void } {
  const parent = join(dataDir, 'cache');
  mkdirSync(parent, { recursive: true });
  try {
    for (let number = 1; number <= max; number += 1) {
      const name = number === 1 ? first : `${first}-${number}`;
      const lock = tryLockFile(join(parent, `${name}.lock`));
      if (lock === undefined) continue;
      removeAbandoned(parent, first, number);
      return { dir: join(parent, name), release: () => lock.release() };
    }
  } catch {
    // Without file locks, such as on some network file systems, no folder is safely free.
  }
  const dir = mkdtempSync(join(tmpdir(), `sotto-${first}-`));
  return { dir, release: () => rmSync(dir, { recursive: true, force: true }) };
}

/** @param own number of this process; lower ones are or were just in use */
function removeAbandoned(parent: string, first: string, own: number): void {
  for (const name of readdirSync(parent)) {
    const number = Number(new RegExp(`^${first}-(\\d+)$`).exec(name)?.[1] ?? 0);
    if (number <= own) continue;
    const lock = tryLockFile(join(parent, `${name}.lock`));
    if (lock === undefined) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
    lock.release();
  }
}
