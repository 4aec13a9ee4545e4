import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { findBest } from './best.ts';
import { anyDocument } from './entries.ts';
import { applyChanges, applyPlays, builtInFeed, rebuildIfAsked } from './index-feed.ts';
import { isAskedFor } from './feeds.ts';
import type { IndexResponse, SearchIndex } from './search-index.ts';
import { queryWords } from './words.ts';

/** Milliseconds. The maximum age of an answer, even without notifications. */
const maxAge = 400;
/** Milliseconds. */
const maxAgeOfPlays = 5 * 60_000;
/** Responses that a process keeps: many terms begin with the same letters. */
const mostResponses = 300;
/** Milliseconds of writing changes that queries wait for; after that the existing documents answer. */
const maxWaitMs = 1000;

/**
 * The index in the tables of the database, the same for all processes. Changes are written with the notification of a
 * change, at the latest with the next query.
 * @param options.db where changes are written; a replica may answer queries through `reads`
 */
export function openDatabaseIndex({
  db,
  reads = db,
  now = Date.now,
}: {
  db: Db;
  reads?: Db;
  now?: () => number;
}): SearchIndex {
  // An answer of a replica may be from before the change.
  const mayLag = reads !== db;
  let appliedAt = Number.NEGATIVE_INFINITY;
  let applying: Promise<void> | undefined;
  let applyingSince = 0;
  /** The last answer of `applyChanges`. */
  let seen = '';
  /** For viewers who hide nothing, until anything changes. */
  const responses = new Map<string, Promise<IndexResponse>>();

  async function apply(): Promise<void> {
    const began = now();
    const state = await applyChanges(db);
    if (state !== seen) responses.clear();
    seen = state;
    appliedAt = began;
  }

  function start(): Promise<void> {
    if (applying === undefined) applyingSince = performance.now();
    applying ??= apply().finally(() => {
      applying = undefined;
    });
    return applying;
  }

  async function ensureFresh(): Promise<void> {
    if (now() - appliedAt <= maxAge) return;
    // A running one may have started before the change that this query is about.
    if (applying !== undefined) await applying.catch(() => undefined);
    if (now() - appliedAt > maxAge) await start();
  }

  /** Without the primary, or while very much is written, the documents that are there answer. */
  async function ensureFreshInTime(): Promise<void> {
    if (now() - appliedAt <= maxAge) return;
    const waited = applying === undefined ? 0 : performance.now() - applyingSince;
    const isOver = wait(Math.max(0, maxWaitMs - waited), undefined, { ref: false });
    await Promise.race([ensureFresh().catch(() => undefined), isOver]);
  }

  return {
    feed: builtInFeed,
    async find(query) {
      await ensureFreshInTime();
      const { term, ranges, hidden, onlyFree, wanted } = query;
      if (mayLag || Object.values(hidden).some((ids) => ids.length > 0)) return findBest(reads, query);
      // Plays are no change, and only break ties.
      const key = JSON.stringify([queryWords(term), ranges, onlyFree, wanted, Math.floor(now() / maxAgeOfPlays)]);
      const response = responses.get(key) ?? findBest(reads, query);
      // Reinserted, so that the map's order is least recently used first.
      responses.delete(key);
      responses.set(key, response);
      if (responses.size > mostResponses) responses.delete(responses.keys().next().value ?? '');
      response.catch(() => responses.delete(key));
      return response;
    },
    async catchUp() {
      if (now() - appliedAt > maxAge / 2) await start().catch(() => undefined);
    },
    rebuildIfAsked: (signal) => rebuildIfAsked(db, signal),
    async refreshPlays() {
      await applyPlays(db, new Date(now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10));
      responses.clear();
    },
    async state() {
      const { rows } = await reads.execute<{ documents: number; built: number | null }>(sql`
        select (select coalesce(sum(documents), 0)::int from search_words where word = ${anyDocument}) as documents,
          (select built from search_feeds where name = ${builtInFeed}) as built`);
      const { documents = 0, built } = rows[0] ?? {};
      return {
        engine: 'built-in',
        documents,
        isBuilding: await isAskedFor(reads, builtInFeed),
        built: built ?? undefined,
      };
    },
  };
}
