import { boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { VoiceRole } from '../kernel/viewer.ts';
import type { DecisionVerb, HeldReason, ReportReason } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export const comments = pgTable('comments', {
  /** UUIDv7: ordered by time. */
  id: uuid().primaryKey(),
  audioId: uuid().notNull(),
  /** The audio's, kept by triggers. */
  voiceId: uuid(),
  /** Thread of a reply; replies are one level deep. */
  parentId: uuid(),
  /** Null, like the text, after deletion. */
  userId: uuid(),
  text: text(),
  /** BCP 47; null: not known. */
  language: text(),
  isAuthorSuspended: boolean().notNull().default(false),
  removedAt: time(),
  /** Hidden only until its reports are decided; `removedAt` is set meanwhile. */
  isHeld: boolean().notNull().default(false),
  /** First open report, kept by a trigger; null without one. */
  reportedAt: time(),
  /** Hidden by the creator: only the author and managers of the voice see it. */
  hiddenAt: time(),
  /** Hidden until the creator shows it (`heldFor`), or because of a watched word until the desk does (`heldComments`). */
  waitsForCreator: boolean().notNull().default(false),
  /** Visible replies, counted by triggers. */
  replies: integer().notNull().default(0),
  createdAt: time().notNull().defaultNow(),
  /** Why it waits for its creator; null: a link, if the version before held it. Kept once it was decided. */
  heldFor: text().$type<HeldReason>(),
  /** The creator's own word in it. */
  heldWord: text(),
  editedAt: time(),
  /** One on each audio. */
  pinnedAt: time(),
  /** The creator likes it. */
  heartedAt: time(),
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
    decisionId: uuid(),
  },
  (table) => [primaryKey({ columns: [table.commentId, table.userId] })],
);

/** Decisions of operators on reported comments. */
export const commentDecisions = pgTable('comment_decisions', {
  /** UUIDv7: ordered by time. */
  id: uuid().primaryKey(),
  /** Null after the comment was deleted. */
  commentId: uuid(),
  /** Author of the comment. */
  userId: uuid().notNull(),
  audioId: uuid(),
  /** The comment at that time. */
  text: text().notNull(),
  verb: text().$type<DecisionVerb>().notNull(),
  note: text(),
  /** Null: the operator on the command line, or an account that was deleted. */
  decidedBy: uuid(),
  removedBefore: time(),
  heldBefore: boolean().notNull(),
  /** It suspended the author, who was not suspended before. */
  suspended: boolean().notNull().default(false),
  paysBack: boolean().notNull().default(false),
  /** Its follow-up stopped a renewal; undoing it resumes only then. */
  stoppedRenewal: boolean().notNull().default(false),
  notifiesOwners: boolean('tells_owners').notNull().default(false),
  /** Time of the mails and billing; null: done, or undone in time. */
  followUpAt: time(),
  followedUpAt: time(),
  undoneAt: time(),
  undoneBy: uuid(),
  createdAt: time().notNull().defaultNow(),
});

/** Comments with a watched word, which the desk shows or removes; they wait (`isWaiting`). */
export const heldComments = pgTable('held_comments', {
  commentId: uuid().primaryKey(),
  /** Then it waits for its creator, because of a link. */
  forCreator: boolean().notNull(),
  createdAt: time().notNull().defaultNow(),
});

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
