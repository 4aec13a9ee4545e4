import type { Actor } from '../kernel/actor.ts';
import { type Change, operatorRole, recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';

/** Logs an operator's change; the caller has checked the right. */
export async function recordByOperator(tx: Db, actor: Actor, change: Omit<Change, 'actor' | 'role'>): Promise<void> {
  await recordChange(tx, { actor, role: operatorRole(actor), ...change });
}
