import {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AudioChange } from './forms.ts';
import type {
  CoverArea,
  EditedField,
  SoundFacts,
  UploadChoices,
  UploadFailure,
  UploadState,
  UploadStep,
} from './rules.ts';

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

/** What is being edited of an audio; no row until something is. */
export const audioDrafts = pgTable('audio_drafts', {
  audioId: uuid().primaryKey(),
  /** Counts every change of a field. */
  version: integer().notNull().default(0),
  /** Fields that listeners do not see yet. */
  fields: jsonb().$type<AudioChange>().notNull().default({}),
  /** `imageKey` takes the place of the cover. */
  hasCover: boolean().notNull().default(false),
  imageKey: text(),
  /** The whole picture that the newest cover is cut from. */
  sourceKey: text(),
  sourceWidth: integer(),
  sourceHeight: integer(),
  area: jsonb().$type<CoverArea>(),
  updatedAt: time().notNull().defaultNow(),
});

/** The last change of each field of an audio. */
export const audioFieldChanges = pgTable(
  'audio_field_changes',
  {
    audioId: uuid().notNull(),
    field: text().$type<EditedField>().notNull(),
    version: integer().notNull(),
    userId: uuid(),
    changedAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.audioId, table.field] })],
);
