import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { newId } from '../ids.ts';
import type { Position } from './changes.ts';
import { readChanges, readPosition } from './changes.ts';
import { readDocuments } from './documents.ts';
import { searchGroups } from './forms.ts';
import type { SearchGroup } from './forms.ts';
import type { SearchDocument } from './search-index.ts';
import { searchFeeds } from './tables.ts';

/** An index that is not in the process: all processes of the site share it. Doing something twice is the same as once. */
export type OutsideIndex = {
  /** In the place of all that was there; questions are answered from the old ones until then. */
  replaceAll(group: SearchGroup, documents: AsyncIterable<SearchDocument[]>): Promise<void>;
  save(group: SearchGroup, documents: SearchDocument[]): Promise<void>;
  remove(group: SearchGroup, keys: string[]): Promise<void>;
};

/** Seconds for which a process has the feed to itself. One that dies leaves it to the next after that. */
const heldSeconds = 60;
/** What plays have become, and whatever else may have gone astray, comes right with a new index. */
const rebuiltEveryHours = 24;
const perRead = 1000;

/**
 * Brings what changed to an index outside, by one process of the site at a time.
 * @param name of the index; the position of another one is another's
 * @returns false where another process is at it
 */
export async function followOutside(db: Db, name: string, index: OutsideIndex): Promise<boolean> {
  const holder = newId();
  const feed = await hold(db, name, holder);
  if (feed === undefined) return false;
  // Longer than it takes to send one part; what is lost here, another process does again.
  const stay = setInterval(() => void extend(db, name, holder).catch(() => undefined), (heldSeconds / 3) * 1000);
  try {
    const news = feed.isStale ? undefined : await readChanges(db, feed.position);
    if (news === undefined) {
      const position = await readPosition(db);
      for (const group of searchGroups) await index.replaceAll(group, readAll(db, group));
      await keep(db, name, holder, position, true);
      return true;
    }
    for (const group of searchGroups)
      for (let from = 0; from < news.keys[group].length; from += perRead) {
        const keys = news.keys[group].slice(from, from + perRead);
        const documents = await readDocuments(db, group, { keys });
        const found = new Set(documents.map(({ key }) => key));
        const gone = keys.filter((key) => !found.has(key));
        if (documents.length > 0) await index.save(group, documents);
        if (gone.length > 0) await index.remove(group, gone);
      }
    await keep(db, name, holder, news.position, false);
    return true;
  } finally {
    clearInterval(stay);
    await release(db, name, holder);
  }
}

async function* readAll(db: Db, group: SearchGroup): AsyncIterable<SearchDocument[]> {
  let after: string | undefined;
  for (;;) {
    const documents = await readDocuments(db, group, { after, limit: perRead });
    if (documents.length > 0) yield documents;
    if (documents.length < perRead) return;
    after = documents.at(-1)?.key;
  }
}

/** The next time an index outside is followed, it is made anew. @returns how many there are */
export async function askForRebuild(db: Db): Promise<number> {
  const { rowCount } = await db.update(searchFeeds).set({ rebuiltAt: new Date(0) });
  return rowCount ?? 0;
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
