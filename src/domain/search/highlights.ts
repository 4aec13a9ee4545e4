import { editDistance, tooFar } from '#formats/edit-distance.ts';
import type { SearchGroup } from './forms.ts';
import type { SearchHits } from './search-index.ts';
import { fold } from '../settings/folded-words.ts';
import { type Mark, editsForgiven, markWords, queryWords, wordsOf } from './words.ts';

/** Marked ranges of a hit by field; fields without a match are absent. */
export type Highlights = Record<string, Mark[]>;

/** The visible texts of a hit, by field. */
const shownTexts: { [Group in SearchGroup]: (hit: SearchHits[Group]) => Record<string, string> } = {
  audios: ({ title, voice }) => ({ title, voice: voice.name }),
  categories: ({ label }) => ({ label }),
  playlists: ({ title }) => ({ title }),
  voices: ({ name }) => ({ name }),
  series: ({ title, voice }) => ({ title, ...(voice && { voice: voice.name }) }),
  users: ({ username }) => ({ username }),
  usersPlaylists: ({ title, user }) => ({ title, user: user.username }),
};

export type HighlightOptions = {
  /** Similar words are marked too. */
  isLoose: boolean;
};

export function highlight<Group extends SearchGroup>(
  group: Group,
  hit: SearchHits[Group],
  words: string[],
  options: HighlightOptions,
): Highlights {
  return highlightTexts(shownTexts[group](hit), words, options);
}

/** Whether these words are the whole name. */
export function isNamed<Group extends SearchGroup>(group: Group, hit: SearchHits[Group], words: string[]): boolean {
  const [name = ''] = Object.values(shownTexts[group](hit));
  return queryWords(name).join(' ') === words.join(' ');
}

/** Marks the typed words; in a loose match also words similar to those that no text contains. */
export function highlightTexts(
  texts: Record<string, string>,
  words: string[],
  { isLoose }: HighlightOptions = { isLoose: false },
): Highlights {
  const written = new Set(Object.values(texts).flatMap((text) => wordsOf(text)));
  const last = words.length - 1;
  const begins = (word: string, typed: string, index: number) =>
    word === typed || ((index === last || typed.length > 2) && word.startsWith(typed));
  const misspelt = isLoose
    ? words.filter((typed, index) => ![...written].some((word) => begins(word, typed, index)))
    : [];

  function matchOf(word: string): number {
    let matched = 0;
    for (const [index, typed] of words.entries())
      if (begins(word, typed, index)) matched = Math.max(matched, typed.length);
    if (matched > 0) return matched;
    for (const typed of misspelt) {
      const max = editsForgiven(typed);
      if (max === 0) continue;
      if (editDistance(typed, word, max, false) !== tooFar) return word.length;
      if (typed.length > 3 && word.length > typed.length && editDistance(typed, word, max, true) !== tooFar)
        return typed.length;
    }
    return 0;
  }
  const marked = Object.entries(texts).map(([field, text]) => [field, markWords(text, matchOf)] as const);
  return Object.fromEntries(marked.filter(([, marks]) => marks.length > 0));
}

/** Number of query words in the text; the last one also matches as a prefix. */
export function countFound(text: string, words: string[]): number {
  const written = new Set(wordsOf(text));
  return words.filter(
    (typed, index) =>
      written.has(typed) || (index === words.length - 1 && [...written].some((word) => word.startsWith(typed))),
  ).length;
}

/** Whether the text contains the words as a phrase. */
export function hasPhrase(text: string, words: string[]): boolean {
  return ` ${fold(text)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')}`.includes(` ${words.join(' ')}`);
}
