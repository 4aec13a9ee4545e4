import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { given, prepareSql } from '../kernel/prepared.ts';
import { editDistance, tooFar } from '#formats/edit-distance.ts';
import { beginning, longestBeginning } from './entries.ts';
import { fold } from '../settings/folded-words.ts';
import { editsForgiven, textField } from './words.ts';

/** A typed word as it is looked up. */
export type TypedWord = {
  word: string;
  /** Words that begin with it match too. */
  withPrefixes: boolean;
};

/** Words of one field of one group that match a typed word in the same way. */
export type FoundWords = {
  /** Place of the typed word. */
  position: number;
  kind: number;
  field: number;
  codes: number[];
  /** Documents that have them; one with two of them counts twice. */
  documents: number;
};

/** Words of each group that begin with three or more typed letters: the most frequent ones. */
const mostCompletions = 1000;

const wordsFound = prepareSql<FoundWords & { isPrefix: boolean }>(
  'search_words_found',
  ['position', 'isPrefix', 'kind', 'field', 'codes', 'documents'],
  sql`
    select typed.position::int - 1 as position, found.is_prefix as "isPrefix", found.kind, found.field,
      array_agg(found.code) as codes, sum(found.documents)::int as documents
    from unnest(${given('words', 'text[]')}, ${given('from', 'text[]')}, ${given('to', 'text[]')})
      with ordinality as typed (word, from_word, to_word, position),
    lateral (
      select false as is_prefix, kind, field, code, documents from search_words w where w.word = typed.word
      union all
      select true, kind, field, code, documents from (
        select *, row_number() over (partition by kind order by documents desc) as place from search_words w
        where w.word >= typed.from_word and w.word < typed.to_word
      ) begun where place <= ${sql.raw(String(mostCompletions))}
    ) found
    group by 1, 2, 3, 4`,
);

/** The typed words, and with `withPrefixes` those that begin with them. */
export function findWords(db: Db, typed: TypedWord[]) {
  const ranges = typed.map(completionsOf);
  const [from, to] = [ranges.map(([first]) => first), ranges.map(([, end]) => end)];
  return wordsFound(db, { words: typed.map(({ word }) => word), from, to });
}

/** From (included) to (excluded), in the order of code points. */
function completionsOf({ word, withPrefixes }: TypedWord): [string, string] {
  if (!withPrefixes) return ['', ''];
  if ([...word].length <= longestBeginning) return [beginning(word), `${beginning(word)}\u{1}`];
  return [`${word}\u{1}`, `${word}\u{10FFFF}`];
}

/** A word of the vocabulary that is similar to a typed one. */
export type SimilarWord = {
  position: number;
  word: string;
  edits: number;
  /** The word is longer than what is similar. */
  isPrefix: boolean;
  isFirstLetterDifferent: boolean;
};

/** Letters: all ways to write so many with one edit are looked up, since misspelled short words share few trigrams. */
const longestVaried = 6;
/** A shorter beginning with an edit is the beginning of too many words. */
const shortestMisspelledBeginning = 5;
/** Words per typed one, or per way to write it. */
const [mostSimilar, mostVaried] = [100, 100];
/** Ways to write all typed words, the last of them: scripts of many letters have thousands for each. */
const mostVariants = 8000;

