import { desc, eq } from 'drizzle-orm';
import { lazyRows } from '../kernel/lazy-rows.ts';
import type { PersonalData } from '../kernel/personal-data.ts';
import { recentSearches } from './tables.ts';

export const personalData: PersonalData = {
  // `search_changes` refers to listeners and their lists by digest only. The index has their usernames and public lists
  // until it hears of the change, seconds later.
  tables: ['recent_searches'],
  async exportOf(db, userId) {
    const searches = lazyRows(db, (on) =>
      on
        .select({ term: recentSearches.term, searchedAt: recentSearches.searchedAt })
        .from(recentSearches)
        .where(eq(recentSearches.userId, userId))
        .orderBy(desc(recentSearches.searchedAt)),
    );
    return { searches };
  },
  async erase(db, userId) {
    await db.delete(recentSearches).where(eq(recentSearches.userId, userId));
  },
};
