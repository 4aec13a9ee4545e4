import { eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { type Leases, withLease } from '../kernel/leases.ts';
import { type Position, readChanges, readPosition } from './changes.ts';
import { readAllDocuments, readChangedDocuments } from './documents.ts';
import { type SearchGroup, searchGroups } from './forms.ts';
import type { SearchDocument } from './search-index.ts';
import { notRebuilt } from './rebuilds.ts';
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
  const { isStale, ...position } = await readFeed(db, name);
  const news = isStale ? undefined : await readChanges(db, position);
  const next = news?.position ?? (await readPosition(db));
  if (news === undefined) for (const group of searchGroups) await index.replaceAll(group, readAllDocuments(db, group));
  else
    for await (const { group, keys, documents } of readChangedDocuments(db, news.keys)) {
      const found = new Set(documents.map(({ key }) => key));
      const gone = keys.filter((key) => !found.has(key));
      if (documents.length > 0) await index.save(group, documents);
      if (gone.length > 0) await index.remove(group, gone);
    }
  const readAt = new Date(next.at);
  await db
    .update(searchFeeds)
    .set({ snapshot: next.snapshot, readAt, ...(news === undefined && { rebuiltAt: readAt }) })
    .where(eq(searchFeeds.name, name));
  return true;
}

async function readFeed(db: Db, name: string): Promise<Position & { isStale: boolean }> {
  const never = { name, snapshot: '', readAt: notRebuilt, rebuiltAt: notRebuilt };
  await db.insert(searchFeeds).values(never).onConflictDoNothing();
  const [row = never] = await db.select().from(searchFeeds).where(eq(searchFeeds.name, name));
  const isStale = row.rebuiltAt.getTime() < Date.now() - rebuiltEveryHours * 60 * 60 * 1000;
  return { snapshot: row.snapshot, at: row.readAt.toISOString(), isStale };
}
