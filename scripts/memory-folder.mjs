import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const gibibyte = 2 ** 30;
const shared = '/dev/shm';

/**
 * A folder in memory for the tests' files: their databases wait for a disk at each commit, 6 ms on a slow one.
 * @returns undefined without one, or with too little memory for it
 */
export function makeMemoryFolder() {
  try {
    const { bavail, bsize } = statfsSync(shared);
    if (bavail * bsize < 4 * gibibyte || freemem() < 8 * gibibyte) return undefined;
    const folder = mkdtempSync(join(shared, 'sotto-test-'));
    // PostgreSQL runs as another user below it.
    chmodSync(folder, 0o755);
    if (mayRunPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // No such folder on this system, or it is not writable.
  }
  return undefined;
}

/** Containers often mount it with `noexec`. */
function mayRunPrograms(folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
