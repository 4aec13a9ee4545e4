import { eq } from 'drizzle-orm';
import { users } from '../identity/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Subject } from '../kernel/audit.ts';
import { findLastChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import type { ChangedCode, LastChange } from '../kernel/errors.ts';
import { ChangedMeanwhile } from '../kernel/errors.ts';
import { roleIn } from '../kernel/rules.ts';
import { siteSettings } from '../settings/tables.ts';
import { canAdminister } from './rules.ts';

/**
 * The facts that a refused edit has too, for a page that was loaded again after a change by somebody else.
 * @returns undefined for a subject without changes, and for one that the actor may not change
 */
export async function findLastChangeOf(db: Db, actor: Actor, subject: Subject): Promise<LastChange | undefined> {
  if (subject.type === 'settings') return canAdminister(actor) ? findSettingChange(db, subject.id) : undefined;
  const last = await findLastChange(db, subject);
  if (last === undefined) return undefined;
  const { voiceId, by, at } = last;
  const isAllowed = canAdminister(actor) || (voiceId !== null && roleIn(actor, voiceId) !== undefined);
  return isAllowed ? { by, at } : undefined;
}

/** The log has an imported look as one entry, so this reads the setting itself. */
async function findSettingChange(db: Db, key: string): Promise<LastChange | undefined> {
  const [row] = await db
    .select({ by: users.username, at: siteSettings.updatedAt })
    .from(siteSettings)
    .leftJoin(users, eq(users.id, siteSettings.changedBy))
    .where(eq(siteSettings.key, key));
  return row;
}

/** The refusal of a change whose author has not seen the last one of this setting. */
export async function settingChanged(db: Db, key: string, code: ChangedCode): Promise<ChangedMeanwhile> {
  return new ChangedMeanwhile(code, await findSettingChange(db, key));
}
