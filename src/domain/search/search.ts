import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { findDocuments } from './documents.ts';
import { type SearchGroup, searchGroups } from './forms.ts';
import { type Highlights, highlight, isNamed } from './highlights.ts';
import { findHidden } from './hidden.ts';
import type { IndexResponse, Hidden, Ranges, SearchHits, SearchIndex } from './search-index.ts';
import { type HeardLine, findHeard, findLines } from './transcript-hits.ts';
import { queryWords } from './words.ts';

export type SearchHit<Group extends SearchGroup> = SearchHits[Group] & {
  highlights: Highlights;
} & (Group extends 'audios'
    ? {
        /** Its transcript match, if any. */
        line: HeardLine | null;
      }
    : unknown);

/** Spec §3, "Search results". */
export type SearchResponse = {
  [Group in SearchGroup]: {
    index: Group;
    hits: SearchHit<Group>[];
    total: number;
    page: number;
    /** One of the hits has exactly this name. */
    hasExactName: boolean;
  };
};

export type SearchQuery = {
  /** From `SearchTerm`. */
  term: string;
  /** Groups with hits; the others get totals only. Default: all. */
  groups?: readonly SearchGroup[] | undefined;
  /** The first page is 0. */
  page: number;
  /** Hits of each group. */
  limit: number;
  /**
   * Transcripts are searched too when fewer audios than this match; default 24. A smaller value means suggestions while
   * typing, where a whole name takes precedence.
   */
  few?: number;
  /** Only audios that are free to all; the other groups are empty. */
  onlyFree?: boolean;
  /** From `excerptClientOf`; viewers without one share a counter of transcript lines. */
  client?: string;
};

export type SearchParts = {
  db: Db;
  index: SearchIndex;
  /** Groups that an operator turned off: nothing of them is found; default: none. */
  listOff?: (() => readonly SearchGroup[]) | undefined;
};

const fewAudios = 24;

export async function search(
  { db, index, listOff }: SearchParts,
  viewer: Viewer,
  query: SearchQuery,
): Promise<SearchResponse> {
  const {
    term,
    groups = searchGroups,
    page,
    limit,
    few: audioLimit = fewAudios,
    onlyFree = false,
    client = '',
  } = query;
  const words = queryWords(term);
  const hidden = await findHidden(db, viewer);
  const from = page * limit;
  const ranges: Ranges = Object.fromEntries(groups.map((group) => [group, { from, length: limit }]));
  // From the first hit on: transcript matches follow when there are few.
  ranges.audios = { from: 0, length: Math.max(audioLimit, from + limit) };
  const answered = words.length === 0 ? nothing() : await index.find({ term, ranges, hidden, onlyFree });
  const found = { ...answered };
  for (const group of listOff?.() ?? []) found[group] = { ...none, isLoose: false } as never;
  const hasExactName = (group: SearchGroup) => found[group].hits.some((hit) => isNamed(group, hit as never, words));
  // Someone who types a whole name is not looking for a line that contains it.
  const skipsTranscripts = audioLimit < fewAudios && groups.some(hasExactName);
  // The built-in index already does this; Algolia is queried per group, so some groups may be loose and others exact.
  const isAnyExact = searchGroups.some((group) => found[group].total > 0 && !found[group].isLoose);
  const named = (group: SearchGroup) =>
    found[group].isLoose && isAnyExact ? { ...found[group], ...none } : found[group];
  const audios = await addHeard(db, named('audios') as IndexResponse['audios'], {
    words,
    from,
    limit,
    few: audioLimit,
    hidden,
    onlyFree,
    skipsTranscripts,
    asker: { viewer, client },
  });
  if (!groups.includes('audios')) audios.hits = [];

  const answer = searchGroups.map((group) => {
    const { total, hits } =
      group === 'audios' ? audios : audios.replacesSimilar && found[group].isLoose ? none : named(group);
    const shown = hits.map((hit) => ({
      ...hit,
      highlights: highlight(group, hit as never, words, found[group]),
      ...(group === 'audios' && { line: audios.lines.get(hit.id) ?? null }),
    }));
    return [group, { index: group, hits: shown, total, page, hasExactName: hasExactName(group) }];
  });
  return Object.fromEntries(answer) as SearchResponse;
}

const none = { total: 0, hits: [] };

type FoundAudios = {
  total: number;
  hits: SearchHits['audios'][];
  lines: Map<string, HeardLine>;
  /** Some transcripts have all the words, so similar names are dropped. */
  replacesSimilar: boolean;
};

/** A page of audios found by name, followed by those found by transcript. */
async function addHeard(
  db: Db,
  found: IndexResponse['audios'],
  options: {
    words: string[];
    from: number;
    limit: number;
    few: number;
    hidden: Hidden;
    onlyFree: boolean;
    skipsTranscripts: boolean;
    asker: { viewer: Viewer; client: string };
  },
): Promise<FoundAudios> {
  const { words, from, limit, few: audioLimit, hidden, onlyFree, skipsTranscripts } = options;
  const { total, hits, isLoose } = found;
  if (words.length === 0 || skipsTranscripts || (total >= audioLimit && !isLoose))
    return { total, hits: hits.slice(from, from + limit), lines: new Map(), replacesSimilar: false };
  const known = isLoose ? [] : hits.map(({ id }) => id);
  const heard = await findHeard(db, words, { except: known, hidden, onlyFree });
  const replacesSimilar = isLoose && heard.length > 0;
  const named = replacesSimilar ? none : { total, hits };
  const ids = named.hits.map(({ id }) => id);
  const shown = heard.slice(Math.max(0, from - ids.length), Math.max(0, from + limit - ids.length));
  const [documents, lines] = await Promise.all([
    shown.length === 0 ? [] : findDocuments(db, 'audios', shown),
    findLines(db, shown, words, options.asker),
  ]);
  const byId = new Map(documents.map(({ key, hit }) => [key, hit as SearchHits['audios']]));
  return {
    total: named.total + heard.length,
    hits: [...named.hits.slice(from, from + limit), ...shown.flatMap((id) => byId.get(id) ?? [])],
    lines,
    replacesSimilar,
  };
}

function nothing(): IndexResponse {
  return Object.fromEntries(
    searchGroups.map((group) => [group, { total: 0, hits: [], isLoose: false }]),
  ) as unknown as IndexResponse;
}
