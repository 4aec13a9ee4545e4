import { and, eq, lt, or } from 'drizzle-orm';
import { type Db, pick } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Position } from './changes.ts';
import { searchFeeds } from './tables.ts';

/** Raised when all documents have to be written anew: an update asks for it, and processes of the version before do not. */
export const documentFormat = 1;

/** `rebuilt_at` of an index whose rebuild is asked for, or has not ended. */
export const notRebuilt = new Date(0);

const never = { snapshot: '', readAt: notRebuilt, rebuiltAt: notRebuilt, format: 0 };

const isNamed = (feed: string) => eq(searchFeeds.name, feed);

/** How far an index has read the changes, and when it was last written as a whole, in the present format. */
export async function readFeed(db: Db, feed: string): Promise<Position & { rebuiltAt: Date }> {
  const [row] = await db
    .select(pick(searchFeeds, 'snapshot', 'readAt', 'rebuiltAt', 'format'))
    .from(searchFeeds)
    .where(isNamed(feed));
  const { snapshot, readAt, rebuiltAt, format } = row ?? never;
  return { snapshot, at: readAt.toISOString(), rebuiltAt: format < documentFormat ? notRebuilt : rebuiltAt };
}

/** @param rebuiltAt default: as before */
export async function savePosition(db: Db, feed: string, { snapshot, at }: Position, rebuiltAt?: Date): Promise<void> {
  await db
    .update(searchFeeds)
    .set({
      snapshot,
      readAt: new Date(at),
      ...(rebuiltAt && { rebuiltAt }),
      ...(rebuiltAt && rebuiltAt > notRebuilt && { format: documentFormat }),
    })
    .where(isNamed(feed));
}

/** A rebuild of the index is asked for, or runs in any process. */
export async function isAskedFor(db: Db, feed: string): Promise<boolean> {
  return (
    (await db.$count(
      searchFeeds,
      and(isNamed(feed), or(eq(searchFeeds.rebuiltAt, notRebuilt), lt(searchFeeds.format, documentFormat))),
    )) > 0
  );
}

/** Its process begins within a minute. @throws DomainError `search/rebuild-running` */
export async function askForRebuild(db: Db, feed: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select({ rebuiltAt: searchFeeds.rebuiltAt })
      .from(searchFeeds)
      .where(isNamed(feed))
      .for('update');
    if (row?.rebuiltAt.getTime() === notRebuilt.getTime()) throw new DomainError('search/rebuild-running');
    await tx.update(searchFeeds).set({ rebuiltAt: notRebuilt }).where(isNamed(feed));
  });
}
