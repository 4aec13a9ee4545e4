import { eq, sql } from 'drizzle-orm';
import { type Db, type Tx, allowLongStatements } from '../kernel/db.ts';
import { hasChanges, readChanges, readPosition } from './changes.ts';
import { findDocuments, perRead, readChangedDocuments, readNextDocuments } from './documents.ts';
import { kindOf } from './entries.ts';
import { searchGroups } from './forms.ts';
import { readers } from './group-readers.ts';
import { writeDocuments } from './index-writes.ts';
import { findRisen } from './plays.ts';
import { documentFormat, isAskedFor, notRebuilt, readFeed, savePosition } from './feeds.ts';
import { searchFeeds } from './tables.ts';

/** The feed of the built-in index. */
export const builtInFeed = 'built-in';

const isOurs = eq(searchFeeds.name, builtInFeed);

/** Writes what has changed since the last call in any process. @returns a text that is another one after each change */
export async function applyChanges(db: Db): Promise<string> {
  const feed = await readFeed(db, builtInFeed);
  if (!(await hasChanges(db, feed))) return stateOf(feed);
  await underLock(db, async (tx) => {
    const changes = await readChanges(tx, await readFeed(tx, builtInFeed));
    if (changes === undefined) return savePosition(tx, builtInFeed, await readPosition(tx), notRebuilt);
    for await (const { group, keys, documents } of readChangedDocuments(tx, changes.keys))
      await writeDocuments(tx, group, keys, documents);
    return savePosition(tx, builtInFeed, changes.position);
  });
  return stateOf(await readFeed(db, builtInFeed));
}

const stateOf = ({ snapshot, rebuiltAt }: Awaited<ReturnType<typeof readFeed>>) =>
  `${snapshot} ${rebuiltAt.toISOString()}`;

/**
 * Writes all documents again if that was asked for, in batches between which changes are applied; the old ones answer
 * until then. Two at once do no harm.
 */
export async function rebuildIfAsked(db: Db, signal?: AbortSignal): Promise<{ documents: number }> {
  let documents = 0;
  // First, because it finds out that the changes are not all there, and from where on they are.
  await applyChanges(db);
  if (!(await isAskedFor(db, builtInFeed))) return { documents };
  const { rows } = await db.execute<{ now: string }>(sql`select now()::text as now`);
  const began = sql`${rows[0]?.now}::timestamptz`;
  for (const group of searchGroups) {
    let after: string | undefined;
    for (let isMore = true; isMore;) {
      signal?.throwIfAborted();
      const batch = await underLock(db, async (tx) => {
        const batch = await readNextDocuments(tx, group, after);
        await writeDocuments(
          tx,
          group,
          batch.map(({ key }) => key),
          batch,
        );
        documents += batch.length;
        await tx.update(searchFeeds).set({ built: documents }).where(isOurs);
        return batch;
      });
      after = batch.at(-1)?.hit.id;
      isMore = batch.length === perRead;
      await applyChanges(db);
    }
  }
  for (const group of searchGroups) {
    const kind = kindOf(group);
    for (let keys: string[] = [''], last: string | null = null; keys.length > 0;) {
      signal?.throwIfAborted();
      keys = await underLock(db, async (tx) => {
        const { rows: old } = await tx.execute<{
          key: string;
        }>(sql`select key from search_documents where kind = ${kind}
          and (${last}::uuid is null or key > ${last}::uuid) and written_at < ${began} order by key limit ${perRead}`);
        const found = old.map(({ key }) => key);
        // A transaction that began before may have written some meanwhile.
        await writeDocuments(tx, group, found, await findDocuments(tx, group, found));
        return found;
      });
      last = keys.at(-1) ?? null;
    }
  }
  await db
    .update(searchFeeds)
    .set({ rebuiltAt: sql`now()`, format: documentFormat, built: null })
    .where(isOurs);
  return { documents };
}

/** Compares the documents with the rows that can be found. @returns `isWaiting`: changes, or a rebuild, are not written yet */
export async function compareIndex(db: Db) {
  const isWaiting = (await hasChanges(db, await readFeed(db, builtInFeed))) || (await isAskedFor(db, builtInFeed));
  const sums = { documents: 0, missing: 0, extra: 0 };
  for (const group of searchGroups) {
    const { from, id, key = id, isFound } = readers[group];
    const { rows } = await db.execute<typeof sums>(sql`
      select count(d.key)::int as documents, count(*) filter (where d.key is null)::int as missing,
        count(*) filter (where r.key is null)::int as extra
      from (select ${key} as key from ${from} where ${isFound}) r
      full join (select key from search_documents where kind = ${kindOf(group)}) d using (key)`);
    const { documents = 0, missing = 0, extra = 0 } = rows[0] ?? {};
    sums.documents += documents;
    sums.missing += missing;
    sums.extra += extra;
  }
  return { ...sums, isWaiting };
}

/** Brings the popularity of documents up to date that were played since a day (UTC, as `2026-11-23`). */
export async function applyPlays(db: Db, since: string): Promise<void> {
  const risen = await db.transaction(async (tx) => {
    await allowLongStatements(tx);
    return findRisen(tx, since);
  });
  for (let from = 0; from < risen.length; from += perRead) {
    const part = JSON.stringify(risen.slice(from, from + perRead));
    await underLock(db, (tx) =>
      tx.execute(sql`update search_documents d set popularity = given.popularity
        from json_to_recordset(${part}) as given (kind smallint, key uuid, popularity smallint)
        where d.kind = given.kind and d.key = given.key`),
    );
  }
}

/** One process at a time writes. The statements after the lock see what the one before has committed. */
function underLock<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    await tx.select({ name: searchFeeds.name }).from(searchFeeds).where(isOurs).for('update');
    return work(tx);
  });
}
