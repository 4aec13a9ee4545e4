import { eq, sql } from 'drizzle-orm';
import { createAudioReader } from './catalogue/audios.ts';
import { type Me, meColumns, toMe } from './identity/accounts.ts';
import type { UserSql } from './identity/parts.ts';
import { users } from './identity/tables.ts';
import type { Db } from './kernel/db.ts';
import type { SharedReads } from './kernel/shared-reads.ts';
import { type FavoriteIds, favoriteEntriesSql, toFavoriteIds } from './library/favorites.ts';
import { type QueueHead, queueHeadSql, toQueueHead } from './library/saved-queue.ts';
import { holdSql } from './membership/entitlement.ts';

/** Facts about the user that every page shows. */
type PageFacts = {
  me: Me;
  /** A failed charge or a pause keeps the subscription from unlocking everything, or soon will. */
  hold: 'past-due' | 'paused' | null;
  /** The newest of each type; `isWhole` when these are all. */
  favorites: { ids: FavoriteIds; isWhole: boolean };
  queueHead: QueueHead | undefined;
};

/** Per type. For users with more, a call loads the rest (190 kB for 5,000). */
const maxInlineFavorites = 200;

/**
 * Reads the user's facts for every page in one statement: separate statements per area took longer to send and plan
 * than to run.
 * @param deps.shared caches the first audio of the queue, which is the same for all
 */
export function preparePageFacts({ db, shared, userSql }: { db: Db; shared: SharedReads; userSql: UserSql }) {
  const audiosByIds = createAudioReader(db, shared);
  const lookup = db
    .select({
      ...meColumns(userSql),
      hold: holdSql(users.id),
      favorites: favoriteEntriesSql(users.id, maxInlineFavorites),
      queueHead: queueHeadSql(users.id),
    })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('find_page_facts');
  return async (userId: string): Promise<PageFacts | undefined> => {
    const [row] = await lookup.execute({ userId });
    if (row === undefined) return undefined;
    const { hold, favorites, queueHead, ...me } = row;
    const ids = toFavoriteIds(favorites);
    return {
      me: toMe(me),
      hold,
      favorites: { ids, isWhole: Object.values(ids).every((some) => some.length < maxInlineFavorites) },
      queueHead: await toQueueHead(queueHead, audiosByIds),
    };
  };
}
