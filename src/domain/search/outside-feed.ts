import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { type Leases, withLease } from '../kernel/leases.ts';
import { readChanges, readPosition } from './changes.ts';
import { readAllDocuments, readChangedDocuments } from './documents.ts';
import { type SearchGroup, searchGroups } from './forms.ts';
import type { SearchDocument } from './search-index.ts';
import { notRebuilt, readFeed, savePosition } from './feeds.ts';
import { searchFeeds } from './tables.ts';

/** An index service shared by all processes of the site. Its operations are idempotent. */
export type OutsideIndex = {
  /** Replaces all documents; the old ones answer queries until then. */
  replaceAll(group: SearchGroup, documents: AsyncIterable<SearchDocument[]>): Promise<void>;
  save(group: SearchGroup, documents: SearchDocument[]): Promise<void>;
  remove(group: SearchGroup, keys: string[]): Promise<void>;
};

/** One process at a time feeds an index; after a crash another takes over when the lease expires. */
const leases: Leases = {
  table: sql`search_leases`,
  key: sql`feed`,
  seconds: 60,
  renewEveryMs: 20_000,
  pollMs: 50,
};
/** A periodic rebuild brings play counts up to date and repairs drift. */
const rebuiltEveryHours = 24;

/**
 * Sends changes to an external index, from one process at a time.
 * @param name of the index; each index has its own position
 * @returns false when another process is working on it
 */
export async function followOutside(db: Db, name: string, index: OutsideIndex): Promise<boolean> {
  const done = await withLease(db, leases, name, () => follow(db, name, index), { patience: 0 });
  return done !== undefined;
}

async function follow(db: Db, name: string, index: OutsideIndex): Promise<true> {
  const never = { name, snapshot: '', readAt: notRebuilt, rebuiltAt: notRebuilt };
  await db.insert(searchFeeds).values(never).onConflictDoNothing();
  const { rebuiltAt, ...position } = await readFeed(db, name);
  const isStale = rebuiltAt.getTime() < Date.now() - rebuiltEveryHours * 60 * 60 * 1000;
  const news = isStale ? undefined : await readChanges(db, position);
  if (news === undefined) {
    const next = await readPosition(db);
    for (const group of searchGroups) await index.replaceAll(group, readAllDocuments(db, group));
    await savePosition(db, name, next, new Date(next.at));
    return true;
  }
  for await (const { group, keys, documents } of readChangedDocuments(db, news.keys)) {
    const found = new Set(documents.map(({ key }) => key));
    const gone = keys.filter((key) => !found.has(key));
    if (documents.length > 0) await index.save(group, documents);
    if (gone.length > 0) await index.remove(group, gone);
  }
  await savePosition(db, name, news.position);
  return true;
}
