import { eq } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Change } from '../../kernel/audit.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { recordByOperator } from '../record.ts';

/** An account as operators act on it, and the checks that their acts share. */

export const unknownUser = { ok: false, reason: 'request/not-found' } as const;
export const notYourself = { ok: false, reason: 'admin/not-yourself' } as const;

const accountColumns = pick(users, 'id', 'username', 'email', 'isAdmin', 'isModerator', 'suspendedAt');

export async function findAccount(db: Db, userId: string) {
  if (!isId(userId)) return undefined;
  const [row] = await db.select(accountColumns).from(users).where(eq(users.id, userId));
  return row;
}

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

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
  await recordByOperator(tx, actor, {
    // Email addresses are not logged: entries outlive accounts.
    subject: { type: 'user', id: account.id, name: account.username ?? account.id },
    ...change,
  });
}

export function isOneself(actor: Actor, userId: string): boolean {
  return actor.kind === 'user' && actor.id === userId;
}
