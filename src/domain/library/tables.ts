import { bigint, boolean, date, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { AudioFilter, AudioSort } from '../catalogue/forms.ts';
import { users } from '../identity/tables.ts';
import type { SavedQueue } from './forms.ts';
import type { PlaylistBackground, PlaylistFont } from './rules.ts';

export const userPlaylists = pgTable('user_playlists', {
  id: uuid().primaryKey(),
  userId: uuid()
    .notNull()
    .references(() => users.id),
  title: text().notNull(),
  background: text().$type<PlaylistBackground>().notNull(),
  font: text().$type<PlaylistFont>().notNull(),
  isPublic: boolean().notNull().default(false),
  /** The desk has hidden it; a trigger keeps what `isPublic` would be. */
  withheldAt: timestamp({ withTimezone: true, precision: 3 }),
  publicWhileWithheld: boolean(),
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  /** Soft deletion: the list can be restored for a while. */
  deletedAt: timestamp({ withTimezone: true, precision: 3 }),
});

export const userPlaylistItems = pgTable(
  'user_playlist_items',
  { userPlaylistId: uuid().notNull(), audioId: uuid().notNull(), position: integer().notNull() },
  (table) => [primaryKey({ columns: [table.userPlaylistId, table.audioId] })],
);

/** Audios in so many lists that a job recounts those lists. */
export const recountedAudios = pgTable('recounted_audios', {
  audioId: uuid().primaryKey(),
  afterId: uuid(),
  version: integer().notNull().default(1),
});

export const userPlaylistCounts = pgTable('user_playlist_counts', {
  userPlaylistId: uuid().primaryKey(),
  plays: bigint({ mode: 'number' }).notNull().default(0),
  /** Set by triggers: count and total length of the list's published and scheduled audios. */
  audios: integer().notNull().default(0),
  durationMs: bigint({ mode: 'number' }).notNull().default(0),
  /** After the last scheduled audio is published, the counts are those that listeners see. */
  scheduledUntil: timestamp({ withTimezone: true, precision: 3 }),
  /** Day (UTC) of the latest play. */
  playedOn: date({ mode: 'string' }),
});

export const userPlaylistPlayMarks = pgTable(
  'user_playlist_play_marks',
  {
    /** Keyed hash of a user's id or of a client's address. */
    listener: text().notNull(),
    userPlaylistId: uuid().notNull(),
    until: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.listener, table.userPlaylistId] })],
);

function favoritesTable<const Name extends string>(name: Name) {
  return pgTable(
    name,
    {
      userId: uuid().notNull(),
      /** Id of the favorited content. */
      contentId: uuid().notNull(),
      createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
    },
    (table) => [primaryKey({ columns: [table.userId, table.contentId] })],
  );
}

export const audioFavorites = favoritesTable('audio_favorites');
export const voiceFavorites = favoritesTable('voice_favorites');
export const categoryFavorites = favoritesTable('category_favorites');
export const playlistFavorites = favoritesTable('playlist_favorites');
export const userPlaylistFavorites = favoritesTable('user_playlist_favorites');
export const userFavorites = favoritesTable('user_favorites');

/** The last saved queue of a user, from any device. */
export const savedQueues = pgTable('saved_queues', {
  userId: uuid().primaryKey(),
  version: integer().notNull().default(1),
  queue: jsonb().$type<SavedQueue>().notNull(),
  updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});

/** Private bookmarks; see `moments/moments.ts`. */
export const moments = pgTable('moments', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  audioId: uuid().notNull(),
  positionMs: integer().notNull(),
  note: text().notNull().default(''),
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});

/** Filters of a list under a name; see `mixes/mixes.ts`. */
export const mixes = pgTable('mixes', {
  id: uuid().primaryKey(),
  userId: uuid().notNull(),
  name: text().notNull(),
  categoryId: uuid(),
  voiceId: uuid(),
  /** An id without a tag finds nothing. */
  tagIds: uuid().array().notNull().default([]),
  notTagIds: uuid().array().notNull().default([]),
  /** The rest of the filter. */
  filter: jsonb().$type<Omit<AudioFilter, 'tag' | 'not'>>().notNull().default({}),
  sort: text().$type<AudioSort>().notNull(),
  hasNews: boolean().notNull().default(false),
  /** Audios published since are new in it. */
  visitedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  deletedAt: timestamp({ withTimezone: true, precision: 3 }),
});
