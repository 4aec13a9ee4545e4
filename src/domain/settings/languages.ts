import { z } from 'zod';
import { type Language, type OfferedLanguages, languageCodes, sourceLanguage } from '#formats/languages.ts';
import type { Db } from '../kernel/db.ts';
import { findSetting } from './change-setting.ts';
import type { ReadSettings, Setting } from './setting.ts';

const offers = Object.fromEntries(
  languageCodes.map((code) => [code, z.boolean().default(code === sourceLanguage)]),
) as Record<Language, z.ZodDefault<z.ZodBoolean>>;
const one = z.enum(languageCodes).default(sourceLanguage);

/** Languages that pages are offered in. The default one is offered in any case. */
export const Languages = z.object({
  ...offers,
  default: one.describe('of people who have chosen none; its addresses have no prefix'),
  ownTexts: one.describe('in which categories, tags, info pages and other texts of the site are written'),
});
export type Languages = z.infer<typeof Languages>;

export const languageSetting = { key: 'languages', schema: Languages } satisfies Setting;

export function offeredLanguages(settings: ReadSettings): OfferedLanguages {
  return offeredIn(settings.read(languageSetting));
}

/** The same from the database, for work that has no settings at hand. */
export async function findOfferedLanguages(db: Db): Promise<OfferedLanguages> {
  return offeredIn((await findSetting(db, languageSetting)).value);
}

function offeredIn(languages: Languages): OfferedLanguages {
  return [languages.default, ...languageCodes.filter((code) => code !== languages.default && languages[code])];
}

/** In which the site's own texts are written; they have translations into the others. */
export function languageOfOwnTexts(settings: ReadSettings): Language {
  return settings.read(languageSetting).ownTexts;
}

/** Languages on offer into which the site's own texts are translated. */
export function translatedLanguages(settings: ReadSettings): Language[] {
  const { ownTexts, ...languages } = settings.read(languageSetting);
  return offeredIn({ ...languages, ownTexts }).filter((code) => code !== ownTexts);
}
