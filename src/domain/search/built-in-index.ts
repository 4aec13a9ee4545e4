import { setImmediate } from 'node:timers/promises';
import type { Db } from '../kernel/db.ts';
import { type Position, readChanges, readPosition } from './changes.ts';
import { findDocuments, perRead, readAllDocuments } from './documents.ts';
import { searchGroups } from './forms.ts';
import { readPlays } from './plays.ts';
import type { IndexResponse, SearchDocument, SearchIndex } from './search-index.ts';
import { type WordIndex, createWordIndex } from './word-index.ts';
import { queryWords } from './words.ts';

/** Milliseconds. The maximum age of a response, even without notifications. */
const maxAge = 400;
/** Plays change constantly and only break ties. */
const maxAgeOfPlays = 5 * 60_000;
/** Milliseconds to wait for the index to load; after that the existing documents answer. */
const maxWaitMs = 2000;
/** Milliseconds of building before other work gets its turn. */
const maxTurnMs = 5;
/** Milliseconds of other work in a row before building goes on. */
const maxPauseMs = 50;
/** Size of the LRU cache of responses; many queries begin with the same letters. */
const maxResponses = 300;

/** The largest group is last, so that the others are found early. */
const buildOrder = ['categories', 'voices', 'playlists', 'series', 'users', 'usersPlaylists', 'audios'] as const;

export type BuiltInIndexFigures = { documents: number; words: number; isReady: boolean };

type BuiltInIndexOptions = {
  now?: () => number;
  /** After each build. */
  onBuilt?: (figures: { documents: number; seconds: number }) => void;
  onError?: (error: unknown) => void;
};

/**
 * In-memory word index, rebuilt at each start. Changes are read from `search_changes`, at the latest with the next
 * query.
 */
export function openBuiltInIndex(
  db: Db,
  { now = Date.now, onBuilt = () => {}, onError = () => {} }: BuiltInIndexOptions = {},
): SearchIndex & { figures(): BuiltInIndexFigures } {
  let index = createWordIndex();
  let isReady = false;
  let building: Promise<void> | undefined;
  /** The index that is being built. */
  let next: WordIndex | undefined;
  let position: Position | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let playsReadAt = 0;
  /** All earlier plays are known. */
  let playsSince = 0;
  let reading: Promise<void> | undefined;
  /** Cached responses for viewers without exclusions, cleared on any change. */
  let responses = new Map<string, IndexResponse>();

  async function build(): Promise<void> {
    const from = await readPosition(db);
    const began = now();
    const newIndex = createWordIndex();
    next = newIndex;
    // The first build answers queries while it loads: there is no older index.
    if (!isReady) index = newIndex;
    for (const group of buildOrder)
      for await (const documents of readAllDocuments(db, group)) await addAll(newIndex, documents);
    index = newIndex;
    purgeResponses();
    position = from;
    playsReadAt = playsSince = began;
    readAt = Number.NEGATIVE_INFINITY;
    isReady = true;
    onBuilt({ documents: index.documents, seconds: Math.round((now() - began) / 1000) });
  }

  function purgeResponses(): void {
    if (responses.size > 0) responses = new Map();
  }

  async function addAll(target: WordIndex, documents: SearchDocument[]): Promise<void> {
    let began = performance.now();
    for (const document of documents) {
      target.set(document);
      if (target === index) purgeResponses();
      if (performance.now() - began < maxTurnMs) continue;
      await giveWay();
      began = performance.now();
    }
  }

  async function ensureBuilt(): Promise<void> {
    building ??= build().finally(() => {
      building = next = undefined;
    });
    return building;
  }

  async function applyChanges(): Promise<void> {
    if (position === undefined) return;
    const began = now();
    const changes = await readChanges(db, position);
    if (changes === undefined) return ensureBuilt();
    for (const group of searchGroups) {
      const keys = changes.keys[group];
      for (let from = 0; from < keys.length; from += perRead) {
        const part = keys.slice(from, from + perRead);
        const documents = await findDocuments(db, group, part);
        const found = new Set(documents.map(({ key }) => key));
        for (const key of part) if (!found.has(key)) index.remove(group, key);
        purgeResponses();
        await addAll(index, documents);
      }
    }
    position = changes.position;
    readAt = began;
    // Refreshed in the background; failures are retried after the same interval.
    if (began - playsReadAt > maxAgeOfPlays) void refreshPlays().catch(() => undefined);
  }

  async function refreshPlays(): Promise<void> {
    const began = now();
    playsReadAt = began;
    for await (const plays of readPlays(db, dayOf(playsSince))) {
      for (const one of plays) index.setPlays(one.group, one.key, one.plays);
      await giveWay();
    }
    playsSince = began;
    purgeResponses();
  }

  function read(): Promise<void> {
    reading ??= applyChanges().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function ensureFresh(): Promise<void> {
    if (!isReady) return withTimeout(ensureBuilt());
    if (now() - readAt <= maxAge) return;
    // A running read may have started before the change that this query is about.
    if (reading !== undefined) await withTimeout(reading);
    if (now() - readAt > maxAge) await withTimeout(read());
  }

  return {
    get isReady() {
      return isReady;
    },
    figures: () => ({ documents: index.documents, words: index.words, isReady }),
    async find({ term, ranges, hidden, onlyFree }) {
      await ensureFresh();
      const words = queryWords(term);
      const ask = () => index.find({ words, ranges, hidden, onlyFree, now: now() });
      if (hidden.userIds.length + hidden.tagIds.length > 0) return ask();
      const key = JSON.stringify([words, ranges, onlyFree]);
      const response = responses.get(key) ?? ask();
      // Reinserted, so that the map's order is least recently used first.
      responses.delete(key);
      responses.set(key, response);
      if (responses.size > maxResponses) responses.delete(responses.keys().next().value ?? '');
      return response;
    },
    rebuild: () => ensureBuilt().catch(onError),
    state: () => ({
      engine: 'built-in',
      documents: index.documents,
      isBuilding: building !== undefined,
      built: isReady ? next?.documents : undefined,
    }),
    prepare: () => ensureBuilt().catch(onError),
    async catchUp() {
      if (!isReady) return ensureBuilt().catch(onError);
      if (now() - readAt > maxAge / 2) await read().catch(() => undefined);
    },
  };
}

/** UTC, as `2026-11-23`. */
const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

/** Gives way to requests while the event loop is busy. */
async function giveWay(): Promise<void> {
  const until = performance.now() + maxPauseMs;
  for (let began = performance.now(); began < until; began = performance.now()) {
    await setImmediate();
    // An idle turn of the event loop takes less.
    if (performance.now() - began < 0.3) return;
  }
}

/** A failure after the timeout is reported by the next query. */
async function withTimeout(work: Promise<void>): Promise<void> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
