import type { Db } from '../db.ts';
import type { Viewer } from '../identity/rules.ts';
import { readDocuments } from './documents.ts';
import { searchGroups } from './forms.ts';
import type { SearchGroup } from './forms.ts';
import type { Highlights } from './highlights.ts';
import { highlight, isNamed } from './highlights.ts';
import { findLeftOut } from './left-out.ts';
import type { IndexAnswer, LeftOut, Ranges, SearchHits, SearchIndex } from './search-index.ts';
import type { HeardLine } from './transcript-hits.ts';
import { findHeard, findLines } from './transcript-hits.ts';
import { queryWords } from './words.ts';

export type SearchHit<Group extends SearchGroup> = SearchHits[Group] & {
  highlights: Highlights;
} & (Group extends 'audios'
    ? {
        /** Where it was found by what is said in it. */
        line: HeardLine | null;
      }
    : unknown);

/** Spec §3, "Search results". */
export type SearchAnswer = {
  [Group in SearchGroup]: { index: Group; hits: SearchHit<Group>[]; total: number; page: number };
};

export type SearchQuery = {
  /** As `SearchTerm` leaves it. */
  term: string;
  /** Hits of these; of the others only totals. All unless told. */
  groups?: readonly SearchGroup[] | undefined;
  /** The first page is 0. */
  page: number;
  /** Hits of each group. */
  limit: number;
  /**
   * With so few audios, what is said in them is looked through as well; 24 unless told. Whoever wants fewer is still
   * typing: for them a whole name is what is meant.
   */
  few?: number;
};

export type SearchParts = { db: Db; index: SearchIndex };

const fewAudios = 24;

export async function search({ db, index }: SearchParts, viewer: Viewer, query: SearchQuery): Promise<SearchAnswer> {
  const { term, groups = searchGroups, page, limit, few = fewAudios } = query;
  const words = queryWords(term);
  const leftOut = await findLeftOut(db, viewer);
  const from = page * limit;
  const ranges: Ranges = Object.fromEntries(groups.map((group) => [group, { from, length: limit }]));
  // From the first one on: should they be few, those in which it is said come after them.
  ranges.audios = { from: 0, length: Math.max(few, from + limit) };
  const found = words.length === 0 ? nothing() : await index.find({ term, ranges, leftOut });
  const isMeant =
    few < fewAudios && groups.some((group) => found[group].hits.some((hit) => isNamed(group, hit as never, words)));
  const audios = await addHeard(db, found.audios, { words, from, limit, few, leftOut, isMeant });
  if (!groups.includes('audios')) audios.hits = [];

  const answer = searchGroups.map((group) => {
    const { total, hits } =
      group === 'audios' ? audios : audios.isInstead && found[group].isPartial ? none : found[group];
    const shown = hits.map((hit) => ({
      ...hit,
      highlights: highlight(group, hit as never, words),
      ...(group === 'audios' && { line: audios.lines.get(hit.id) ?? null }),
    }));
    return [group, { index: group, hits: shown, total, page }];
  });
  return Object.fromEntries(answer) as SearchAnswer;
}

const none = { total: 0, hits: [] };

type FoundAudios = {
  total: number;
  hits: SearchHits['audios'][];
  lines: Map<string, HeardLine>;
  /** All the words are said somewhere: that is meant rather than a name with some of them. */
  isInstead: boolean;
};

/** A page of the audios that were found by name, and then of those in which the words are said. */
async function addHeard(
  db: Db,
  found: IndexAnswer['audios'],
  options: { words: string[]; from: number; limit: number; few: number; leftOut: LeftOut; isMeant: boolean },
): Promise<FoundAudios> {
  const { words, from, limit, few, leftOut, isMeant } = options;
  const { total, hits, isPartial } = found;
  if (words.length === 0 || isMeant || (total >= few && !isPartial))
    return { total, hits: hits.slice(from, from + limit), lines: new Map(), isInstead: false };
  const known = isPartial ? [] : hits.map(({ id }) => id);
  const heard = await findHeard(db, words, known, leftOut);
  const isInstead = isPartial && heard.length > 0;
  const named = isInstead ? none : { total, hits };
  const ids = named.hits.map(({ id }) => id);
  const shown = heard.slice(Math.max(0, from - ids.length), Math.max(0, from + limit - ids.length));
  const [documents, lines] = await Promise.all([
    shown.length === 0 ? [] : readDocuments(db, 'audios', { keys: shown }),
    findLines(db, shown, words),
  ]);
  const byId = new Map(documents.map(({ key, hit }) => [key, hit as SearchHits['audios']]));
  return {
    total: named.total + heard.length,
    hits: [...named.hits.slice(from, from + limit), ...shown.flatMap((id) => byId.get(id) ?? [])],
    lines,
    isInstead,
  };
}

function nothing(): IndexAnswer {
  return Object.fromEntries(
    searchGroups.map((group) => [group, { total: 0, hits: [], isPartial: false }]),
  ) as unknown as IndexAnswer;
}
