import { inArray } from 'drizzle-orm';
import { findPlaylist } from '../catalogue/playlists.ts';
import { findSeries } from '../catalogue/series.ts';
import { playlists, series, voices } from '../catalogue/tables.ts';
import { findVoice } from '../catalogue/voices.ts';
import type { Db } from '../kernel/db.ts';
import type { User } from '../kernel/viewer.ts';
import { userPlaylists } from '../library/tables.ts';
import { findUserPlaylist } from '../library/user-playlists.ts';
import { i18n } from '#i18n';
import type { FeedKind } from './rules.ts';

/** The voice, series or playlist that a feed is about. */
export type Subject = {
  id: string;
  title: string;
  description: string;
  /** Path of the image route; null without a picture. */
  imageUrl: string | null;
  /** Path of its page. */
  page: string;
  author: string | undefined;
  /** Absent: that of its audios. */
  language?: string;
};

/** @returns undefined when it does not exist for this user */
export async function findSubject(
  db: Db,
  viewer: User,
  kind: FeedKind,
  idOrSlug: string,
): Promise<Subject | undefined> {
  switch (kind) {
    case 'voice': {
      const voice = await findVoice(db, idOrSlug);
      return (
        voice && {
          id: voice.id,
          title: voice.name,
          description:
            voice.bio ||
            i18n._(/*i18n*/ { id: 'feed.audios-by', message: 'Audios by {name}.', values: { name: voice.name } }),
          imageUrl: voice.imageURL,
          page: `/creators/${voice.slug}`,
          author: voice.name,
          language: voice.language,
        }
      );
    }
    case 'series': {
      const shownSeries = await findSeries(db, idOrSlug);
      return (
        shownSeries && {
          id: shownSeries.id,
          title: shownSeries.title,
          description: shownSeries.description || shownSeries.title,
          imageUrl: shownSeries.imageUrl ?? shownSeries.voice?.imageUrl ?? null,
          page: `/series/${shownSeries.slug}`,
          author: shownSeries.voice?.name,
        }
      );
    }
    case 'playlist': {
      const playlist = await findPlaylist(db, idOrSlug);
      return (
        playlist && {
          id: playlist.id,
          title: playlist.title,
          description: playlist.description || playlist.title,
          imageUrl: null,
          page: `/playlists/${playlist.slug}`,
          author: undefined,
        }
      );
    }
    case 'userPlaylist': {
      const playlist = await findUserPlaylist(db, viewer, idOrSlug);
      return (
        playlist && {
          id: playlist.id,
          title: playlist.title,
          description: i18n._(
            /*i18n*/ {
              id: 'feed.playlist-by',
              message: 'A playlist by {name}.',
              values: { name: playlist.user.username },
            },
          ),
          imageUrl: null,
          page: `/users-playlists/${playlist.id}`,
          author: playlist.user.username,
        }
      );
    }
    default:
      return undefined;
  }
}

/** Titles of the feeds' subjects by id, whether or not they are still shown. */
export async function findTitles(db: Db, feeds: { subjectId: string | null }[]): Promise<Map<string, string>> {
  const ids = feeds.flatMap(({ subjectId }) => subjectId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await Promise.all([
    db.select({ id: voices.id, title: voices.name }).from(voices).where(inArray(voices.id, ids)),
    db.select({ id: series.id, title: series.title }).from(series).where(inArray(series.id, ids)),
    db.select({ id: playlists.id, title: playlists.title }).from(playlists).where(inArray(playlists.id, ids)),
    db
      .select({ id: userPlaylists.id, title: userPlaylists.title })
      .from(userPlaylists)
      .where(inArray(userPlaylists.id, ids)),
  ]);
  return new Map(rows.flat().map(({ id, title }) => [id, title]));
}
