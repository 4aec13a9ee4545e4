import { date, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { FeedKind } from './rules.ts';

const timeOptions = { withTimezone: true, precision: 3 } as const;
const time = () => timestamp(timeOptions);

export const privateFeeds = pgTable('private_feeds', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  kind: text().$type<FeedKind>().notNull(),
  /** Id of a voice, series or playlist. */
  subjectId: uuid(),
  /** SHA-256 of the token, in hex; the token itself is not stored. */
  tokenHash: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  lastUsedAt: time(),
  /** Too many networks used its address. */
  stoppedAt: time(),
  notifiedAt: timestamp('told_at', timeOptions),
  /** A process sends the mail; another one may after this time. */
  notifyingUntil: timestamp(timeOptions),
});

/** The newest item that the WebSub hub was told of. */
export const hubPings = pgTable('hub_pings', {
  /** Address of the feed, without the prefix of a language. */
  path: text().primaryKey(),
  newest: time().notNull(),
});

export const feedUses = pgTable(
  'feed_uses',
  {
    feedId: uuid().notNull(),
    day: date().notNull(),
    kind: text().$type<'download' | 'network'>().notNull(),
    /** Keyed hash of an audio or a network; the key differs for each feed and day. */
    mark: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.feedId, table.day, table.kind, table.mark] })],
);
