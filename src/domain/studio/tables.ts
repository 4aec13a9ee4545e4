import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Chapter } from '../catalogue/chapter-rules.ts';
import type { Cue } from '../catalogue/rules.ts';
import type { LineTime } from '../gateways.ts';
import type {
  FeedFailure,
  FeedImportChoices,
  FeedImportState,
  ItemFailure,
  ItemObstacle,
  ItemOutcome,
} from './feed-imports/rules.ts';
import type { AudioChange } from './forms.ts';
import type {
  CoverArea,
  EditedField,
  SoundFacts,
  TimingFailure,
  TimingSource,
  TimingState,
  UploadChoices,
  UploadFailure,
  UploadState,
  UploadStep,
} from './rules.ts';
import type { ImportedItem } from './moving-in/archive-shapes.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });

/** Files that creators upload, from the first byte until they become an audio. */
export const uploads = pgTable('uploads', {
  /** UUIDv7: ordered by time. */
  id: uuid().primaryKey(),
  voiceId: uuid().notNull(),
  userId: uuid(),
  /** The audio that was made from it, or whose file it replaces. */
  audioId: uuid(),
  replaces: boolean().notNull().default(false),
  fileName: text().notNull(),
  title: text().notNull(),
  choices: jsonb().$type<UploadChoices>().notNull().default({}),
  bytes: bigint({ mode: 'number' }).notNull(),
  state: text().$type<UploadState>().notNull().default('uploading'),
  step: text().$type<UploadStep>(),
  /** Progress within the step, in percent. */
  progress: smallint().notNull().default(0),
  /** Seconds until it is processed; null: unknown. */
  secondsLeft: integer(),
  facts: jsonb().$type<Partial<SoundFacts>>().notNull().default({}),
  /** Times that its processing began; failures of the storage do not count. */
  attempts: smallint().notNull().default(0),
  failure: text().$type<UploadFailure>(),
  failureDetail: text(),
  /** Blob of the whole file; null until it has arrived. */
  originalKey: text(),
  createdAt: time().notNull().defaultNow(),
  updatedAt: time().notNull().defaultNow(),
  /** Hidden from the list; the row stays for the daily limits. */
  removedAt: time(),
});

/** Scripts that are timed against the recording of their audio. */
export const scriptTimings = pgTable('script_timings', {
  id: uuid().primaryKey(),
  audioId: uuid().notNull(),
  /** Empty until a draft is ready. */
  lines: jsonb().$type<string[]>().notNull(),
  source: text().$type<TimingSource>().notNull().default('script'),
  state: text().$type<TimingState>().notNull().default('waiting'),
  progress: smallint().notNull().default(0),
  attempts: smallint().notNull().default(0),
  failure: text().$type<TimingFailure>(),
  times: jsonb().$type<LineTime[]>(),
  /** The recording that the times belong to. */
  timedFile: text(),
  createdAt: time().notNull().defaultNow(),
  updatedAt: time().notNull().defaultNow(),
});

/** Data to restore a deleted series. */
export type DeletedContent = {
  slug: string;
  description: string;
  color: string | null;
  createdAt: string;
  /** Absent: it was visible. */
  hiddenAt?: string;
  /** In their order. */
  audioIds: string[];
  /** Voices whose links led to it. */
  linkedVoiceIds: string[];
};

/** Deleted series that can be restored for 30 days. */
export const deletedSeries = pgTable('deleted_series', {
  id: uuid().primaryKey(),
  voiceId: uuid().notNull(),
  title: text().notNull(),
  imageKey: text(),
  content: jsonb().$type<DeletedContent>().notNull(),
  deletedAt: time().notNull().defaultNow(),
});

/** Locks for writing to an incoming file (`upload-locks.ts`). */
export const uploadLocks = pgTable('upload_locks', {
  uploadId: uuid().primaryKey(),
  token: uuid().notNull(),
  until: time().notNull(),
  /** Another request waits for it, so the holder should stop. */
  wanted: boolean().notNull().default(false),
});

