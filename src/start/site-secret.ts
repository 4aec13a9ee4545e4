import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config';
import { StartError } from '#db/embedded/start-error.ts';

/** Generated at the first start of a site with the embedded database; with DATABASE_URL the setting is required. */
export async function readSecret({ dataDir, secret: set }: Pick<Config, 'dataDir' | 'secret'>): Promise<string> {
  if (set !== undefined) return set;
  const path = join(dataDir, 'secret');
  // Concurrent starts: the first write wins, and both read the stored value.
  await writeFile(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw new StartError(`${path} cannot be written: ${error.code ?? error.message}`);
    },
  );
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret.length < 32) throw new StartError(`${path} is damaged; delete it, and the site makes a new one`);
  return secret;
}

/** The secret generated at the first start. @returns undefined when there is none */
export async function readStoredSecret(dataDir: string): Promise<string | undefined> {
  return readFile(join(dataDir, 'secret'), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw new StartError(`the secret in ${dataDir} cannot be read: ${error.code}`);
      return undefined;
    },
  );
}

/**
 * Restores the secret of a backup into DATA_DIR, unless SECRET is set.
 * @param note reports what the operator still has to do
 */
export async function restoreSecret(
  { dataDir, secret: set }: Pick<Config, 'dataDir' | 'secret'>,
  secret: string | undefined,
  note: (line: string) => void,
): Promise<void> {
  if (secret === undefined) {
    if (set === undefined) note('The backup holds no secret: set SECRET to that of the site before you start it');
    return;
  }
  if (set !== undefined) {
    if (set !== secret) note('SECRET is set, so the secret of the backup is not used');
    return;
  }
  const path = join(dataDir, 'secret');
  await writeFile(`${path}.new`, secret, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}
