import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
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
  createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});

export const userPlaylistItems = pgTable(
  'user_playlist_items',
  { userPlaylistId: uuid().notNull(), audioId: uuid().notNull(), position: integer().notNull() },
  (table) => [primaryKey({ columns: [table.userPlaylistId, table.audioId] })],
);

export const userPlaylistCounts = pgTable('user_playlist_counts', {
  userPlaylistId: uuid().primaryKey(),
  plays: bigint({ mode: 'number' }).notNull().default(0),
});

/** The queue of a user, from whatever device it was saved last. */
export const savedQueues = pgTable('saved_queues', {
  userId: uuid().primaryKey(),
  version: integer().notNull().default(1),
  queue: jsonb().$type<SavedQueue>().notNull(),
  updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
