import { bigint, boolean, customType, jsonb, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { SoundFacts, UploadChoices, UploadFailure, UploadState, UploadStep } from './rules.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });
const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

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

/** What was measured of an audio's file, and the files around it. */
export const recordings = pgTable('recordings', {
  audioId: uuid().primaryKey(),
  /** The `audios.fileKey` that was measured; another one needs measuring again. */
  fileKey: text().notNull(),
  /** The file as the creator brought it in; null for imports from before. */
  originalKey: text(),
  originalName: text(),
  originalBytes: bigint({ mode: 'number' }),
  /** A smaller listening file, for browsers that save data. */
  smallKey: text(),
  smallMime: text(),
  smallBytes: bigint({ mode: 'number' }),
  facts: jsonb().$type<Partial<SoundFacts>>().notNull().default({}),
  /** 1,200 pairs of bytes along the recording: peak and loudness, 0 to 255. */
  peaks: bytea().notNull(),
  measuredAt: time().notNull().defaultNow(),
});
