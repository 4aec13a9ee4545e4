import { and, eq } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { searchFeeds } from './tables.ts';

/** `rebuilt_at` of an index whose rebuild is asked for, or has not ended. */
export const notRebuilt = new Date(0);

const isNotRebuilt = (feed: string) => and(eq(searchFeeds.name, feed), eq(searchFeeds.rebuiltAt, notRebuilt));

/** A rebuild of the index is asked for, or runs in any process. */
export async function isAskedFor(db: Db, feed: string): Promise<boolean> {
  return (await db.$count(searchFeeds, isNotRebuilt(feed))) > 0;
}

/** Its process begins within a minute. @throws DomainError `search/rebuild-running` */
export async function askForRebuild(db: Db, feed: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select({ rebuiltAt: searchFeeds.rebuiltAt })
      .from(searchFeeds)
      .where(eq(searchFeeds.name, feed))
      .for('update');
    if (row?.rebuiltAt.getTime() === notRebuilt.getTime()) throw new DomainError('search/rebuild-running');
    await tx.update(searchFeeds).set({ rebuiltAt: notRebuilt }).where(eq(searchFeeds.name, feed));
  });
}
