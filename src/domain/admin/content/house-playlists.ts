import { and, asc, desc, eq, gt, inArray, isNull, like, sql } from 'drizzle-orm';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { publicationState } from '../../catalogue/editing/publishing.ts';
import { coverImages } from '../../catalogue/playlists.ts';
import { audios, playlistCounts, playlistItems, playlists, voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId, sortKey } from '../../kernel/ids.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { dropUnwanted } from '../../kernel/rules.ts';
import { listAudios } from './audio-list.ts';
import { maxOrdered, maxPlaylistAudios } from '../forms.ts';
import { canAdminister } from '../rules.ts';

function selectPlaylists(db: Db) {
  return db
    .select({
      ...pick(playlists, 'id', 'slug', 'title', 'description', 'publishedAt'),
      state: publicationState(playlists.publishedAt, playlists.deletedAt),
      audios: sql<number>`coalesce(${playlistCounts.audios}, 0)`,
      /** Seconds. */
      duration: sql<number>`round(coalesce(${playlistCounts.durationMs}, 0) / 1000.0)::float8`,
      /** Its own picture; null: the cover is a collage of portraits. */
      imageUrl: imageUrlSql(playlists.imageKey),
    })
    .from(playlists)
    .leftJoin(playlistCounts, eq(playlistCounts.playlistId, playlists.id))
    .$dynamic();
}
export type HousePlaylist = Awaited<ReturnType<typeof selectPlaylists>>[number];

/** In the operators' order; without deleted ones. */
export async function listPlaylists(db: Db, actor: Actor): Promise<HousePlaylist[]> {
  if (!canAdminister(actor)) return [];
  return selectPlaylists(db)
    .where(isNull(playlists.deletedAt))
    .orderBy(asc(playlists.position), asc(playlists.id))
    .limit(maxOrdered);
}

/** Choices for form fields, in the operators' order, without data about their audios. */
export async function listPlaylistChoices(db: Db, actor: Actor) {
  if (!canAdminister(actor)) return [];
  return db
    .select(pick(playlists, 'id', 'title'))
    .from(playlists)
    .where(isNull(playlists.deletedAt))
    .orderBy(asc(playlists.position), asc(playlists.id))
    .limit(maxOrdered);
}

/** Deleted playlists that can be restored, newest deletion first. */
export async function listDeletedPlaylists(db: Db, actor: Actor): Promise<HousePlaylist[]> {
  if (!canAdminister(actor)) return [];
  return selectPlaylists(db)
    .where(gt(playlists.deletedAt, restorableSince))
    .orderBy(desc(playlists.deletedAt), asc(playlists.id))
    .limit(100);
}

/** An audio in a list, or one that could be added. */
export const listedColumns = {
  ...pick(audios, 'id', 'title'),
  voice: voices.name,
  imageUrl: imageUrlSql(audios.imageKey),
  /** Seconds. */
  duration: sql<number>`round(${audios.durationMs} / 1000.0)::float8`,
  isPublished: sql<boolean>`coalesce(${audios.publishedAt} <= now(), false)`,
};
export type ListedAudio = Awaited<ReturnType<typeof findListableAudios>>[number];

/** Includes drafts and deleted playlists. `voiceImages`: the pictures of its cover, as listeners see it. */
export async function findPlaylist(db: Db, actor: Actor, id: string) {
  if (!canAdminister(actor) || !isId(id)) return undefined;
  const [playlist] = await selectPlaylists(db).where(eq(playlists.id, id));
  if (playlist === undefined) return undefined;
  const rows = await db
    .select({ item: listedColumns, voiceId: voices.id, portrait: imageUrlSql(voices.imageKey) })
    .from(playlistItems)
    .innerJoin(audios, eq(audios.id, playlistItems.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(eq(playlistItems.playlistId, id))
    .orderBy(asc(playlistItems.position))
    .limit(maxPlaylistAudios);
  const shown = rows.filter(({ item }) => item.isPublished);
  const portraits = new Map(shown.map(({ voiceId, portrait }) => [voiceId, portrait]));
  return {
    ...playlist,
    items: rows.map(({ item }) => item),
    voiceImages: coverImages(playlist.imageUrl, [...portraits.values()]),
  };
}
export type HousePlaylistDetail = NonNullable<Awaited<ReturnType<typeof findPlaylist>>>;

/**
 * Audios to add to a list, A–Z: first titles that begin with the text, then word prefixes in a title, a creator's name
 * or a tag.
 */
export async function findListableAudios(db: Db, actor: Actor, q: string, limit: number) {
  const start = sortKey(dropUnwanted(q));
  if (!canAdminister(actor) || start === '') return [];
  const [begun, { items }] = await Promise.all([
    db
      .select({ id: audios.id })
      .from(audios)
      .where(and(isNull(audios.deletedAt), like(audios.sortTitle, startingWith(start))))
      .orderBy(asc(audios.sortTitle), asc(audios.id))
      .limit(limit),
    listAudios(db, actor, { q, sort: 'title', limit }),
  ]);
  const ids = [...new Set([...begun, ...items].map(({ id }) => id))].slice(0, limit);
  const rows = await db
    .select(listedColumns)
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(inArray(audios.id, ids));
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}
