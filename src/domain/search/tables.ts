import {
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';

const time = () => timestamp({ withTimezone: true, precision: 3 });
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });

/** Rows that an index has to read again. */
export const searchChanges = pgTable('search_changes', {
  xid: xid8().notNull(),
  kind: text().notNull(),
  subjectId: uuid().notNull(),
  changedAt: time().notNull().defaultNow(),
});

/** Positions of the indexes. */
export const searchFeeds = pgTable('search_feeds', {
  name: text().primaryKey(),
  /** As PostgreSQL writes `pg_snapshot`. */
  snapshot: text().notNull(),
  /** Time of the snapshot. */
  readAt: time().notNull(),
  /** Time of the last full rebuild; the beginning of Unix time while one is asked for or runs. */
  rebuiltAt: time().notNull(),
  /** Version of its documents (`documentFormat`). */
  format: integer().notNull().default(0),
  /** Documents written so far by a running rebuild of the built-in index. */
  built: integer(),
  /** Used by processes of the previous version, during an update. */
  holder: uuid(),
  heldUntil: time().notNull().defaultNow(),
});

/** Locks of the processes that feed external indexes. */
export const searchLeases = pgTable('search_leases', {
  feed: text().primaryKey(),
  token: uuid().notNull(),
  until: time().notNull(),
});

/** Used by processes of the previous version, during an update. */
export const searchRebuilds = pgTable('search_rebuilds', {
  holder: uuid().primaryKey(),
  heldUntil: time().notNull(),
});

/** The words of the built-in index, by group (`kindOf`) and field (place in `searchedFields`). */
export const searchWords = pgTable(
  'search_words',
  {
    code: integer().primaryKey().generatedByDefaultAsIdentity(),
    word: text().notNull(),
    kind: smallint().notNull(),
    field: smallint().notNull(),
    documents: integer().notNull().default(0),
  },
  (table) => [unique().on(table.word, table.kind, table.field)],
);

/** The documents of the built-in index. */
export const searchDocuments = pgTable(
  'search_documents',
  {
    kind: smallint().notNull(),
    key: uuid().notNull(),
    /** Codes of words, and negative ones (entries.ts). */
    entries: integer().array().notNull(),
    nameWords: smallint().notNull(),
    popularity: smallint().notNull(),
    /** Null: always. */
    foundFrom: time(),
    ownerId: uuid(),
    hit: jsonb().notNull(),
    writtenAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.key] })],
);

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
