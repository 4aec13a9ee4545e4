import { eq } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { type ChangedCode, type LastChange, ChangedMeanwhile } from '../kernel/errors.ts';
import { siteSettings } from '../settings/tables.ts';
import { users } from './tables.ts';

/** The log has an imported look as one entry, so this reads the setting itself. */
export async function findSettingChange(db: Db, key: string): Promise<LastChange | undefined> {
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
