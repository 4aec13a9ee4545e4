import { sql } from 'drizzle-orm';
import type { Language } from '#formats/languages.ts';
import { language } from '#i18n';
import type { Db } from '../kernel/db.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import { translations } from './tables.ts';

/** Operators' texts in other languages than the one in which they are written (decision 070). */
export type Translations = {
  /** In the language of the request; undefined: the text has none, and is shown as it was written. */
  find(kind: string, subject: string, field: string): string | undefined;
  /** The same object as long as no text changes, for what is derived from texts in the language of the request. */
  version(): object;
  /** Part of the key of what is cached: equal for languages in which the site has no texts. @param of default: the request's */
  scope(of?: Language): string;
  /** Whether any text has a translation. */
  any(): boolean;
  /** Reads changes by other processes. */
  refresh(): Promise<void>;
};

const none: ReadonlyMap<string, string> = new Map();

/**
 * Reads all texts once, and keeps them, so that pages need no query.
 * @param deps.languageOfOwnTexts operators may change it; translations into it stay, and do not count
 */
export async function openTranslations({
  db,
  languageOfOwnTexts,
}: {
  db: Db;
  languageOfOwnTexts: () => Language;
}): Promise<Translations> {
  let texts = new Map<string, Map<string, string>>();
  let version = '';
  const textsIn = (of: Language) => (of === languageOfOwnTexts() ? undefined : texts.get(of));
  const current = () => textsIn(language()) ?? none;

  async function refresh(): Promise<void> {
    const { rows } = await db.execute<{ version: string }>(sql`
      select concat(count(*), ' ', sum(hashtextextended(concat_ws('/', kind, subject, field, language, text), 0)::numeric)) as version
      from translations`);
    const [found] = rows;
    if (found === undefined || found.version === version) return;
    const next = new Map<string, Map<string, string>>();
    for (const row of await db.select().from(translations)) {
      const ofLanguage = next.get(row.language) ?? new Map<string, string>();
      next.set(row.language, ofLanguage.set(keyOf(row.kind, row.subject, row.field), row.text));
    }
    [texts, version] = [next, found.version];
  }

  await refresh();
  return {
    find: (kind, subject, field) => current().get(keyOf(kind, subject, field)),
    version: current,
    scope: (of = language()) => (textsIn(of) === undefined ? '' : of),
    any: () => texts.size > 0,
    refresh,
  };
}

const keyOf = (kind: string, subject: string, field: string) => `${kind}/${subject}/${field}`;

/** By database, as with prepared statements: functions that read rows have it at hand, and nothing else of the site. */
const wordsOf = new WeakMap<Db, Translations>();

export function keepWords(db: Db, words: Translations): void {
  wordsOf.set(db, words);
}

/** A row with those of its fields that are translated into the language of the request. */
export function inWords<Row extends { id: string }>(
  db: Db,
  kind: string,
  row: Row,
  ...fields: (keyof Row & string)[]
): Row {
  const words = wordsOf.get(db);
  if (words === undefined || words.scope() === '') return row;
  const found = fields.flatMap((field) => {
    const text = words.find(kind, row.id, field);
    return text === undefined ? [] : [[field, text] as const];
  });
  return found.length === 0 ? row : { ...row, ...Object.fromEntries(found) };
}

/** Viewers of one language share what they read. */
export function sharedByLanguage(shared: SharedReads, { scope }: Pick<Translations, 'scope'>): SharedReads {
  return { ...shared, read: (key, make, maxAgeMs) => shared.read(`${scope()} ${key}`, make, maxAgeMs) };
}
