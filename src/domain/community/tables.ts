import { boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ReportReason } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const comments = pgTable('comments', {
  /** Of a later comment it is greater (UUIDv7). */
  id: uuid().primaryKey(),
  audioId: uuid().notNull(),
  /** Of a reply; one level deep. */
  parentId: uuid(),
  /** Null with the text, once it was deleted. */
  userId: uuid(),
  text: text(),
  isAuthorSuspended: boolean().notNull().default(false),
  removedAt: time(),
  /** Kept by triggers: replies that are shown. */
  replies: integer().notNull().default(0),
  createdAt: time().notNull().defaultNow(),
});

export const commentReports = pgTable(
  'comment_reports',
  {
    commentId: uuid().notNull(),
    userId: uuid().notNull(),
    reason: text().$type<ReportReason>().notNull(),
    details: text(),
    createdAt: time().notNull().defaultNow(),
    settledAt: time(),
  },
  (table) => [primaryKey({ columns: [table.commentId, table.userId] })],
);

export const userBlocks = pgTable(
  'user_blocks',
  { userId: uuid().notNull(), blockedId: uuid().notNull(), createdAt: time().notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.userId, table.blockedId] })],
);

/** Whose voice it is: they decide about its comments. */
export const voiceOwners = pgTable(
  'voice_owners',
  { voiceId: uuid().notNull(), userId: uuid().notNull(), createdAt: time().notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.voiceId, table.userId] })],
);
