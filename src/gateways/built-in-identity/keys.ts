import { symmetricDecrypt } from 'better-auth/crypto';
import type { Jwk } from 'better-auth/plugins';
import type { Db } from '#domain/kernel/db.ts';
import { providerKeys } from './tables.ts';

/**
 * The keys for ID tokens that this secret decrypts; better-auth creates one if there is none. Keys of another secret
 * stay until they expire: another process may sign with them.
 */
export async function readKeys(db: Db, secret: string): Promise<Jwk[]> {
  const rows = await db.select().from(providerKeys);
  const readable = await Promise.all(rows.map(({ privateKey }) => decrypts(privateKey, secret)));
  return rows
    .filter((_row, index) => readable[index])
    .map(({ expiresAt, ...row }) => ({ ...row, ...(expiresAt && { expiresAt }) }) as Jwk);
}

async function decrypts(privateKey: string, secret: string): Promise<boolean> {
  try {
    await symmetricDecrypt({ key: secret, data: JSON.parse(privateKey) as string });
    return true;
  } catch {
    return false;
  }
}
