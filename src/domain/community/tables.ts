import { boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { VoiceRole } from '../kernel/actor.ts';
import type { ReportReason } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const comments = pgTable('comments', {
  /** UUIDv7: ordered by time. */
  id: uuid().primaryKey(),
  audioId: uuid().notNull(),
  /** Thread of a reply; replies are one level deep. */
  parentId: uuid(),
  /** Null, like the text, after deletion. */
  userId: uuid(),
  text: text(),
  isAuthorSuspended: boolean().notNull().default(false),
  removedAt: time(),
  /** Hidden by the creator: only the author and those who manage the voice see it. */
  hiddenAt: time(),
  /** Visible replies, counted by triggers. */
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

/** Users who own or edit a voice; they control the comments on its audios. */
export const voiceOwners = pgTable(
  'voice_owners',
  {
    voiceId: uuid().notNull(),
    userId: uuid().notNull(),
    role: text().$type<VoiceRole>().notNull().default('owner'),
    createdAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.voiceId, table.userId] })],
);

/** Users who may not comment under a voice's audios. */
export const voiceBlocks = pgTable(
  'voice_blocks',
  {
    voiceId: uuid().notNull(),
    userId: uuid().notNull(),
    blockedBy: uuid(),
    createdAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.voiceId, table.userId] })],
);
