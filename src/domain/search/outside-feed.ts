import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';
import { type Position, readChanges, readPosition } from './changes.ts';
import { findDocuments, readAllDocuments } from './documents.ts';
import { type SearchGroup, searchGroups } from './forms.ts';
import type { SearchDocument } from './search-index.ts';
import { searchFeeds } from './tables.ts';

/** An index service shared by all processes of the site. Its operations are idempotent. */
export type OutsideIndex = {
  /** Replaces all documents; the old ones answer queries until then. */
  replaceAll(group: SearchGroup, documents: AsyncIterable<SearchDocument[]>): Promise<void>;
  save(group: SearchGroup, documents: SearchDocument[]): Promise<void>;
  remove(group: SearchGroup, keys: string[]): Promise<void>;
};

/** Lease in seconds: only one process feeds the index; after a crash another takes over when the lease expires. */
const heldSeconds = 60;
/** A periodic rebuild brings play counts up to date and repairs drift. */
const rebuiltEveryHours = 24;
const perRead = 1000;

/**
 * Sends changes to an external index, from one process at a time.
 * @param name of the index; each index has its own position
 * @returns false when another process is working on it
 */
export async function followOutside(db: Db, name: string, index: OutsideIndex): Promise<boolean> {
  const holder = newId();
  const feed = await hold(db, name, holder);
  if (feed === undefined) return false;
  // Renews the lease, because sending may take longer. If the lease is lost, another process repeats the work.
  const keepAlive = setInterval(() => void extend(db, name, holder).catch(() => undefined), (heldSeconds / 3) * 1000);
  try {
    const news = feed.isStale ? undefined : await readChanges(db, feed.position);
    if (news === undefined) {
      const position = await readPosition(db);
      for (const group of searchGroups) await index.replaceAll(group, readAllDocuments(db, group));
      await keep(db, name, holder, position, true);
      return true;
    }
    for (const group of searchGroups)
      for (let from = 0; from < news.keys[group].length; from += perRead) {
        const keys = news.keys[group].slice(from, from + perRead);
        const documents = await findDocuments(db, group, keys);
        const found = new Set(documents.map(({ key }) => key));
        const gone = keys.filter((key) => !found.has(key));
        if (documents.length > 0) await index.save(group, documents);
        if (gone.length > 0) await index.remove(group, gone);
      }
    await keep(db, name, holder, news.position, false);
    return true;
  } finally {
    clearInterval(keepAlive);
    await release(db, name, holder);
  }
}

const heldUntil = sql`now() + make_interval(secs => ${heldSeconds})`;

async function hold(
  db: Db,
  name: string,
  holder: string,
): Promise<{ position: Position; isStale: boolean } | undefined> {
  const long = new Date(0);
  await db.insert(searchFeeds).values({ name, snapshot: '', readAt: long, rebuiltAt: long }).onConflictDoNothing();
  const [row] = await db
    .update(searchFeeds)
    .set({ holder, heldUntil })
    .where(
      and(eq(searchFeeds.name, name), or(sql`${searchFeeds.holder} is null`, lt(searchFeeds.heldUntil, sql`now()`))),
    )
    .returning({
      snapshot: searchFeeds.snapshot,
      readAt: searchFeeds.readAt,
      isStale: sql<boolean>`${searchFeeds.rebuiltAt} < now() - make_interval(hours => ${rebuiltEveryHours})`,
    });
  if (row === undefined) return undefined;
  return { position: { snapshot: row.snapshot, at: row.readAt.toISOString() }, isStale: row.isStale };
}

const isHeldBy = (name: string, holder: string) => and(eq(searchFeeds.name, name), eq(searchFeeds.holder, holder));

async function extend(db: Db, name: string, holder: string): Promise<void> {
  await db.update(searchFeeds).set({ heldUntil }).where(isHeldBy(name, holder));
}

async function keep(
  db: Db,
  name: string,
  holder: string,
  { snapshot, at }: Position,
  isRebuilt: boolean,
): Promise<void> {
  const readAt = new Date(at);
  await db
    .update(searchFeeds)
    .set({ snapshot, readAt, ...(isRebuilt && { rebuiltAt: readAt }) })
    .where(isHeldBy(name, holder));
}

async function release(db: Db, name: string, holder: string): Promise<void> {
  await db.update(searchFeeds).set({ holder: null }).where(isHeldBy(name, holder));
}
