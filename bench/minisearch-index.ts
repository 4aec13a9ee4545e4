import MiniSearch, { type Query } from 'minisearch';
import { searchGroups } from '#domain/search/forms.ts';
import type { IndexResponse, SearchDocument } from '#domain/search/search-index.ts';
import type { WordIndex, WordQuery } from '#domain/search/word-index.ts';
import { editsForgiven, wordsOf } from '#domain/search/words.ts';

const names = ['name', 'by', 'labels'];
const fields = [...names, 'text'];
/** Field weights in the order of product.md; the library multiplies its own score by them. */
const boost = { name: 16, by: 8, labels: 4, text: 1 };

type Matching = { forgivesEdits: boolean; everyPrefix: boolean };
const steps: Matching[] = [
  { forgivesEdits: false, everyPrefix: false },
  { forgivesEdits: false, everyPrefix: true },
  { forgivesEdits: true, everyPrefix: true },
];

type Entry = Pick<SearchDocument, 'group' | 'plays' | 'publishedAt'> & { reasons: string[]; hit: string };

/**
 * A library with the interface of the site's own word index and the same words, fields, steps and exclusions, to
 * compare the two (decision 016). Only the score is the library's: BM25 with field weights, and plays.
 */
export function createMiniSearchIndex(): WordIndex {
  const library = new MiniSearch<Record<string, string>>({ fields, tokenize: wordsOf, processTerm: (word) => word });
  const entries = new Map<string, Entry>();

  function queryOf(words: string[], { forgivesEdits, everyPrefix }: Matching): Query[] {
    return words.map((word, index) => {
      const prefix = index === words.length - 1 || (everyPrefix && word.length > 2);
      const fuzzy = forgivesEdits ? editsForgiven(word) : 0;
      const whole = { queries: [word], fields };
      if (fuzzy > 0 || (prefix && word.length < 3))
        return { combineWith: 'OR', queries: [whole, { queries: [word], fields: names, prefix, fuzzy }] };
      return { ...whole, prefix };
    });
  }

  function find({ words, ranges, hidden, now }: WordQuery, matching: Matching, combineWith: 'AND' | 'OR') {
    const excluded = new Set([...hidden.userIds, ...hidden.tagIds]);
    function weightOf(id: string): number {
      const { publishedAt, reasons, plays } = entries.get(id) as Entry;
      if ((publishedAt ?? 0) > now || reasons.some((reason) => excluded.has(reason))) return 0;
      return 1 + Math.log10(1 + plays) / 100;
    }
    const results = library.search(
      { combineWith, queries: queryOf(words, matching) },
      { boost, boostDocument: weightOf, prefix: false, fuzzy: false, tokenize: (word) => [word] },
    );
    const found = Object.fromEntries(searchGroups.map((group) => [group, [] as string[]]));
    for (const { id } of results) {
      const { group, hit } = entries.get(id as string) as Entry;
      found[group]?.push(hit);
    }
    const answer = searchGroups.map((group) => {
      const { from, length } = ranges[group] ?? { from: 0, length: 0 };
      const hits = (found[group] ?? []).slice(from, from + length).map((hit) => JSON.parse(hit));
      return [group, { total: found[group]?.length, hits, isLoose: matching.forgivesEdits }];
    });
    return { total: results.length, answer: Object.fromEntries(answer) as IndexResponse };
  }

  const idOf = (group: string, key: string) => `${group} ${key}`;
  function remove(group: string, key: string): void {
    if (entries.delete(idOf(group, key))) library.discard(idOf(group, key));
  }
  return {
    get documents() {
      return library.documentCount;
    },
    get words() {
      return library.termCount;
    },
    set({ group, key, name, by, labels, text, plays, publishedAt, ownerId, tagIds, hit }) {
      remove(group, key);
      const reasons = [...tagIds, ...(ownerId === null ? [] : [ownerId])];
      entries.set(idOf(group, key), { group, plays, publishedAt, reasons, hit: JSON.stringify(hit) });
      library.add({ id: idOf(group, key), name, by, labels, text });
    },
    remove,
    setPlays(group, key, plays) {
      const entry = entries.get(idOf(group, key));
      if (entry !== undefined) entry.plays = plays;
    },
    find(query) {
      for (const matching of steps) {
        const { answer, total } = find(query, matching, 'AND');
        if (total > 0 || query.words.length === 0) return answer;
      }
      return find(query, steps[2] as Matching, 'OR').answer;
    },
  };
}
