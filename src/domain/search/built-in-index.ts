import { setImmediate } from 'node:timers/promises';
import type { Db } from '../db.ts';
import type { Position } from './changes.ts';
import { readChanges, readPosition } from './changes.ts';
import { readDocuments, readPlays } from './documents.ts';
import { searchGroups } from './forms.ts';
import type { SearchGroup } from './forms.ts';
import type { IndexAnswer, SearchDocument, SearchIndex } from './search-index.ts';
import type { WordIndex } from './word-index.ts';
import { createWordIndex } from './word-index.ts';
import { queryWords } from './words.ts';

/** Milliseconds. An answer is never older than this, whatever was or was not notified. */
const freshness = 400;
/** Plays change all the time and only break ties. */
const playsFreshness = 5 * 60_000;
/** Whoever asks while the index is made waits for so long, and is then answered from what is there. */
const patience = 2000;
/** Documents that are taken in between two looks at whatever else the process has to do. */
const atOnce = 100;
const perRead = 2000;
/** Answers, the last ones asked for; everyone begins with the same letters. */
const mostKept = 300;

export type BuiltInIndexFigures = { documents: number; words: number; isReady: boolean };

/**
 * The index that needs nothing beside the database: words in the memory of the process, made anew at each start. What
 * changes is read from `search_changes`, at the latest when somebody asks.
 */
export function openBuiltInIndex(
  db: Db,
  { now = Date.now }: { now?: () => number } = {},
): SearchIndex & { figures(): BuiltInIndexFigures } {
  let index = createWordIndex();
  let isReady = false;
  let making: Promise<void> | undefined;
  let position: Position | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let playsReadAt = 0;
  let reading: Promise<void> | undefined;
  /** For whoever leaves nothing out, until something changes. */
  let kept = new Map<string, IndexAnswer>();

  async function make(): Promise<void> {
    const from = await readPosition(db);
    const made = createWordIndex();
    // Nobody has an older one to be answered from.
    if (!isReady) index = made;
    for (const group of ['categories', 'voices', 'playlists', 'series', 'users', 'usersPlaylists', 'audios'] as const)
      await readGroup(made, group);
    index = made;
    forgetAnswers();
    position = from;
    playsReadAt = now();
    readAt = Number.NEGATIVE_INFINITY;
    isReady = true;
  }

  async function readGroup(made: WordIndex, group: SearchGroup): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const documents = await readDocuments(db, group, { after, limit: perRead });
      await takeIn(made, documents);
      if (documents.length < perRead) return;
      after = documents.at(-1)?.key;
    }
  }

  function forgetAnswers(): void {
    if (kept.size > 0) kept = new Map();
  }

  async function takeIn(target: WordIndex, documents: SearchDocument[]): Promise<void> {
    for (const [count, document] of documents.entries()) {
      target.set(document);
      if (target === index) forgetAnswers();
      if (count % atOnce === atOnce - 1) await setImmediate();
    }
  }

  async function ensureMade(): Promise<void> {
    making ??= make().finally(() => {
      making = undefined;
    });
    return making;
  }

  async function readNews(): Promise<void> {
    if (position === undefined) return;
    const began = now();
    const news = await readChanges(db, position);
    if (news === undefined) return ensureMade();
    for (const group of searchGroups) {
      const keys = news.keys[group];
      for (let from = 0; from < keys.length; from += perRead) {
        const part = keys.slice(from, from + perRead);
        const documents = await readDocuments(db, group, { keys: part });
        const found = new Set(documents.map(({ key }) => key));
        for (const key of part) if (!found.has(key)) index.remove(group, key);
        forgetAnswers();
        await takeIn(index, documents);
      }
    }
    position = news.position;
    readAt = began;
    // Nobody waits for them; what fails is tried again as late as what succeeds.
    if (began - playsReadAt > playsFreshness) void refreshPlays().catch(() => undefined);
  }

  async function refreshPlays(): Promise<void> {
    playsReadAt = now();
    const rows = await readPlays(db);
    for (const [count, { group, key, plays }] of rows.entries()) {
      index.setPlays(group, key, plays);
      if (count % 5000 === 4999) await setImmediate();
    }
    forgetAnswers();
  }

  function read(): Promise<void> {
    reading ??= readNews().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function freshen(): Promise<void> {
    if (!isReady) return withPatience(ensureMade());
    if (now() - readAt <= freshness) return;
    // What is under way may have begun before the change that this question is about.
    if (reading !== undefined) await withPatience(reading);
    if (now() - readAt > freshness) await withPatience(read());
  }

  return {
    figures: () => ({ documents: index.documents, words: index.words, isReady }),
    async find({ term, ranges, leftOut }) {
      await freshen();
      const words = queryWords(term);
      const ask = () => index.find({ words, ranges, leftOut, now: now() });
      if (leftOut.userIds.length + leftOut.tagIds.length > 0) return ask();
      const question = JSON.stringify([words, ranges]);
      const answer = kept.get(question) ?? ask();
      // Where it was, so that the one not asked for the longest is the first to go.
      kept.delete(question);
      kept.set(question, answer);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
      return answer;
    },
    prepare: () => ensureMade().catch(() => undefined),
    async catchUp() {
      if (isReady && now() - readAt > freshness / 2) await read().catch(() => undefined);
    },
  };
}

/** Whoever is answered before the work is done hears of its failure by the next question. */
async function withPatience(work: Promise<void>): Promise<void> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([work, enough]).finally(() => clearTimeout(timer));
}
