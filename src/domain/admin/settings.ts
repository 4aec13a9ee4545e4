import { settingChanged } from '../identity/setting-changes.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import type { ChangedCode } from '../kernel/errors.ts';
import { changeSetting } from '../settings/change-setting.ts';
import type { Setting, SettingValue } from '../settings/setting.ts';
import { administratorsOnly } from './administrators-only.ts';
import { recordByOperator } from './record.ts';

/**
 * Changes a site setting and logs it.
 * @param subject.name of the setting in the log
 * @param change.revision of the value that the operator saw
 * @param prepare prepares what the new value needs; if it throws, the change is undone
 * @param subject.conflict code of the refusal after a change by somebody else
 * @throws DomainError `request/not-found` for everybody else; ChangedMeanwhile
 */
export async function changeSiteSetting<Given extends Setting>(
  db: Db,
  actor: Actor,
  { setting, name, conflict }: { setting: Given; name: string; conflict: ChangedCode },
  change: { value: SettingValue<Given>; revision: number },
  prepare?: (tx: Db, before: SettingValue<Given>) => Promise<void>,
): Promise<void> {
  administratorsOnly(actor);
  await db.transaction(async (tx) => {
    const changed = await changeSetting(tx, setting, { actor, ...change });
    if (changed === undefined) throw await settingChanged(tx, setting.key, conflict);
    await prepare?.(tx, changed.before);
    await recordByOperator(tx, actor, {
      action: 'settings.change',
      subject: { type: 'settings', id: setting.key, name },
      before: changed.before as Record<string, unknown>,
      after: change.value as Record<string, unknown>,
    });
  });
}
