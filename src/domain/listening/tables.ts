import { bigint, integer, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { CounterType } from './forms.ts';

const time = () => timestamp({ withTimezone: true, precision: 3 });
const milliseconds = () => bigint({ mode: 'number' }).notNull().default(0);

export const listeningProgress = pgTable(
  'listening_progress',
  {
    userId: uuid().notNull(),
    audioId: uuid().notNull(),
    positionMs: integer().notNull(),
    updatedAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.audioId] })],
);

export const listeningHistory = pgTable(
  'listening_history',
  {
    userId: uuid().notNull(),
    audioId: uuid().notNull(),
    listens: integer().notNull().default(0),
    played30s: integer().notNull().default(0),
    listenedMs: milliseconds(),
    lastListenedAt: time().notNull().defaultNow(),
    listenCountedAt: time(),
    played30sCountedAt: time(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.audioId] })],
);

export const voiceListening = pgTable(
  'voice_listening',
  { userId: uuid().notNull(), voiceId: uuid().notNull(), listenedMs: milliseconds() },
  (table) => [primaryKey({ columns: [table.userId, table.voiceId] })],
);

/** The time up to which a user's listening is accounted for; null before the first report. */
export const listeningClocks = pgTable('listening_clocks', {
  userId: uuid().primaryKey(),
  audioUntil: time(),
  voiceUntil: time(),
});

export const listeningReports = pgTable(
  'listening_reports',
  {
    userId: uuid().notNull(),
    kind: text().$type<CounterType>().notNull(),
    reportId: text().notNull(),
    createdAt: time().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind, table.reportId] })],
);

export const playMarks = pgTable(
  'play_marks',
  {
    /** Keyed hash of a user's id or of a client's address. */
    listener: text().notNull(),
    audioId: uuid().notNull(),
    until: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.listener, table.audioId] })],
);

/** The ledger: milliseconds heard per audio, voice and day (UTC). */
export const listenedSeconds = pgTable(
  'listened_seconds',
  {
    day: time().notNull(),
    audioId: uuid().notNull(),
    voiceId: uuid().notNull(),
    milliseconds: milliseconds(),
    reports: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.audioId, table.voiceId] })],
);

/** `part` is a twentieth of the audio, 0 to 19. */
export const listenedParts = pgTable(
  'listened_parts',
  { audioId: uuid().notNull(), part: smallint().notNull(), milliseconds: milliseconds() },
  (table) => [primaryKey({ columns: [table.audioId, table.part] })],
);
