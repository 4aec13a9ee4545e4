import { createHmac, randomInt } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { recoveryCodes } from '../tables.ts';

/** Recovery codes for a lost app or key: ten, each for one use, stored as keyed hashes. */

const count = 10;
/** Without look-alikes; ten of them are 49 bits. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Replaces all codes of this user. @returns the new ones, which are shown only once */
export async function replaceRecoveryCodes(tx: Db, secret: string, userId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashCode(secret, userId, code) })));
  return codes;
}

/** @returns false for an unknown or used code */
export async function useRecoveryCode(tx: Db, secret: string, userId: string, code: string): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: new Date() })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashCode(secret, userId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId });
  return used.length > 0;
}

/** Codes that were not used yet. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
}

function newCode(): string {
  const text = Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('');
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/** Hyphens, spaces and case do not matter. */
function hashCode(secret: string, userId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHmac('sha256', secret).update(`recovery code ${userId} ${plain}`).digest('base64url');
}
