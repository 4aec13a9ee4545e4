import { type SearchGroup, searchGroups } from './forms.ts';
import type { Property, SearchDocument } from './search-index.ts';
import { searchedFields, textField, wordsOf } from './words.ts';

const propertyField = searchedFields.length;

/** Letters; shorter prefixes are entries of their own, because too many words begin with them. */
export const longestBeginning = 2;

/** The entry for all words that begin with these letters. */
export const beginning = (letters: string) => `${letters}*`;

/** Properties. No word of a text begins with this sign. */
export const anyDocument = '#any';
export const freeAudio = '#free';
/** @param language primary subtag */
export const spoken = (language: string) => `#in ${language}`;
export const tagged = (tagId: string) => `#${tagId}`;
const having = (property: string) => `#has ${property}`;

export function entryOf({ field, value }: Property): string {
  return { tagIds: tagged, language: spoken, properties: having }[field](value);
}

/** The group as `search_words` and `search_documents` store it. */
export const kindOf = (group: SearchGroup) => searchGroups.indexOf(group);

/**
 * Each word once, after the digit of the first field that has it: `0rain`. Properties have a field of their own. A
 * description is not found by the first one or two letters of its words.
 */
export function entriesOf(document: SearchDocument): string[] {
  const found = new Map<string, number>();
  const add = (word: string, field: number) => {
    if (!found.has(word)) found.set(word, field);
  };
  for (const [field, name] of searchedFields.entries())
    for (const word of wordsOf(document[name])) {
      add(word, field);
      if (field !== textField) for (const letters of beginningsOf(word)) add(beginning(letters), field);
    }
  add(anyDocument, propertyField);
  if (document.isFree) add(freeAudio, propertyField);
  if (document.language !== '') add(spoken(document.language), propertyField);
  for (const tagId of document.tagIds) add(tagged(tagId), propertyField);
  for (const property of document.properties) add(having(property), propertyField);
  return Array.from(found, ([word, field]) => `${field}${word}`);
}

function beginningsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters
    .slice(0, Math.min(longestBeginning, letters.length - 1))
    .map((_, at) => letters.slice(0, at + 1).join(''));
}

// Entries that need no row in `search_words` are negative codes.
const longestCountedName = 255;
const firstNameCode = 2048;

/** The entry of documents of a group whose name has this many words. */
export function nameLengthCode(kind: number, words: number): number {
  return -(1 + kind * (longestCountedName + 1) + Math.min(words, longestCountedName));
}

/** The entry of documents with exactly this name. @param words from `queryWords` */
export function nameCode(words: string[]): number {
  let hash = 0;
  for (const letter of words.join(' ')) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return -(firstNameCode + (hash % (2 ** 31 - firstNameCode)));
}
