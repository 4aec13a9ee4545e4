import { and, eq } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Position } from './changes.ts';
import { searchFeeds } from './tables.ts';

/** `rebuilt_at` of an index whose rebuild is asked for, or has not ended. */
export const notRebuilt = new Date(0);

const isNamed = (feed: string) => eq(searchFeeds.name, feed);

/** How far an index has read the changes, and when it was last written as a whole. */
export async function readFeed(db: Db, feed: string): Promise<Position & { rebuiltAt: Date }> {
  const [row] = await db
    .select({ snapshot: searchFeeds.snapshot, readAt: searchFeeds.readAt, rebuiltAt: searchFeeds.rebuiltAt })
    .from(searchFeeds)
    .where(isNamed(feed));
  const { snapshot, readAt, rebuiltAt } = row ?? { snapshot: '', readAt: notRebuilt, rebuiltAt: notRebuilt };
  return { snapshot, at: readAt.toISOString(), rebuiltAt };
}

/** @param rebuiltAt default: as before */
export async function savePosition(db: Db, feed: string, { snapshot, at }: Position, rebuiltAt?: Date): Promise<void> {
  await db
    .update(searchFeeds)
    .set({ snapshot, readAt: new Date(at), ...(rebuiltAt && { rebuiltAt }) })
    .where(isNamed(feed));
}

/** A rebuild of the index is asked for, or runs in any process. */
export async function isAskedFor(db: Db, feed: string): Promise<boolean> {
  return (await db.$count(searchFeeds, and(isNamed(feed), eq(searchFeeds.rebuiltAt, notRebuilt)))) > 0;
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
