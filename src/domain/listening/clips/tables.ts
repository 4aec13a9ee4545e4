import { bigint, integer, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const clipStates = ['waiting', 'ready', 'failed'] as const;
export type ClipState = (typeof clipStates)[number];

/** Parts of audios that somebody shares. */
export const clips = pgTable('clips', {
  id: uuid().primaryKey(),
  audioId: uuid().notNull(),
  /** Recording that it is cut from. */
  recording: text().notNull(),
  userId: uuid(),
  startMs: integer().notNull(),
  endMs: integer().notNull(),
  state: text().$type<ClipState>().notNull().default('waiting'),
  fileKey: text(),
  fileBytes: bigint({ mode: 'number' }),
  attempts: smallint().notNull().default(0),
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
