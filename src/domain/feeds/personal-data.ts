import { asc, eq } from 'drizzle-orm';
import type { PersonalData } from '../kernel/personal-data.ts';
import { findTitles } from './subjects.ts';
import { privateFeeds } from './tables.ts';

export const personalData: PersonalData = {
  // Deleted with the feed; keyed hashes of two days.
  tables: ['private_feeds', 'feed_uses'],
  async exportOf(db, userId) {
    const feeds = await db
      .select({
        id: privateFeeds.id,
        kind: privateFeeds.kind,
        subjectId: privateFeeds.subjectId,
        createdAt: privateFeeds.createdAt,
        lastUsedAt: privateFeeds.lastUsedAt,
        stoppedAt: privateFeeds.stoppedAt,
      })
      .from(privateFeeds)
      .where(eq(privateFeeds.userId, userId))
      .orderBy(asc(privateFeeds.createdAt));
    const titles = await findTitles(db, feeds);
    return {
      'podcast-feeds': feeds.map((feed) => ({ ...feed, title: titles.get(feed.subjectId ?? '') ?? null })),
    };
  },
  async erase(db, userId) {
    await db.delete(privateFeeds).where(eq(privateFeeds.userId, userId));
  },
};
