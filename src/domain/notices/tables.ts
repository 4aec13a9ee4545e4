import { bigint, boolean, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '#formats/languages.ts';
import type { CannedReason, NoticeGround, NoticeKind, NoticeSide, NoticeSubject, NoticeVerb } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

export type NoticeFacts = Partial<Record<'country' | 'law' | 'work' | 'owner', string>>;

export const notices = pgTable('notices', {
  id: uuid().primaryKey(),
  number: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  subjectType: text().$type<NoticeSubject>().notNull(),
  /** Null: an address of the site that is no content of a creator or user. */
  subjectId: uuid(),
  /** As it was then. */
  subjectName: text().notNull(),
  address: text().notNull(),
  /** Its creator's side: the owners of a voice, or a user. */
  voiceId: uuid(),
  ownerId: uuid(),
  kind: text().$type<NoticeKind>().notNull(),
  /** Reports of a comment by listeners, which `comment_reports` has; kept by a trigger. */
  ofReports: boolean().notNull().default(false),
  facts: jsonb().$type<NoticeFacts>().notNull().default({}),
  details: text(),
  name: text(),
  email: text(),
  reporterId: uuid(),
  language: text().$type<Language>(),
  /** The same report sent twice is one. */
  digest: text(),
  /** SHA-256 of the tokens of the private pages, in hex. */
  reporterToken: text(),
  ownerToken: text(),
  /** Keyed hash of the reporter’s network, for a few weeks. */
  network: text(),
  createdAt: time().notNull().defaultNow(),
  /** Null until a process has seen a notice that the trigger made. */
  dueAt: time(),
  /** Hidden until the decision. */
  hiddenAt: time(),
  hiddenBy: text().$type<'kind' | 'overdue' | 'consent'>(),
  openedBy: uuid(),
  openedAt: time(),
  askedAt: time(),
  askedBy: uuid(),
  /** The creator's side, who was asked. */
  answer: text(),
  answeredAt: time(),
  settledAt: time(),
});

export const noticeDecisions = pgTable('notice_decisions', {
  /** UUIDv7: ordered by time. */
  id: uuid().primaryKey(),
  noticeId: uuid().notNull(),
  /** The appeal that it answers; null: the notice itself. */
  appealId: uuid(),
  verb: text().$type<NoticeVerb>().notNull(),
  ground: text().$type<NoticeGround>().notNull(),
  /** The law or the rule. */
  clause: text(),
  /** A standard reason, which each reader gets in their own language. */
  canned: text().$type<CannedReason>(),
  /** In the decider’s own words, after it. */
  reasons: text(),
  /** BCP 47, of these words. */
  language: text(),
  /** Null: the command line, or an account that was deleted. */
  decidedBy: uuid(),
  /** It deleted the audio, which was not deleted before. */
  deleted: boolean().notNull().default(false),
  createdAt: time().notNull().defaultNow(),
  /** When mails follow; null: done, or undone in time. */
  followUpAt: time(),
  undoneAt: time(),
});

export const noticeAppeals = pgTable('notice_appeals', {
  id: uuid().primaryKey(),
  noticeId: uuid().notNull(),
  side: text().$type<NoticeSide>().notNull(),
  reasons: text(),
  createdAt: time().notNull().defaultNow(),
  dueAt: time().notNull(),
  settledAt: time(),
});
