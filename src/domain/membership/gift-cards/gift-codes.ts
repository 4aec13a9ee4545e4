import { createHash, randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { toCode } from '../../kernel/forms.ts';
import { giftCards } from '../tables.ts';

/** No look-alikes, because codes are typed from paper. 16 of 32 letters: 80 bits. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';

/**
 * Creates the code when it is mailed and stores only its hash, so that neither the database nor a backup reveals it.
 * Invalidates the previous code.
 */
export async function mintCode(db: Db, giftCardId: string): Promise<string> {
  const plain = Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('');
  await db
    .update(giftCards)
    .set({ codeHash: hashCode(plain), codeEnding: plain.slice(-4) })
    .where(eq(giftCards.id, giftCardId));
  return plain.match(/.{4}/g)?.join('-') ?? plain;
}

/** Maps look-alikes to the intended letter. @param code as typed */
export function hashCode(code: string): string {
  const plain = toCode(code).replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return createHash('sha256').update(`gift card ${plain}`).digest('hex');
}
