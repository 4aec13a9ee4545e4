import { z } from 'zod';
import { type OtherLanguage, otherLanguages } from '#formats/language-facts.ts';
import type { Db } from '../kernel/db.ts';
import { findSetting } from './change-setting.ts';
import type { Settings } from './open-settings.ts';
import type { Setting } from './setting.ts';

const off = z.boolean().default(false);

/** Languages that pages are offered in, besides the one of the texts in the code. */
export const Languages = z.object(
  Object.fromEntries(otherLanguages.map((code) => [code, off])) as Record<OtherLanguage, typeof off>,
);
export type Languages = z.infer<typeof Languages>;

export const languageSetting = { key: 'languages', schema: Languages } satisfies Setting;

export function offeredLanguages(settings: Pick<Settings, 'read'>): OtherLanguage[] {
  const offered = settings.read(languageSetting);
  return otherLanguages.filter((code) => offered[code]);
}

/** The same from the database, for work that has no settings at hand. */
export async function findOfferedLanguages(db: Db): Promise<OtherLanguage[]> {
  const { value } = await findSetting(db, languageSetting);
  return otherLanguages.filter((code) => value[code]);
}
