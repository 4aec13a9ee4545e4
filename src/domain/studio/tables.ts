import { bigint, boolean, jsonb, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { SoundFacts, UploadChoices, UploadFailure, UploadState, UploadStep } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** Files that creators bring in, from the first byte until an audio is made of them. */
export const uploads = pgTable('uploads', {
  /** UUIDv7: ordered by time. */
  id: uuid().primaryKey(),
  voiceId: uuid().notNull(),
  userId: uuid(),
  /** The audio that was made of it, or whose file it replaces. */
  audioId: uuid(),
  replaces: boolean().notNull().default(false),
  fileName: text().notNull(),
  title: text().notNull(),
  choices: jsonb().$type<UploadChoices>().notNull().default({}),
  bytes: bigint({ mode: 'number' }).notNull(),
  state: text().$type<UploadState>().notNull().default('uploading'),
  step: text().$type<UploadStep>(),
  /** Of the step, in percent. */
  progress: smallint().notNull().default(0),
  facts: jsonb().$type<Partial<SoundFacts>>().notNull().default({}),
  failure: text().$type<UploadFailure>(),
  failureDetail: text(),
  /** Blob of the whole file; null until it has arrived. */
  originalKey: text(),
  createdAt: time().notNull().defaultNow(),
  updatedAt: time().notNull().defaultNow(),
  /** Not shown any more; the row stays for the limits per day. */
  removedAt: time(),
});

/** Who writes to a file that comes in (`upload-locks.ts`). */
export const uploadLocks = pgTable('upload_locks', {
  uploadId: uuid().primaryKey(),
  token: uuid().notNull(),
  until: time().notNull(),
  /** Another request waits for it, so the holder should end. */
  wanted: boolean().notNull().default(false),
});