/** Unpublished edits of an audio; no row without any. */
export const audioDrafts = pgTable('audio_drafts', {
  audioId: uuid().primaryKey(),
  /** Counts every change of a field. */
  version: integer().notNull().default(0),
  /** Fields that listeners do not see yet. */
  fields: jsonb().$type<AudioChange>().notNull().default({}),
  /** `imageKey` replaces the cover. */
  hasCover: boolean().notNull().default(false),
  imageKey: text(),
  /** The whole picture that the newest cover was cropped from. */
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

/** Operators' acts on many audios, processed one by one. */
export const startedBulkActs = pgTable('bulk_acts', {
  /** UUIDv7: ordered by time. */
  id: uuid().primaryKey(),
  /** Null: the operator on the command line, or an account that was deleted. */
  actorId: uuid(),
  actorRole: text().$type<'admin' | 'operator'>().notNull(),
  verb: text().notNull(),
  /** The groups that the act adds or removes, by id. */
  subject: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  /** Null: the audios were picked one by one. */
  filter: jsonb().$type<Record<string, unknown>>(),
  state: text().$type<'waiting' | 'running' | 'stopped' | 'done'>().notNull().default('waiting'),
  stopRequestedAt: time(),
  total: integer().notNull(),
  changed: integer().notNull().default(0),
  unchanged: integer().notNull().default(0),
  refused: integer().notNull().default(0),
  createdAt: time().notNull().defaultNow(),
  startedAt: time(),
  finishedAt: time(),
});

export const bulkActItems = pgTable(
  'bulk_act_items',
  {
    bulkActId: uuid().notNull(),
    audioId: uuid().notNull(),
    /** Null: not done yet. `changed`, `unchanged`, or the reason of a refusal. */
    outcome: text(),
    /** For undoing. */
    before: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [primaryKey({ columns: [table.bulkActId, table.audioId] })],
);

/** Feeds of other hosts whose items become audios; one of each creator. */
export const feedImports = pgTable('feed_imports', {
  id: uuid().primaryKey(),
  voiceId: uuid().notNull(),
  /** Null: the operator on the command line, or an account that was deleted. */
  userId: uuid(),
  /** Nobody has to confirm it. */
  isByOperator: boolean().notNull().default(false),
  /** Null: a file. */
  url: text(),
  /** A file, until it is read. */
  content: text(),
  /** File of an archive; null: a feed. */
  archiveName: text(),
  /** Blob of the archive, until all that it holds is here. */
  archiveKey: text(),
  /** Folder of the creator in an archive of a whole site, with its slash. */
  archiveFolder: text().notNull().default(''),
  /** It begins without anybody who has seen its plan. */
  runsAlone: boolean().notNull().default(false),
  title: text().notNull().default(''),
  /** BCP 47; null: as the creator has it. */
  language: text(),
  state: text().$type<FeedImportState>().notNull().default('reading'),
  failure: text().$type<FeedFailure>(),
  /** The owner’s address with most of its letters left out. */
  ownerHint: text(),
  codeHash: text(),
  codeUntil: time(),
  /** Wrong codes. */
  tries: smallint().notNull().default(0),
  confirmedAt: time(),
  choices: jsonb().$type<Partial<FeedImportChoices>>().notNull().default({}),
  /** Times that the reading began. */
  attempts: smallint().notNull().default(0),
  startedAt: time(),
  finishedAt: time(),
  createdAt: time().notNull().defaultNow(),
  updatedAt: time().notNull().defaultNow(),
});

export const feedImportItems = pgTable(
  'feed_import_items',
  {
    importId: uuid().notNull(),
    position: integer().notNull(),
    item: jsonb().$type<ImportedItem>().notNull(),
    /** Null: it can come. */
    obstacle: text().$type<ItemObstacle>(),
    /** Null: not yet. */
    outcome: text().$type<ItemOutcome>(),
    failure: text().$type<ItemFailure>(),
    detail: text(),
    /** The obstacle that made it a draft although it was to be published. */
    held: text(),
    /** Times that its file was asked for. */
    attempts: smallint().notNull().default(0),
    uploadId: uuid(),
    audioId: uuid(),
    imageKey: text(),
    /** Until its audio has them. */
    chapters: jsonb().$type<Chapter[]>(),
    /** Lines of its transcript, until its audio has them. */
    cues: jsonb().$type<Cue[]>(),
    /** Translations of its transcript, until its audio has them. */
    translations: jsonb().$type<{ language: string; cues: Cue[] }[]>(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.position] })],
);

/** Files of imported archives that have no place here: figures and comments of a former site. */
export const movedInFiles = pgTable(
  'moved_in_files',
  {
    voiceId: uuid().notNull(),
    /** In the creator's next archive. */
    path: text().notNull(),
    fileKey: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.voiceId, table.path] })],
);
