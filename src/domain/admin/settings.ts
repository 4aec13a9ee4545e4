import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { changeSetting } from '../settings/change-setting.ts';
import type { Setting, SettingValue } from '../settings/setting.ts';
import { administratorsOnly } from './administrators-only.ts';
import { recordByOperator } from './record.ts';

/**
 * Changes a site setting and logs it.
 * @param name of the setting in the log
 * @param change.revision of the value that the operator saw
 * @param prepare prepares what the new value needs; if it throws, the change is undone
 * @throws DomainError `request/not-found` for everybody else
 * @returns false after a concurrent change
 */
export async function changeSiteSetting<Given extends Setting>(
  db: Db,
  actor: Actor,
  { setting, name }: { setting: Given; name: string },
  change: { value: SettingValue<Given>; revision: number },
  prepare?: (tx: Db, before: SettingValue<Given>) => Promise<void>,
): Promise<boolean> {
  administratorsOnly(actor);
  return db.transaction(async (tx) => {
    const changed = await changeSetting(tx, setting, { actor, ...change });
    if (changed === undefined) return false;
    await prepare?.(tx, changed.before);
    await recordByOperator(tx, actor, {
      action: 'settings.change',
      subject: { type: 'settings', id: setting.key, name },
      before: changed.before as Record<string, unknown>,
      after: change.value as Record<string, unknown>,
    });
    return true;
  });
}
