import { eq, sql } from 'drizzle-orm';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import type { Setting, SettingValue } from './setting.ts';
import { siteSettings } from './tables.ts';

export type StoredSetting<Value> = {
  value: Value;
  /** 0: never changed. */
  revision: number;
  changedBy: string | null;
  changedAt: Date | null;
};

/** From the database, for the form that edits it. */
export async function findSetting<Given extends Setting>(
  db: Db,
  { key, schema }: Given,
): Promise<StoredSetting<SettingValue<Given>>> {
  const [row] = await db.select().from(siteSettings).where(eq(siteSettings.key, key));
  return {
    value: schema.parse(row?.value ?? {}) as SettingValue<Given>,
    revision: row?.revision ?? 0,
    changedBy: row?.changedBy ?? null,
    changedAt: row?.updatedAt ?? null,
  };
}

/**
 * Changes a setting in the caller's transaction, which also logs it.
 * @param revision of the value that the operator saw
 * @returns the value before, or undefined after a concurrent change
 */
export async function changeSetting<Given extends Setting>(
  tx: Db,
  setting: Given,
  { actor, value, revision }: { actor: Actor; value: SettingValue<Given>; revision: number },
): Promise<{ before: SettingValue<Given> } | undefined> {
  // Two concurrent first changes find no row to lock.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`site_settings ${setting.key}`}))`);
  const before = await findSetting(tx, setting);
  if (before.revision !== revision) return undefined;
  const changedBy = actor.kind === 'user' ? actor.id : null;
  const stored = setting.toStored?.(value) ?? value;
  await tx
    .insert(siteSettings)
    .values({ key: setting.key, value: stored, changedBy })
    .onConflictDoUpdate({
      target: siteSettings.key,
      set: { value: stored, changedBy, revision: revision + 1, updatedAt: sql`now()` },
    });
  return { before: before.value };
}
