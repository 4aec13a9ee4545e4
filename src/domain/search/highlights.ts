import { editDistance, tooFar } from './edit-distance.ts';
import type { SearchGroup } from './forms.ts';
import type { SearchHits } from './search-index.ts';
import type { Mark } from './words.ts';
import { fold, markWords, queryWords, wordsOf } from './words.ts';

/** Where the fields of a hit match, by field; those that do not match are absent. */
export type Highlights = Record<string, Mark[]>;

/** The texts of a hit that are shown, by the names of its fields. */
const shownTexts: { [Group in SearchGroup]: (hit: SearchHits[Group]) => Record<string, string> } = {
  audios: ({ title, voice }) => ({ title, voice: voice.name }),
  categories: ({ label }) => ({ label }),
  playlists: ({ title }) => ({ title }),
  voices: ({ name }) => ({ name }),
  series: ({ title, voice }) => ({ title, ...(voice && { voice: voice.name }) }),
  users: ({ username }) => ({ username }),
  usersPlaylists: ({ title, user }) => ({ title, user: user.username }),
};

export function highlight<Group extends SearchGroup>(
  group: Group,
  hit: SearchHits[Group],
  words: string[],
): Highlights {
  return highlightTexts(shownTexts[group](hit), words);
}

/** Whether these words are its whole name. */
export function isNamed<Group extends SearchGroup>(group: Group, hit: SearchHits[Group], words: string[]): boolean {
  const [name = ''] = Object.values(shownTexts[group](hit));
  return queryWords(name).join(' ') === words.join(' ');
}

/** Of a misspelt word the nearest ones are marked, where no word begins with it as it stands. */
export function highlightTexts(texts: Record<string, string>, words: string[]): Highlights {
  const written = new Set(Object.values(texts).flatMap((text) => wordsOf(text)));
  const last = words.length - 1;
  const begins = (word: string, typed: string, index: number) =>
    word === typed || ((index === last || typed.length > 2) && word.startsWith(typed));
  const misspelt = words.filter((typed, index) => ![...written].some((word) => begins(word, typed, index)));

  function matchOf(word: string): number {
    let matched = 0;
    for (const [index, typed] of words.entries())
      if (begins(word, typed, index)) matched = Math.max(matched, typed.length);
    if (matched > 0) return matched;
    for (const typed of misspelt) {
      const most = typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2;
      if (most === 0) continue;
      if (editDistance(typed, word, most, false) !== tooFar) return word.length;
      if (typed.length > 3 && word.length > typed.length && editDistance(typed, word, most, true) !== tooFar)
        return typed.length;
    }
    return 0;
  }
  const marked = Object.entries(texts).map(([field, text]) => [field, markWords(text, matchOf)] as const);
  return Object.fromEntries(marked.filter(([, marks]) => marks.length > 0));
}

/** How many of the words a text has, the last one also as a beginning. */
export function countFound(text: string, words: string[]): number {
  const written = new Set(wordsOf(text));
  return words.filter(
    (typed, index) =>
      written.has(typed) || (index === words.length - 1 && [...written].some((word) => word.startsWith(typed))),
  ).length;
}

/** Whether the words stand in the text one after the other, as they were typed. */
export function hasPhrase(text: string, words: string[]): boolean {
  return ` ${fold(text)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')}`.includes(` ${words.join(' ')}`);
}
