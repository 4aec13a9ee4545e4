import type { Db } from '../kernel/db.ts';
import { costOfMissing, costsOfFields } from './costs.ts';
import { anyDocument, entryOf, freeAudio, kindOf, nameCode, nameLengthCode, spoken, tagged } from './entries.ts';
import { type SearchGroup, searchGroups } from './forms.ts';
import { type MatchedWords, type Matching, matchingsOf, strictly } from './matching.ts';
import {
  type Excluded,
  type KindHits,
  type KindRange,
  type Required,
  findByWords,
  findPopular,
  mostComparedOf,
} from './ranking.ts';
import { deepestHit } from './rules.ts';
import { type IndexQuery, type IndexResponse, type Ranges, responseOf } from './search-index.ts';
import { type FoundWords, findWords } from './vocabulary.ts';
import { nameField, queryWords } from './words.ts';

/** Up to so many expected documents all are compared, and from so many on the most popular ones are looked at instead. */
const compared = { always: 800, never: 2500 };
const audioKind = kindOf('audios');
/** Combinations of words that are looked for. */
const mostCombinations = 10;

type Asked = {
  db: Db;
  words: string[];
  /** Documents by group, and the part of them that the viewer finds. */
  documents: { all: number; part: number }[];
  ranges: KindRange[];
  excluded: Excluded;
  /** Each document must have one of these codes too. */
  also: Required;
  /** Each audio must have one of each of these lists of codes too: the viewer's languages, and what is asked for. */
  alsoAudios: Required;
};

const anyAudio = { all: [], noTagIds: [], noWords: [] };

/** The best hits of each group, by the strictest way of matching that finds anything in any group. */
export async function findBest(
  db: Db,
  { term, ranges, hidden, onlyFree, wanted = anyAudio }: IndexQuery,
): Promise<IndexResponse> {
  const words = queryWords(term);
  // Lists of which each audio must have one.
  const lists = [
    ...(hidden.languages ? [hidden.languages.map(spoken)] : []),
    ...wanted.all.map((all) => all.map(entryOf)),
  ];
  const excluded = [...[...hidden.tagIds, ...wanted.noTagIds].map(tagged), ...wanted.noWords];
  const properties = [anyDocument, freeAudio, ...lists.flat(), ...excluded];
  const firstExcluded = properties.length - excluded.length;
  const found = await findWords(db, [...strictly(words), ...properties.map((word) => ({ word, withPrefixes: false }))]);
  const isTyped = ({ position }: FoundWords) => position < words.length;
  const foundOf = (property: number) => found.filter(({ position }) => position === words.length + property);
  const free = foundOf(1).flatMap(({ codes }) => codes);
  let place = 2;
  const inLists = lists.map((list) => list.flatMap(() => foundOf(place++)).filter(({ kind }) => kind === audioKind));
  const asked: Asked = {
    db,
    words,
    documents: searchGroups.map((_, kind) => {
      const [all = 0, ofFree = 0, ...others] = properties.map((__, property) =>
        sumOf(foundOf(property).filter((one) => one.kind === kind)),
      );
      if (all === 0) return { all, part: 0 };
      // A document may have several hidden tags.
      const hiddenOnes = Math.max(0, ...others.slice(firstExcluded - 2));
      const inAll = kind === audioKind ? inLists.map((list) => Math.min(1, sumOf(list) / all)) : [];
      const part = inAll.reduce((rest, one) => rest * one, 1 - hiddenOnes / all);
      return { all, part: part * (onlyFree ? ofFree / all : 1) };
    }),
    ranges: searchGroups.map((group) => ({ kind: kindOf(group), ...rangeOf(ranges, group) })),
    excluded: {
      codes: found
        .filter(
          // A title that has an excluded word, as in “Without Sleep”, may be the one that is looked for.
          ({ position, kind, field }) =>
            position >= words.length + firstExcluded && kind === audioKind && field !== nameField,
        )
        .flatMap(({ codes }) => codes),
      ids: [...hidden.userIds, ...hidden.voiceIds, ...hidden.audioIds],
    },
    also: onlyFree ? [free] : [],
    alsoAudios: inLists.map((list) => list.flatMap(({ codes }) => codes)),
  };
  if (words.length > 0 && !(onlyFree && free.length === 0))
    for await (const matching of matchingsOf(db, words, found.filter(isTyped))) {
      const hits = await findMatching(asked, matching);
      if (hits.some(({ total }) => total > 0)) return responseOf(hits, matching.isLoose);
    }
  return responseOf([]);
}

function rangeOf(ranges: Ranges, group: SearchGroup): { from: number; to: number } {
  const { from, length } = ranges[group] ?? { from: 0, length: 0 };
  return { from, to: Math.min(from + length, deepestHit) };
}

