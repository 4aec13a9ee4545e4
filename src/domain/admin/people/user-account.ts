import { eq } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Change } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';

/** An account as operators act on it, and the checks that their acts share. */

export type Refused<Reason extends ErrorCode> = { ok: false; reason: Reason };
export const unknownUser = { ok: false, reason: 'request/not-found' } as const;

export type Account = {
  id: string;
  username: string | null;
  email: string | null;
  isAdmin: boolean;
  suspendedAt: Date | null;
};

const accountColumns = {
  id: users.id,
  username: users.username,
  email: users.email,
  isAdmin: users.isAdmin,
  suspendedAt: users.suspendedAt,
};

export async function findAccount(db: Db, userId: string): Promise<Account | undefined> {
  if (!isId(userId)) return undefined;
  const [row] = await db.select(accountColumns).from(users).where(eq(users.id, userId));
  return row;
}

/** Locks the account's row, so that a second operator sees the first one's change. */
export async function lockAccount(tx: Db, userId: string): Promise<Account | undefined> {
  if (!isId(userId)) return undefined;
  const [row] = await tx.select(accountColumns).from(users).where(eq(users.id, userId)).for('no key update');
  return row;
}

export async function recordOnAccount(
  tx: Db,
  actor: Actor,
  account: Pick<Account, 'id' | 'username'>,
  change: Pick<Change, 'action' | 'before' | 'after' | 'voiceId'>,
): Promise<void> {
  await recordChange(tx, {
    actor,
    role: actor.kind === 'operator' ? 'operator' : 'admin',
    // Email addresses are not logged: entries outlive accounts.
    subject: { type: 'user', id: account.id, name: account.username ?? account.id },
    ...change,
  });
}

export function isOneself(actor: Actor, userId: string): boolean {
  return actor.kind === 'user' && actor.id === userId;
}
