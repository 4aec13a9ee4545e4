import { setImmediate } from 'node:timers/promises';
import type { Db } from '../kernel/db.ts';
import type { Position } from './changes.ts';
import { readChanges, readPosition } from './changes.ts';
import { readDocuments, readPlays } from './documents.ts';
import { searchGroups } from './forms.ts';
import type { SearchGroup } from './forms.ts';
import type { IndexResponse, SearchDocument, SearchIndex } from './search-index.ts';
import type { WordIndex } from './word-index.ts';
import { createWordIndex } from './word-index.ts';
import { queryWords } from './words.ts';

/** Milliseconds. The maximum age of a response, even without notifications. */
const maxAge = 400;
/** Plays change constantly and only break ties. */
const maxAgeOfPlays = 5 * 60_000;
/** Milliseconds to wait for the index to load; after that the existing documents answer. */
const mostWait = 2000;
/** Documents added before yielding to the event loop. */
const documentsPerTurn = 100;
const perRead = 2000;
/** Size of the LRU cache of responses; many queries begin with the same letters. */
const mostResponses = 300;

export type BuiltInIndexFigures = { documents: number; words: number; isReady: boolean };

/**
 * In-memory word index, rebuilt at each start. Changes are read from `search_changes`, at the latest with the next
 * query.
 */
export function openBuiltInIndex(
  db: Db,
  { now = Date.now }: { now?: () => number } = {},
): SearchIndex & { figures(): BuiltInIndexFigures } {
  let index = createWordIndex();
  let isReady = false;
  let building: Promise<void> | undefined;
  let position: Position | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let playsReadAt = 0;
  let reading: Promise<void> | undefined;
  /** Cached responses for viewers without exclusions, cleared on any change. */
  let responses = new Map<string, IndexResponse>();

  async function build(): Promise<void> {
    const from = await readPosition(db);
    const newIndex = createWordIndex();
    // The first build answers queries while it loads: there is no older index.
    if (!isReady) index = newIndex;
    for (const group of ['categories', 'voices', 'playlists', 'series', 'users', 'usersPlaylists', 'audios'] as const)
      await readGroup(newIndex, group);
    index = newIndex;
    purgeResponses();
    position = from;
    playsReadAt = now();
    readAt = Number.NEGATIVE_INFINITY;
    isReady = true;
  }

  async function readGroup(target: WordIndex, group: SearchGroup): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const documents = await readDocuments(db, group, { after, limit: perRead });
      await addAll(target, documents);
      if (documents.length < perRead) return;
      after = documents.at(-1)?.key;
    }
  }

  function purgeResponses(): void {
    if (responses.size > 0) responses = new Map();
  }

  async function addAll(target: WordIndex, documents: SearchDocument[]): Promise<void> {
    for (const [count, document] of documents.entries()) {
      target.set(document);
      if (target === index) purgeResponses();
      if (count % documentsPerTurn === documentsPerTurn - 1) await setImmediate();
    }
  }

  async function ensureBuilt(): Promise<void> {
    building ??= build().finally(() => {
      building = undefined;
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
        const documents = await readDocuments(db, group, { keys: part });
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
    playsReadAt = now();
    const rows = await readPlays(db);
    for (const [count, { group, key, plays }] of rows.entries()) {
      index.setPlays(group, key, plays);
      if (count % 5000 === 4999) await setImmediate();
    }
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
    async find({ term, ranges, hidden }) {
      await ensureFresh();
      const words = queryWords(term);
      const ask = () => index.find({ words, ranges, hidden, now: now() });
      if (hidden.userIds.length + hidden.tagIds.length > 0) return ask();
      const key = JSON.stringify([words, ranges]);
      const response = responses.get(key) ?? ask();
      // Reinserted, so that the map's order is least recently used first.
      responses.delete(key);
      responses.set(key, response);
      if (responses.size > mostResponses) responses.delete(responses.keys().next().value ?? '');
      return response;
    },
    rebuild: () => ensureBuilt().catch(() => undefined),
    state: () => ({ engine: 'built-in', documents: index.documents, isBuilding: building !== undefined }),
    prepare: () => ensureBuilt().catch(() => undefined),
    async catchUp() {
      if (isReady && now() - readAt > maxAge / 2) await read().catch(() => undefined);
    },
  };
}

/** A failure after the timeout is reported by the next query. */
async function withTimeout(work: Promise<void>): Promise<void> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, mostWait);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
