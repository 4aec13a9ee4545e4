import { createHash, randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { giftCards } from './tables.ts';

/** Without what looks alike: a code is read from paper and typed. 32 letters, 16 of them: 80 bits. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';

/**
 * Makes the code in the moment it is mailed, and keeps its hash alone: nobody finds a code in the database, nor in a
 * backup of it. One that was made before counts no more.
 */
export async function mintCode(db: Db, giftCardId: string): Promise<string> {
  const plain = Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('');
  await db
    .update(giftCards)
    .set({ codeHash: hashCode(plain) })
    .where(eq(giftCards.id, giftCardId));
  return plain.match(/.{4}/g)?.join('-') ?? plain;
}

/** Of a code as somebody typed it: case, spaces and hyphens do not count, and look-alikes are taken for what was meant. */
export function hashCode(code: string): string {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return createHash('sha256').update(`gift card ${plain}`).digest('hex');
}
