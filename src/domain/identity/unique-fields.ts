import { eq } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { users } from './tables.ts';

/** @returns false when the address belongs to another account */
export async function writeEmail(db: Db, userId: string, email: string): Promise<boolean> {
  try {
    await db.update(users).set({ email }).where(eq(users.id, userId));
    return true;
  } catch (error) {
    if (violatedIndex(error) === 'users_email_key') return false;
    throw error;
  }
}

export function takenBy(error: unknown): 'auth/username-already-in-use' | 'auth/email-already-in-use' | undefined {
  const index = violatedIndex(error);
  if (index === 'users_username_key') return 'auth/username-already-in-use';
  return index === 'users_email_key' ? 'auth/email-already-in-use' : undefined;
}

/** The unique index that a write violated (SQLSTATE 23505); Drizzle wraps the driver's error. */
export function violatedIndex(error: unknown): string | undefined {
  const { cause = error } = error as { cause?: unknown };
  const { code, constraint } = cause as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}
