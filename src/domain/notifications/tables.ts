import { boolean, integer, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { EmailMode, NewsDetail, NewsKind } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/**
 * Audios whose followers are notified; written by triggers of `audios`. Rows stay, so that nobody is notified twice.
 */
export const newsBatches = pgTable('news_batches', {
  audioId: uuid().primaryKey(),
  dueAt: time().notNull(),
  startedAt: time(),
  /** The last follower who was notified. */
  afterUserId: uuid(),
  notified: integer('told').notNull().default(0),
  doneAt: time(),
});

export const notifications = pgTable('notifications', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  kind: text().$type<NewsKind>().notNull(),
  /** The audio, reply, gift card, or mail about a payment; unique with user and kind. */
  subjectId: uuid().notNull(),
  audioId: uuid(),
  detail: text().$type<NewsDetail>(),
  createdAt: time().notNull().defaultNow(),
  readAt: time(),
  /** False until the times of mail and push are set. */
  isPlanned: boolean().notNull().default(false),
  /** Null: nothing to send, or sent. A sending process moves it into the future, as a lease. */
  mailDueAt: time(),
  pushDueAt: time(),
});

export const notificationPreferences = pgTable('notification_preferences', {
  userId: uuid().primaryKey(),
  email: text().$type<EmailMode>().notNull().default('off'),
  digestHour: smallint().notNull().default(18),
  /** 0 is Sunday. */
  digestWeekday: smallint().notNull().default(5),
  isPushOn: boolean().notNull().default(false),
  showsTitles: boolean().notNull().default(false),
  mutedKinds: text().array().$type<NewsKind[]>().notNull().default([]),
  quietFrom: smallint(),
  quietUntil: smallint(),
  timeZone: text().notNull().default('UTC'),
  updatedAt: time().notNull().defaultNow(),
});

/** Favorite voices whose news a user turned off. */
export const voiceMutes = pgTable('voice_mutes', { userId: uuid().notNull(), voiceId: uuid().notNull() }, (table) => [
  primaryKey({ columns: [table.userId, table.voiceId] }),
]);

export const seriesFollows = pgTable(
  'series_follows',
  { userId: uuid().notNull(), seriesId: uuid().notNull(), createdAt: time().notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.seriesId, table.userId] })],
);

export const pushSubscriptions = pgTable('push_subscriptions', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  /** The subscription ends with it. */
  sessionId: uuid().notNull(),
  endpoint: text().notNull(),
  p256dh: text().notNull(),
  auth: text().notNull(),
  device: text().notNull(),
  createdAt: time().notNull().defaultNow(),
  usedAt: time(),
  /** Failures in a row. */
  failures: integer().notNull().default(0),
  notBefore: time(),
});
