import { and, arrayContains, eq, inArray, or, sql } from 'drizzle-orm';
import type { Language } from '#formats/languages.ts';
import { language } from '#i18n';
import { tags } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { toSlug } from '../kernel/ids.ts';
import { translations } from '../settings/tables.ts';
import { nameCode } from './entries.ts';
import { searchDocuments } from './tables.ts';
import { queryWords } from './words.ts';

/** By language of the interface; English is understood in all. In others, such a word is one of a title: “sin”. */
const withoutWords: Record<Language, string> = { en: 'without', de: 'ohne', fr: 'sans', es: 'sin', ar: 'بدون' };
/** Words of a tag. */
const longestName = 4;

/** A term without what it excludes. */
export type ReadTerm = {
  term: string;
  /** Excluded tags. */
  without: { id: string; slug: string; /** The only word of its name, as typed. */ word?: string }[];
};

/**
 * Reads `rain without death` and `rain -death`: what follows is excluded if it is a tag. Otherwise, and where nothing
 * else is looked for, or something has exactly this name, the term stays as it is.
 */
export async function readWithout(db: Db, term: string): Promise<ReadTerm> {
  const typed = term.split(' ');
  const starts = typed.flatMap((word, at) => {
    if ([withoutWords.en, withoutWords[language()]].includes(word.toLowerCase()))
      return [{ at, words: typed.slice(at + 1, at + 1 + longestName) }];
    const isMinus = /^-\p{L}/u.test(word);
    return isMinus ? [{ at, words: [word.slice(1), ...typed.slice(at + 1, at + longestName)] }] : [];
  });
  const names = starts.flatMap(({ words }) => words.map((_, count) => words.slice(0, count + 1).join(' ')));
  if (names.length === 0 || (await isName(db, term))) return { term, without: [] };
  const known = await findTags(db, names);
  const rest: string[] = [];
  const without: ReadTerm['without'] = [];
  for (let at = 0; at < typed.length; at += 1) {
    const start = starts.find((one) => one.at === at);
    // The longest name.
    const count = start?.words.findLastIndex((_, last) => known.has(start.words.slice(0, last + 1).join(' ')));
    if (start === undefined || count === undefined || count === -1) {
      rest.push(typed[at] ?? '');
      continue;
    }
    const name = start.words.slice(0, count + 1).join(' ');
    const [tag] = [known.get(name)];
    const words = queryWords(name);
    if (tag !== undefined) without.push({ ...tag, ...(words.length === 1 && words[0] && { word: words[0] }) });
    at += count + (typed[at]?.startsWith('-') ? 0 : 1);
  }
  return rest.length === 0 ? { term, without: [] } : { term: rest.join(' '), without };
}

async function isName(db: Db, term: string): Promise<boolean> {
  return (await db.$count(searchDocuments, arrayContains(searchDocuments.entries, [nameCode(queryWords(term))]))) > 0;
}

/** Tags by their names as typed, in any language. */
async function findTags(db: Db, names: string[]): Promise<Map<string, { id: string; slug: string }>> {
  const slugs = names.map((name) => toSlug(name)).filter((slug) => slug !== '');
  const lower = names.map((name) => name.toLowerCase());
  const isOfTag = and(eq(translations.kind, 'tag'), eq(translations.subject, sql`${tags.id}::text`));
  const rows = await db
    .select({ id: tags.id, slug: tags.slug, text: translations.text })
    .from(tags)
    .leftJoin(translations, and(isOfTag, eq(translations.field, 'label')))
    .where(or(inArray(tags.slug, slugs), inArray(sql`lower(${translations.text})`, lower)));
  const found = names.flatMap((name) => {
    const tag = rows.find(({ slug, text }) => slug === toSlug(name) || text?.toLowerCase() === name.toLowerCase());
    return tag === undefined ? [] : [[name, { id: tag.id, slug: tag.slug }] as const];
  });
  return new Map(found);
}