const sumOf = (found: FoundWords[]) => found.reduce((sum, { documents }) => sum + documents, 0);

async function findMatching(asked: Asked, matching: Matching): Promise<KindHits[]> {
  const { words } = asked;
  const { matches, min } = matching;
  const positions = [...words.keys()].filter((position) => matches.some((one) => one.position === position));
  if (positions.length < min) return [];
  return min === words.length ? findAll(asked, matching, positions) : findSome(asked, matching, positions);
}

function combinationsOf(positions: number[], count: number): number[][] {
  if (count === 0) return [[]];
  return positions.flatMap((position, at) =>
    combinationsOf(positions.slice(at + 1), count - 1).map((rest) => [position, ...rest]),
  );
}

/** Documents with all words at these positions. */
async function findAll(asked: Asked, matching: Matching, positions: number[]): Promise<KindHits[]> {
  const counted = searchGroups.flatMap((_, kind) => estimate(asked, matching.matches, kind, positions) ?? []);
  const few = counted.flatMap(({ kind, isMany }) => (isMany ? [] : [kind]));
  const amongMany = (kind: number, documents: number) => findAmongMany(asked, matching, positions, kind, documents);
  const [scored, ...popular] = await Promise.all([
    score(asked, matching, [positions], few),
    ...counted.flatMap(({ kind, isMany, documents }) => (isMany ? [amongMany(kind, documents)] : [])),
  ]);
  // Words that often stand together are in far more documents than expected, of which some were cut off.
  const whole = scored.map((hits) =>
    hits.isCut && hits.total > compared.always ? amongMany(hits.kind, hits.total) : hits,
  );
  return [...(await Promise.all(whole)), ...popular];
}

/** Documents with enough of the words; if very many have enough, those with more of them. */
async function findSome(asked: Asked, matching: Matching, positions: number[]): Promise<KindHits[]> {
  const { matches, min } = matching;
  const countOf = (position: number) => sumOf(matches.filter((one) => one.position === position));
  const rarest = positions.toSorted((one, other) => countOf(one) - countOf(other));
  const estimates = (combination: number[]) =>
    [...searchGroups.keys()].flatMap((kind) => estimate(asked, matches, kind, combination) ?? []);
  const isFew = (combination: number[]) => estimates(combination).every(({ isMany }) => !isMany);
  const most = Math.min(positions.length, asked.words.length - 1);
  const levels = Array.from({ length: most - min + 1 }, (_, more) => combinationsWith(rarest, min + more));
  const documentsOf = (combinations: number[][]) =>
    combinations.flatMap(estimates).reduce((sum, { documents }) => sum + documents, 0);
  const fitting = levels.findIndex((combinations) => documentsOf(combinations) <= mostComparedOf(matching));
  const scoreWith = (more: number) =>
    score(asked, { ...matching, min: min + more }, levels[more]?.filter(isFew) ?? [], [...searchGroups.keys()]);
  for (let more = fitting === -1 ? most - min : fitting; more >= 0; more -= 1) {
    let found = await scoreWith(more);
    for (let next = more + 1; next <= most - min && found.some(({ isCut }) => isCut); next += 1) {
      const better = await scoreWith(next);
      if (better.length > 0) found = better;
    }
    if (found.length > 0) return found;
  }
  return levels[0]?.every(isFew) ? [] : findAll(asked, matching, rarest.slice(0, min));
}

/** Combinations of words of which each document with `min` of all words has one: few, of the rarest words. */
function combinationsWith(rarest: number[], min: number): number[][] {
  const sizes = Array.from({ length: min }, (_, less) => min - less);
  const combinations = sizes.map((size) => combinationsOf(rarest.slice(0, rarest.length - min + size), size));
  return combinations.find(({ length }) => length <= mostCombinations) ?? [];
}

type Estimate = { kind: number; documents: number; isMany: boolean };

/** How many documents of a group have all these words, if each is spread evenly; undefined when it has none of one. */
function estimate(
  { documents, ranges }: Asked,
  matches: MatchedWords[],
  kind: number,
  positions: number[],
): Estimate | undefined {
  const { all = 0, part = 0 } = documents[kind] ?? {};
  const counts = positions.map((position) =>
    countOf(
      all,
      matches.filter((one) => one.kind === kind && one.position === position),
    ),
  );
  const rarest = Math.min(...counts);
  const expected = counts.reduce((rest, count) => (rest * count) / all, all * part);
  if (rarest === 0 || expected === 0) return undefined;
  // As many popular ones as expected documents are then looked at until enough of them match.
  const even = Math.sqrt(all * (ranges[kind]?.to ?? 0));
  const isMany = rarest > compared.always && expected > Math.max(compared.always, Math.min(compared.never, even));
  return { kind, documents: Math.max(1, Math.round(expected)), isMany };
}

