import { findSettingChange } from '../identity/setting-changes.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Subject, findLastChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import type { LastChange } from '../kernel/errors.ts';
import { roleIn } from '../kernel/rules.ts';
import { canAdminister } from './rules.ts';

/**
 * The facts that a refused edit has too, for a page that was loaded again after a change by somebody else.
 * @returns undefined for a subject without changes, and for one that the actor may not change
 */
export async function findLastChangeOf(db: Db, actor: Actor, subject: Subject): Promise<LastChange | undefined> {
  if (subject.type === 'settings') return canAdminister(actor) ? findSettingChange(db, subject.id) : undefined;
  // Another act of the reader's own may be newer; with no one else's, theirs is from another tab.
  const others = actor.kind === 'user' ? await findLastChange(db, subject, actor.id) : undefined;
  const last = others ?? (await findLastChange(db, subject));
  if (last === undefined) return undefined;
  const { voiceId, by, at } = last;
  const isAllowed = canAdminister(actor) || (voiceId !== null && roleIn(actor, voiceId) !== undefined);
  return isAllowed ? { by, at } : undefined;
}
