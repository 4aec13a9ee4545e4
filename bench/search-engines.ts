import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Db } from '#domain/kernel/db.ts';
import { readAllDocuments } from '#domain/search/documents.ts';
import { searchGroups } from '#domain/search/forms.ts';
import { type WordIndex, createWordIndex } from '#domain/search/word-index.ts';
import { fold, queryWords, wordsOf } from '#domain/search/words.ts';
import { type Figure, quantile, share } from './figures.ts';
import { createMiniSearchIndex } from './minisearch-index.ts';
import type { SearchCatalogue } from './search-catalogue.ts';
import { drawExactTerms, drawMisspellings, drawQuestions } from './search-questions.ts';

const perKind = 10;
/** Tries of each question; the fastest counts, which removes most of the effect of other programs. */
const tries = 2;
/** Questions about the quality of answers; the library takes long for 300. */
const judged = 60;
/** Decision 016: the library replaces the site's own index when it is at most this many times as slow. */
const maxSlowdown = 1.5;

type Engine = { name: string; index: WordIndex; seconds: number; megabytes: number };
type Names = Record<'audios' | 'voices' | 'users', string[]>;

/** The site's word index and MiniSearch behind the same interface: same documents, same questions, alternating. */
export async function benchSearchEngines(db: Db, catalogue: SearchCatalogue): Promise<Figure[]> {
  const ours = await build(db, 'own', createWordIndex());
  const library = await build(db, 'MiniSearch', createMiniSearchIndex());
  const questions = drawQuestions(catalogue, perKind);
  for (const { term } of questions.slice(0, 10)) for (const { index } of [ours, library]) find(index, term, 3);
  const times = questions.map(({ kind, term }) => ({ kind, ours: timeOf(ours, term), library: timeOf(library, term) }));

  const compared = (what: string, own: number, other: number, unit: string, digits = 1): Figure => ({
    name: `Search engines: ${what}, own and MiniSearch`,
    value: `${own.toFixed(digits)} and ${other.toFixed(digits)} ${unit} (${(other / own).toFixed(1)}×)`,
    limit: '',
    ok: undefined,
  });
  const at = (part: number, rows = times) =>
    [
      quantile(
        rows.map((row) => row.ours),
        part,
      ),
      quantile(
        rows.map((row) => row.library),
        part,
      ),
    ] as const;
  const slower = [0.5, 0.99].map((part) => at(part)[1] / at(part)[0]);
  return [
    compared('indexing all documents', ours.seconds, library.seconds, 's'),
    compared('memory of the index', ours.megabytes, library.megabytes, 'MB', 0),
    compared('p50 of a question', ...at(0.5), 'ms', 2),
    compared('p99 of a question', ...at(0.99), 'ms', 2),
    ...[...new Set(times.map(({ kind }) => kind))].toSorted().map((kind) =>
      compared(
        `p50 of ${kind}`,
        ...at(
          0.5,
          times.filter((row) => row.kind === kind),
        ),
        'ms',
        2,
      ),
    ),
    ...[ours, library].flatMap((engine) => judge(engine, catalogue)),
    {
      name: 'Search engines: MiniSearch of our p50 and p99; at most 1.5× would replace ours',
      value: slower.map((times) => `${times.toFixed(1)}×`).join(' and '),
      limit: `> ${maxSlowdown}×`,
      ok: slower.some((times) => times > maxSlowdown),
    },
  ];
}

async function build(db: Db, name: string, index: WordIndex): Promise<Engine> {
  const before = usedMemory();
  let milliseconds = 0;
  for (const group of searchGroups) {
    for await (const documents of readAllDocuments(db, group)) {
      const began = performance.now();
      for (const document of documents) index.set(document);
      milliseconds += performance.now() - began;
    }
  }
  return { name, index, seconds: milliseconds / 1000, megabytes: (usedMemory() - before) / 2 ** 20 };
}

/** Bytes in use after a garbage collection. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // Buffers are only freed by the collection after the one that finds them.
  for (let times = 0; times < 2; times += 1) collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function find(index: WordIndex, term: string, length: number) {
  const ranges = Object.fromEntries(searchGroups.map((group) => [group, { from: 0, length }]));
  return index.find({
    words: queryWords(term),
    ranges,
    hidden: { userIds: [], tagIds: [] },
    onlyFree: false,
    now: Date.now(),
  });
}

function namesFound(index: WordIndex, term: string, length: number): Names {
  const { audios, voices, users } = find(index, term, length);
  return {
    audios: audios.hits.map(({ title }) => title),
    voices: voices.hits.map(({ name }) => name),
    users: users.hits.map(({ username }) => username),
  };
}

function timeOf({ index }: Engine, term: string): number {
  const times = Array.from({ length: tries }, () => {
    const began = performance.now();
    find(index, term, 3);
    return performance.now() - began;
  });
  return Math.min(...times);
}

function judge({ name, index }: Engine, catalogue: SearchCatalogue): Figure[] {
  const misspellings = drawMisspellings(catalogue).slice(0, judged);
  const meant = misspellings.filter(({ typed, meant, group }) => namesFound(index, typed, 3)[group].includes(meant));
  const terms = drawExactTerms(catalogue).slice(0, judged);
  const answers = terms.map(({ term, group }) => ({ term, names: namesFound(index, term, 10)[group] }));
  const shown = answers.flatMap(({ term, names }) =>
    (names.length === 0 ? [''] : names).map((text) => ({ term, text })),
  );
  const exact = shown.filter(({ term, text }) => fold(text).includes(fold(term)));
  const ordered = answers.filter(({ term, names }) => {
    const ranks = names.map((text) => nameRank(text, term));
    return ranks.every((rank, place) => place === 0 || rank >= (ranks[place - 1] ?? 0));
  });
  return [
    share(`Search engines: misspellings, meant one in the first three, ${name}`, meant.length, misspellings.length),
    share(`Search engines: hits that hold the exact word in their name, ${name}`, exact.length, shown.length),
    share(`Search engines: exact names before prefixes before others, ${name}`, ordered.length, answers.length),
  ];
}

/** 0: the name has all the words, 1: as prefixes, 2: neither. */
function nameRank(name: string, term: string): number {
  const words = wordsOf(name);
  const typed = queryWords(term);
  if (typed.every((word) => words.includes(word))) return 0;
  return typed.every((word) => words.some((other) => other.startsWith(word))) ? 1 : 2;
}