/** How many documents have any of the words, if each is spread evenly: some have several. A word is in one field of each. */
function countOf(all: number, matches: MatchedWords[]): number {
  const partOf = (isAsTyped: boolean) =>
    matches
      .filter((one) => one.isAsTyped === isAsTyped)
      .reduce(
        (sum, one) => sum + (one.codes.length === 1 ? one.documents / all : 1 - Math.exp(-one.documents / all)),
        0,
      );
  return all * (1 - Math.max(0, 1 - partOf(true)) * Math.max(0, 1 - partOf(false)));
}

/** Codes of the matches of each word. */
function listsOf(matches: MatchedWords[], positions: number[]): Required {
  return positions.map((position) => [
    ...new Set(matches.flatMap((one) => (one.position === position ? one.codes : []))),
  ]);
}

/** @param more lists of which a document must have a code too */
async function score(
  { db, words, ranges, excluded, also, alsoAudios }: Asked,
  matching: Matching,
  combinations: number[][],
  kinds: number[],
  more: Required = [],
): Promise<KindHits[]> {
  const matches = matching.matches.filter(({ kind }) => kinds.includes(kind));
  const [ofAudios, others] = [true, false].map((isOf) => matches.filter(({ kind }) => (kind === audioKind) === isOf));
  const alternatives = combinations
    .flatMap((positions) =>
      alsoAudios.length === 0
        ? [listsOf(matches, positions)]
        : [[...listsOf(ofAudios ?? [], positions), ...alsoAudios], listsOf(others ?? [], positions)],
    )
    .filter((lists) => lists.every((codes) => codes.length > 0));
  if (alternatives.length === 0) return [];
  return findByWords(
    db,
    alternatives.map((lists) => [...more, ...lists, ...also]),
    {
      matching: { ...matching, matches },
      missing: words.map(costOfMissing),
      excluded,
      ranges: ranges.filter(({ kind }) => kinds.includes(kind)),
    },
  );
}

/**
 * Hits of a group in which very many documents match: class by class, from words as typed in the name to words in the
 * description. Within a class the most popular come first.
 */
async function findAmongMany(
  asked: Asked,
  matching: Matching,
  positions: number[],
  kind: number,
  documents: number,
): Promise<KindHits> {
  const { db, words, ranges, excluded } = asked;
  const also = kind === audioKind ? [...asked.also, ...asked.alsoAudios] : asked.also;
  const { from, to } = ranges[kind] ?? { from: 0, to: 0 };
  const fromStart = { ...asked, ranges: [{ kind, from: 0, to }] };
  const found = new Map<string, unknown>();
  const add = ({ keys, hits }: Pick<KindHits, 'keys' | 'hits'> = { keys: [], hits: [] }) => {
    for (const [at, key] of keys.entries()) if (!found.has(key)) found.set(key, hits[at]);
  };
  const own = matching.matches.filter((one) => one.kind === kind);
  let before = 0;
  for (const matches of classesOf(own)) {
    if (found.size >= to) break;
    const counted = estimate(asked, matches, kind, positions);
    if (counted === undefined || matches.length === before) continue;
    before = matches.length;
    const scoreWith = async (more: Required) =>
      (await score(fromStart, { ...matching, matches }, [positions], [kind], more))[0];
    const scored = counted.isMany ? undefined : await scoreWith([]);
    if (!counted.isMany && scored?.isCut !== true) {
      add(scored);
      continue;
    }
    // Whole names first, and misspelled ones by their length: the popular ones do not show them.
    if (matches.every(({ field }) => field === nameField))
      add(await scoreWith([matching.isLoose ? [nameLengthCode(kind, words.length)] : [nameCode(words)]]));
    if (found.size < to)
      add(await findPopular(db, kind, [...listsOf(matches, positions), ...also], { excluded, most: to }));
    if (found.size < to && matches.length === own.length) add(await scoreWith([]));
  }
  const shown = [...found].slice(from, to);
  return {
    kind,
    isCut: false,
    // There are no more than were found.
    total: found.size < to ? found.size : Math.max(documents, found.size),
    keys: shown.map(([key]) => key),
    hits: shown.map(([, hit]) => hit),
  };
}

/** Each with the matches of those before. */
function classesOf(matches: MatchedWords[]): MatchedWords[][] {
  return costsOfFields.flatMap((_, field) => {
    const within = matches.filter((one) => one.field <= field);
    return [within.filter(({ isAsTyped }) => isAsTyped), within];
  });
}
