import { symmetricDecrypt } from 'better-auth/crypto';
import type { Jwk } from 'better-auth/plugins';
import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Db } from '#domain/kernel/db.ts';
import { providerKeys } from './tables.ts';

/**
 * The keys for ID tokens that this secret decrypts; better-auth makes one if there is none. Keys of another secret
 * stay, because two secrets may be in use during a roll-out.
 */
export async function readKeys(db: Db, secret: string): Promise<Jwk[]> {
  const rows = await db.select().from(providerKeys);
  const readable = await Promise.all(rows.map(({ privateKey }) => decrypts(privateKey, secret)));
  return rows
    .filter((_row, index) => readable[index])
    .map(({ expiresAt, ...row }) => ({ ...row, ...(expiresAt && { expiresAt }) }) as Jwk);
}

/**
 * After a restore with another secret the keys cannot be decrypted. ID tokens are valid for five minutes, so nothing is
 * lost with them.
 */
export async function dropUnreadableKeys(db: Db, secret: string, log: Pick<Logger, 'warn'>): Promise<void> {
  const keys = await db.select({ id: providerKeys.id, privateKey: providerKeys.privateKey }).from(providerKeys);
  for (const { id, privateKey } of keys) {
    if (await decrypts(privateKey, secret)) continue;
    await db.delete(providerKeys).where(eq(providerKeys.id, id));
    log.warn('A key for ID tokens was made with another SECRET; it was dropped, and a new one is made');
  }
}

async function decrypts(privateKey: string, secret: string): Promise<boolean> {
  try {
    await symmetricDecrypt({ key: secret, data: JSON.parse(privateKey) as string });
    return true;
  } catch {
    return false;
  }
}
