import { z } from 'zod';
import { fold, unspaced, written } from './folded-words.ts';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { isEmpty, isPlainLine, notOneLine, tooLong, tooMany } from '../kernel/forms.ts';
import { compose, dropUnwanted } from '../kernel/rules.ts';
import { findSetting } from './change-setting.ts';
import { wordListLengths } from './rules.ts';
import type { Setting } from './setting.ts';

const Word = z
  .string()
  .trim()
  .overwrite(compose)
  .refine((text) => [...text].length <= wordListLengths.word, tooLong(wordListLengths.word))
  .refine(isPlainLine, notOneLine)
  .refine((text) => tokensOf(text).length > 0, isEmpty);

/** Words, and phrases of several, each once. */
export const wordList = (max: number) =>
  z
    .array(Word)
    .max(max, tooMany(max))
    .transform((words) => [...new Map(words.map((word) => [fold(word), word])).values()]);

const List = wordList(wordListLengths.list).default([]);

/** Words, and phrases of several, as operators write them. */
export const WordLists = z.object({
  /** Neither titles, tags, usernames and comments nor searches may have them. */
  refused: List,
  /** Hold an audio or a comment until it was reviewed. */
  watched: List,
  /** Shown for a search that has a refused word. */
  help: z
    .string()
    .trim()
    .overwrite(compose)
    .refine((text) => [...text].length <= wordListLengths.help, tooLong(wordListLengths.help))
    .refine(isPlainLine, notOneLine)
    .transform(dropUnwanted)
    .default(''),
});
export type WordLists = z.infer<typeof WordLists>;

export const wordSetting = { key: 'words', schema: WordLists } satisfies Setting;

/** From (included) to (excluded), in the UTF-16 units of the text. */
export type Mark = [from: number, to: number];

type Token = { from: number; to: number; forms: string[] };

/** Words with both forms of `love’s`. */
function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(written), ({ 0: word, index }) => {
    const folded = fold(word);
    const forms = [folded, folded.replace(/['’]s$/, '')].map((form) => form.replaceAll(/['’]/g, ''));
    return { from: index, to: index + word.length, forms };
  });
}

function findPlaces(text: string, tokens: Token[], word: string): Mark[] {
  // Any part may be a word in scripts without spaces.
  if (unspaced.test(word)) {
    const at = text.normalize('NFKC').indexOf(word.normalize('NFKC'));
    return at < 0 ? [] : [[at, at + word.length]];
  }
  const wanted = tokensOf(word).map(({ forms }) => forms[0] ?? '');
  return tokens.flatMap(({ from }, at): Mark[] => {
    const last = tokens[at + wanted.length - 1];
    if (wanted.length === 0 || last === undefined) return [];
    return wanted.every((form, index) => tokens[at + index]?.forms.includes(form)) ? [[from, last.to]] : [];
  });
}

/** Those of these words that the text has: whole ones, whatever their case and accents. */
export function findListed(text: string, words: readonly string[]): string[] {
  if (words.length === 0) return [];
  const tokens = tokensOf(text);
  return words.filter((word) => findPlaces(text, tokens, word).length > 0);
}

/** Their places in the text, in its order and without overlaps. */
export function markListed(text: string, words: readonly string[]): Mark[] {
  const tokens = tokensOf(text);
  const marks = words.flatMap((word) => findPlaces(text, tokens, word)).toSorted(([one], [other]) => one - other);
  return marks.filter(([from], at) => marks.slice(0, at).every(([, to]) => to <= from));
}

/** A username has no spaces: its parts count, without digits at their ends, and all of it. */
export function findListedInName(name: string, words: readonly string[]): string[] {
  const parts = name.split(/[._-]+/).map((part) => part.replaceAll(/^\d+|\d+$/g, ''));
  return findListed([...parts, '.', parts.join('')].join(' '), words);
}

/** From the database, for what is written; what is read asks the settings in memory. */
export async function findWordLists(db: Db): Promise<WordLists> {
  return (await findSetting(db, wordSetting)).value;
}

/** @throws DomainError `words/refused` when one of these texts has a refused word */
export async function refuseWords(
  db: Db,
  texts: readonly (string | null | undefined)[],
  find: typeof findListed = findListed,
): Promise<void> {
  const given = texts.filter((text) => text !== undefined && text !== null && text !== '');
  if (given.length === 0) return;
  const { refused } = await findWordLists(db);
  const word = given.flatMap((text) => find(String(text), refused))[0];
  if (word !== undefined)
    throw new DomainError(
      'words/refused',
      /*i18n*/ {
        id: 'error.words/refused-word',
        message: '“{word}” is a word that this site does not use. Please choose another one.',
        values: { word },
      },
    );
}
