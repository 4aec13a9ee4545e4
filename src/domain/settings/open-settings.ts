import type { Db } from '../kernel/db.ts';
import type { Setting, SettingValue } from './setting.ts';
import { siteSettings } from './tables.ts';

export type Settings = {
  /**
   * The value in force. From memory, so that pages cost no query; another process's change is read within a moment.
   * @throws ZodError for a stored value that does not fit: a wrong price is worse than no answer
   */
  read<Given extends Setting>(setting: Given): SettingValue<Given>;
  /** Reads what others changed. */
  refresh(): Promise<void>;
};

/** Reads all settings once. */
export async function openSettings({ db }: { db: Db }): Promise<Settings> {
  let stored = new Map<string, unknown>();
  const parsed = new Map<string, unknown>();
  let lastCall = 0;
  let shownCall = 0;

  async function refresh(): Promise<void> {
    const call = ++lastCall;
    const rows = await db.select({ key: siteSettings.key, value: siteSettings.value }).from(siteSettings);
    // A slower, older read must not win. A newer one under way is no reason to drop this one:
    // whoever waits for this call expects the values it read.
    if (call < shownCall) return;
    shownCall = call;
    stored = new Map(rows.map(({ key, value }) => [key, value]));
    parsed.clear();
  }

  function read<Given extends Setting>({ key, schema }: Given): SettingValue<Given> {
    if (!parsed.has(key)) parsed.set(key, schema.parse(stored.get(key) ?? {}));
    return parsed.get(key) as SettingValue<Given>;
  }

  await refresh();
  return { read, refresh };
}
