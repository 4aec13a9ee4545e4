import { customType, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 });
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });

/** Rows that an index has to read again. */
export const searchChanges = pgTable('search_changes', {
  xid: xid8().notNull(),
  kind: text().notNull(),
  subjectId: uuid().notNull(),
  changedAt: time().notNull().defaultNow(),
});

/** Positions of external indexes. */
export const searchFeeds = pgTable('search_feeds', {
  name: text().primaryKey(),
  /** As PostgreSQL writes `pg_snapshot`. */
  snapshot: text().notNull(),
  /** Time of the snapshot. */
  readAt: time().notNull(),
  /** Time of the last full rebuild. */
  rebuiltAt: time().notNull(),
  /** The process that holds the lease, and until when. */
  holder: uuid(),
  heldUntil: time().notNull().defaultNow(),
});

/** Rebuilds that are asked for or run. */
export const searchRebuilds = pgTable('search_rebuilds', {
  holder: uuid().primaryKey(),
  /** A crashed process stops extending it. */
  heldUntil: time().notNull(),
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

/**
 * Transcript lines shown to people without the right to hear the audio. The table keeps its old name for processes of
 * the previous version during an update.
 */
export const transcriptExcerpts = pgTable(
  'transcript_glimpses',
  {
    audioId: uuid().notNull(),
    client: text().notNull(),
    day: integer().notNull(),
    lines: integer().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.audioId, table.client, table.day] })],
);
