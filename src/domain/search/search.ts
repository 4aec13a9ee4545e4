import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { findPlaylistsByIds } from '../catalogue/playlists.ts';
import { inLabel } from '../catalogue/voices.ts';
import { inWords } from '../settings/translations.ts';
import type { AudioFilter } from '../catalogue/forms.ts';
import { readAsked } from './asked.ts';
import { findDocuments } from './documents.ts';
import { type SearchGroup, searchGroups } from './forms.ts';
import { type Highlights, highlight, isNamed } from './highlights.ts';
import { findHidden } from './hidden.ts';
import { type IndexResponse, type Ranges, type SearchHits, type SearchIndex, responseOf } from './search-index.ts';
import { type HeardLine, findHeard, findLines } from './transcript-hits.ts';
import { wantedOf } from './properties.ts';
import { type Wider, widen } from './wider.ts';
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
    /** When no audio was found: the parts of what was asked for without which most are. */
    wider?: Group extends 'audios' ? Wider[] : never;
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
  /** On audios; `shorterThan` does not count. */
  filter?: AudioFilter;
  /** From `excerptClientOf`; viewers without one share a counter of transcript lines. */
  client?: string;
};

export type SearchParts = {
  db: Db;
  index: SearchIndex;
  /** Groups that an operator turned off: nothing of them is found; default: none. */
  listOff?: (() => readonly SearchGroup[]) | undefined;
  /** Whether the site refuses to search for it; default: nothing is refused. */
  isRefused?: ((term: string) => boolean) | undefined;
};

export const fewAudios = 24;

export async function search(
  { db, index, listOff, isRefused }: SearchParts,
  viewer: Viewer,
  query: SearchQuery,
): Promise<SearchResponse> {
  const { groups = searchGroups, page, limit, few = fewAudios, client = '', filter = {} } = query;
  const onlyFree = query.onlyFree === true || filter.free !== undefined;
  const asked = await readAsked(db, query.term, filter);
  const { term, conditions } = asked;
  const words = isRefused?.(query.term) === true ? [] : queryWords(term);
  const hidden = await findHidden(db, viewer);
  const [from, to] = [page * limit, (page + 1) * limit];
  const ranges: Ranges = Object.fromEntries(groups.map((group) => [group, { from, length: limit }]));
  // From the first hit on: transcript matches follow when there are few.
  ranges.audios = { from: 0, length: Math.max(few, to) };
  // A copy: the index may keep its answer.
  const found = inLanguage(
    db,
    words.length === 0
      ? responseOf([])
      : await index.find({ term, ranges, hidden, onlyFree, wanted: wantedOf(conditions, asked.noWords) }),
  );
  if (hidden.voiceIds.length > 0) found.playlists = await withoutHiddenVoices(db, viewer, found.playlists);
  for (const group of listOff?.() ?? []) found[group] = { ...found[group], ...none };
  const hasExactName = (group: SearchGroup) => found[group].hits.some((hit) => isNamed(group, hit as never, words));

  const { total, isLoose, hits } = found.audios;
  // Someone who types a whole name is not looking for a line that contains it.
  const isName = few < fewAudios && groups.some(hasExactName);
  const isHeard = words.length > 0 && !isName && (isLoose || total < few);
  const known = isLoose ? [] : hits.map(({ id }) => id);
  const heard = isHeard ? await findHeard(db, words, { except: known, hidden, onlyFree, conditions }) : [];
  // All the words said are more than names that are only similar.
  if (heard.length > 0)
    for (const group of searchGroups) if (found[group].isLoose) found[group] = { ...found[group], ...none };
  const { audios } = found;
  const after = (place: number) => Math.max(0, place - audios.hits.length);
  const shown = groups.includes('audios') ? heard.slice(after(from), after(to)) : [];
  const [documents, lines] = await Promise.all([
    shown.length === 0 ? [] : findDocuments(db, 'audios', shown),
    findLines(db, shown, words, { viewer, client }),
  ]);
  const byId = new Map(documents.map(({ key, hit }) => [key, hit as SearchHits['audios']]));
  const onPage = [...audios.hits.slice(from, to), ...shown.flatMap((id) => byId.get(id) ?? [])];
  found.audios = {
    ...audios,
    total: audios.total + heard.length,
    hits: groups.includes('audios') ? onPage : [],
  };

  const answer = searchGroups.map((group) => {
    const hits = found[group].hits.map((hit) => ({
      ...hit,
      highlights: highlight(group, hit as never, words, found[group]),
      ...(group === 'audios' && { line: lines.get(hit.id) ?? null }),
    }));
    return [group, { index: group, hits, total: found[group].total, page, hasExactName: hasExactName(group) }];
  });
  const isNothing = found.audios.total === 0 || (found.audios.isLoose && conditions.length > 0);
  const wider =
    isNothing && words.length > 0 && few >= fewAudios ? await widen(index, asked, { hidden, onlyFree }) : [];
  const response = Object.fromEntries(answer) as SearchResponse;
  if (wider.length > 0) response.audios.wider = wider;
  return response;
}

const none = { total: 0, hits: [] };

/** Playlists are the site's, so the index knows no owner of theirs, but portraits of everyone in them. */
async function withoutHiddenVoices(
  db: Db,
  viewer: Viewer,
  found: IndexResponse['playlists'],
): Promise<IndexResponse['playlists']> {
  const ids = found.hits.map(({ id }) => id);
  const shown = new Map((await findPlaylistsByIds(db, ids, viewer)).map((playlist) => [playlist.id, playlist]));
  const hits = found.hits.flatMap((hit) => {
    const playlist = shown.get(hit.id);
    if (playlist === undefined) return [];
    const { voices, voiceImages, totalAudios } = playlist;
    return [{ ...hit, voices, voiceImages, totalAudios }];
  });
  return { ...found, hits, total: found.total - (ids.length - hits.length) };
}

/** A copy, in the language of the request. */
function inLanguage(db: Db, found: IndexResponse): IndexResponse {
  const { categories, playlists, series, voices } = found;
  return {
    ...found,
    categories: { ...categories, hits: categories.hits.map((hit) => inWords(db, 'category', hit, 'label')) },
    playlists: { ...playlists, hits: playlists.hits.map((hit) => inWords(db, 'playlist', hit, 'title')) },
    series: { ...series, hits: series.hits.map((hit) => inWords(db, 'series', hit, 'title')) },
    voices: {
      ...voices,
      hits: voices.hits.map(({ category, ...hit }) => ({
        ...hit,
        category: category && inLabel(db, { id: '', ...category }),
      })),
    },
  };
}
