import { bigint, boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../identity/tables.ts';
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