/** Misspelled words of names, creators and labels; none is as typed. */
export async function findSimilarWords(db: Db, typed: TypedWord[]): Promise<SimilarWord[]> {
  const forgiven = typed
    .map((one, at) => ({ ...one, at, letters: [...one.word] }))
    .filter(({ word }) => editsForgiven(word) > 0);
  const long = forgiven.filter(({ letters }) => letters.length > longestVaried);
  const varied = forgiven
    .flatMap(({ letters, at, withPrefixes }) => {
      const isOpen = withPrefixes && letters.length >= shortestMisspelledBeginning;
      // Someone may still be typing the last word; trigrams find the other long ones.
      if (letters.length > longestVaried && at < typed.length - 1) return [];
      return variantsOf(letters.slice(0, longestVaried)).map((from) => ({
        at,
        from,
        to: `${from}${isOpen ? '\u{10FFFF}' : '\u{1}'}`,
      }));
    })
    .slice(-mostVariants);
  const positions = (ones: { at: number }[]) => sql`${sql.param(ones.map(({ at }) => at))}::int[]`;
  const { rows } = await db.execute<{ position: number; word: string }>(sql`
    select position, found.word from unnest(${positions(long)}, ${sql.param(long.map(({ word }) => word))}::text[]) as typed (position, word),
    lateral (
      select word from search_words w where w.word % typed.word and field < ${textField}
      group by word order by w.word <-> typed.word limit ${mostSimilar}
    ) found
    union
    select position, found.word from unnest(${positions(varied)}, ${sql.param(varied.map(({ from }) => from))}::text[],
      ${sql.param(varied.map(({ to }) => to))}::text[]) as varied (position, from_word, to_word),
    lateral (
      select word from search_words w where w.word >= varied.from_word and w.word < varied.to_word and field < ${textField}
      limit ${mostVaried}
    ) found`);
  return rows.flatMap(({ position, word }) => {
    const { word: wanted = '', withPrefixes = false } = typed[position] ?? {};
    if (word === wanted || (withPrefixes && word.startsWith(wanted))) return [];
    const edits = editDistance(wanted, word, editsForgiven(wanted), withPrefixes);
    if (edits === tooFar || edits === 0) return [];
    // Unrelated short words are that near to each other, and nothing else tells which is meant.
    if (typed.length === 1 && wanted.length === 4 && isReplaced(wanted, word)) return [];
    const isFirstLetterDifferent = word.charCodeAt(0) !== wanted.charCodeAt(0);
    return [{ position, word, edits, isPrefix: word.length > wanted.length + edits, isFirstLetterDifferent }];
  });
}

/** One letter is another one, and the rest is the same. */
function isReplaced(typed: string, word: string): boolean {
  if (typed.length !== word.length) return false;
  let others = 0;
  for (let at = 0; at < typed.length; at += 1) if (typed[at] !== word[at]) others += 1;
  return others === 1;
}

/** These letters, and all that is one edit away from them, with the letters of the same scripts. */
function variantsOf(letters: string[]): string[] {
  const alphabet = alphabetOf(letters);
  const variants = new Set([letters.join('')]);
  const add = (from: number, to: number, between: string) =>
    variants.add(letters.slice(0, from).join('') + between + letters.slice(to).join(''));
  for (let at = 0; at <= letters.length; at += 1) {
    for (const letter of alphabet) add(at, at, letter);
    if (at === letters.length) continue;
    add(at, at + 1, '');
    for (const letter of alphabet) add(at, at + 1, letter);
    if (at > 0) add(at - 1, at + 1, `${letters[at]}${letters[at - 1]}`);
  }
  return [...variants];
}

const latin = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
/** Code points that hold the letters of one script or two. */
const block = 256;

/** Letters of the same scripts; Chinese ones are too many. */
function alphabetOf(letters: string[]): string[] {
  const blocks = new Set(letters.map((letter) => Math.floor((letter.codePointAt(0) ?? 0) / block)));
  return [...blocks].slice(0, 2).flatMap((number) => {
    if (number === 0) return latin;
    const signs = Array.from({ length: block }, (_, at) => String.fromCodePoint(number * block + at));
    return signs.filter((sign) => /(?!\p{Script=Han})\p{L}/u.test(sign) && fold(sign) === sign);
  });
}

/** Finds the fields that have similar words. @param words each with its cost */
export async function locateWords(
  db: Db,
  words: { position: number; word: string; cost: number }[],
): Promise<(FoundWords & { cost: number })[]> {
  if (words.length === 0) return [];
  const { rows } = await db.execute<FoundWords & { cost: number }>(sql`
    select given.position, given.cost, kind, field, array_agg(code) as codes, sum(documents)::int as documents
    from unnest(${sql.param(words.map(({ position }) => position))}::int[], ${sql.param(words.map(({ word }) => word))}::text[],
      ${sql.param(words.map(({ cost }) => cost))}::int[]) as given (position, word, cost)
    join search_words w using (word) where field < ${textField} group by 1, 2, 3, 4`);
  return rows;
}
