import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { primaryLanguage } from '#formats/content-languages.ts';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isPublished } from './audios.ts';
import { audios } from './tables.ts';
import { type LanguageSums, type Totals, findTotals } from './totals.ts';
import { shownLanguages } from './visibility.ts';

/** Id of the list of a language's audios in `audio_list_keys`; as `language_list` of the migration. */
export function languageListId(language: string): string {
  const digest = createHash('md5')
    .update(`language ${primaryLanguage(language)}`)
    .digest('hex');
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

type ListFacts = { voiceId?: string | undefined; categoryId?: string | undefined; tagId?: string | undefined };

/**
 * The lists of the viewer's languages, if fewer audios are in them than in the given list: then these are read, and the
 * audios that are not in the list are left out. Otherwise a listener of a rare language would walk the whole list.
 * @returns undefined: read the list itself
 */
export async function findShorterLists(db: Db, viewer: Viewer, list: ListFacts): Promise<string[] | undefined> {
  const languages = shownLanguages(viewer);
  if (languages === undefined) return undefined;
  const ids = languages.map(languageListId);
  if (Object.values(list).every((id) => id === undefined)) return ids;
  // A small catalogue has no totals, and any list of it is short.
  const [all, own] = await Promise.all([findTotals(db), findTotals(db, list)]);
  if (all === undefined || own === undefined) return undefined;
  return sumIn(all, languages).audios < own.audios ? ids : undefined;
}

/** Sums of the audios in these languages, or of all in totals that the version before made. @param languages primary subtags */
export function sumIn({ languages: sums, ...whole }: Totals, languages: readonly string[]): LanguageSums {
  if (Object.keys(sums).length === 0) return whole;
  const found = languages.flatMap((language) => sums[language] ?? []);
  const sumOf = (name: keyof LanguageSums) => found.reduce((sum, one) => sum + one[name], 0);
  return { audios: sumOf('audios'), durationMs: sumOf('durationMs'), plays: sumOf('plays') };
}

export type LanguageCount = { language: string; audios: number };

/** The languages of the published audios by primary subtag, those with the most audios first. */
export async function countLanguages(db: Db): Promise<LanguageCount[]> {
  const totals = await findTotals(db);
  if (totals !== undefined && Object.keys(totals.languages).length > 0)
    return inOrder(Object.entries(totals.languages).map(([language, sums]) => ({ language, audios: sums.audios })));
  const primary = sql<string>`split_part(${audios.language}, '-', 1)`;
  return inOrder(
    await db
      .select({ language: primary, audios: sql<number>`count(*)::int` })
      .from(audios)
      .where(isPublished)
      .groupBy(primary),
  );
}

function inOrder(counts: LanguageCount[]): LanguageCount[] {
  return counts.toSorted((a, b) => b.audios - a.audios || (a.language < b.language ? -1 : 1));
}
