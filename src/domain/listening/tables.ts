import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CounterType, KeptReason } from './forms.ts';

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

/** The session whose player is playing; see `play-here.ts`. */
export const playingSessions = pgTable('playing_sessions', {
  userId: uuid().primaryKey(),
  sessionId: uuid().notNull(),
  audioId: uuid().notNull(),
  isPlaying: boolean().notNull(),
  notedAt: time().notNull(),
  takenFrom: uuid(),
});

/** Devices with downloads; each ends with its session. */
export const offlineDevices = pgTable('offline_devices', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  sessionId: uuid().notNull(),
  createdAt: time().notNull().defaultNow(),
  renewedAt: time().notNull().defaultNow(),
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
    /** It reached the last twentieth. */
    ended: boolean().notNull().default(false),
    /** Source of a play that playback went on with by itself. */
    kept: text(),
    /** Such a play reached half of the audio. */
    half: boolean().notNull().default(false),
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
    /** Part of `milliseconds`: heard in a trial. */
    trialMs: milliseconds(),
    /** Part of `milliseconds`: heard without a subscription. */
    freeMs: milliseconds(),
  },
  (table) => [primaryKey({ columns: [table.day, table.audioId, table.voiceId] })],
);

/** `part` is a twentieth of the audio, 0 to 19. */
export const listenedParts = pgTable(
  'listened_parts',
  { audioId: uuid().notNull(), part: smallint().notNull(), milliseconds: milliseconds() },
  (table) => [primaryKey({ columns: [table.audioId, table.part] })],
);

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
/** UTC, as `2026-11-23`. */
const day = () => date({ mode: 'string' }).notNull();
const count = () => integer().notNull().default(0);
const parts = () => bigint({ mode: 'number' }).array();

/** Changes since the figures were last added up; rows are only added, and deleted together. */
export const figureChanges = pgTable('figure_changes', {
  day: day(),
  kind: text().$type<'play' | 'end' | 'half' | 'heard' | 'favorite' | 'unfavorite' | 'follow' | 'unfollow'>().notNull(),
  voiceId: uuid().notNull(),
  /** Null for followers. */
  audioId: uuid(),
  /** Times; milliseconds for `heard`. */
  amount: bigint({ mode: 'number' }).notNull().default(1),
  isMember: boolean(),
  /** Content-source tag (spec §7), or the id of a playlist of the site. */
  source: text(),
  mark: integer(),
  parts: parts(),
});

const counts = {
  plays: count(),
  /** Plays of logged-in listeners: only they report how far they listened. */
  memberPlays: count(),
  /** Members' plays that reached the last twentieth. */
  ends: count(),
  heardMs: milliseconds(),
  favoritesAdded: count(),
  favoritesRemoved: count(),
};

/** See `listener-sketch.ts`: distinct listeners, and those of them who were logged in. */
const sketches = { listeners: bytea(), members: bytea() };

export const audioDays = pgTable(
  'audio_days',
  {
    audioId: uuid().notNull(),
    day: day(),
    ...counts,
    /** All plays up to the end of this day. */
    playsTotal: bigint({ mode: 'number' }).notNull().default(0),
    /** Milliseconds heard in each twentieth. */
    parts: parts(),
    ...sketches,
  },
  (table) => [primaryKey({ columns: [table.audioId, table.day] })],
);

export const audioSourceDays = pgTable(
  'audio_source_days',
  { audioId: uuid().notNull(), day: day(), source: text().notNull(), plays: count(), listeners: bytea() },
  (table) => [primaryKey({ columns: [table.audioId, table.day, table.source] })],
);

export const voiceDays = pgTable(
  'voice_days',
  {
    voiceId: uuid().notNull(),
    day: day(),
    ...counts,
    followersAdded: count(),
    followersRemoved: count(),
    ...sketches,
  },
  (table) => [primaryKey({ columns: [table.voiceId, table.day] })],
);

/** Plays of logged-in listeners that playback went on with by itself, and those that reached half of the audio. */
export const keptPlayingDays = pgTable(
  'kept_playing_days',
  {
    /** Null: of the whole site. */
    voiceId: uuid(),
    day: day(),
    reason: text().$type<KeptReason>().notNull(),
    plays: count(),
    halves: count(),
    listeners: bytea(),
  },
  (table) => [unique().on(table.voiceId, table.day, table.reason).nullsNotDistinct()],
);
