import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config';
import { StartError } from '#db/embedded-start-error.ts';

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
