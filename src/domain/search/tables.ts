import { customType, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 });
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });

/** Which rows an index has to read again. */
export const searchChanges = pgTable('search_changes', {
  xid: xid8().notNull(),
  kind: text().notNull(),
  subjectId: uuid().notNull(),
  changedAt: time().notNull().defaultNow(),
});

/** How far an index outside of the database has been brought. */
export const searchFeeds = pgTable('search_feeds', {
  name: text().primaryKey(),
  /** As PostgreSQL writes `pg_snapshot`. */
  snapshot: text().notNull(),
  /** When the snapshot was taken. */
  readAt: time().notNull(),
  /** When it was last made as a whole. */
  rebuiltAt: time().notNull(),
  /** The process that is at it, and until when the others leave it to that one. */
  holder: uuid(),
  heldUntil: time().notNull().defaultNow(),
});

export const recentSearches = pgTable(
  'recent_searches',
  {
    userId: uuid().notNull(),
    key: text().notNull(),
    term: text().notNull(),
    searchedAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
);
