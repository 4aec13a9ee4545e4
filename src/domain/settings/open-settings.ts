import type { Db } from '../kernel/db.ts';
import { languageOfOwnTexts } from './languages.ts';
import type { ReadSettings, Setting, SettingValue } from './setting.ts';
import { siteSettings } from './tables.ts';
import { type Translations, openTranslations } from './translations.ts';

export type Settings = ReadSettings & {
  /** Operators' texts in other languages. */
  words: Translations;
  /** Reads changes by other processes. */
  refresh(): Promise<void>;
};

/** Reads all settings and translations once. */
export async function openSettings({ db }: { db: Db }): Promise<Settings> {
  let stored = new Map<string, unknown>();
  const parsed = new Map<string, unknown>();
  let lastCall = 0;
  let shownCall = 0;

  async function refresh(): Promise<void> {
    const call = ++lastCall;
    const rows = await db.select({ key: siteSettings.key, value: siteSettings.value }).from(siteSettings);
    // A slower, older read must not win. This result is used even while a newer read is running, because callers wait
    // for its values.
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
  const words = await openTranslations({ db, languageOfOwnTexts: () => languageOfOwnTexts({ read }) });
  return {
    read,
    words,
    refresh: async () => {
      await Promise.all([refresh(), words.refresh()]);
    },
  };
}

/** Whether a changed table is kept in memory here. @param table undefined: any */
export function isKept(table: string | undefined): boolean {
  return table === undefined || table === 'site_settings' || table === 'translations';
}
