import { and, asc, desc, eq, gt, inArray, isNull, like, sql } from 'drizzle-orm';
import { imageUrl } from '../../catalogue/audios.ts';
import { restorableSince } from '../../catalogue/editing/deletion.ts';
import { coverImages } from '../../catalogue/playlists.ts';
import { audios, playlistCounts, playlistItems, playlists, voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId, sortKey } from '../../kernel/ids.ts';
import { startingWith } from '../../kernel/like-patterns.ts';
import { dropUnwanted } from '../../kernel/rules.ts';
import { listAudios } from './audio-list.ts';
import { maxOrdered, maxPlaylistAudios } from '../forms.ts';
import { canAdminister } from '../rules.ts';

export type HousePlaylistState = 'published' | 'scheduled' | 'draft' | 'deleted';

export type HousePlaylist = {
  id: string;
  slug: string;
  title: string;
  description: string;
  state: HousePlaylistState;
  /** ISO 8601; null for a draft. */
  publishedAt: string | null;
  audios: number;
  /** Seconds. */
  duration: number;
};

/** An audio in a list, or one that could be added. */
export type ListedAudio = {
  id: string;
  title: string;
  voice: string;
  imageUrl: string | null;
  /** Seconds. */
  duration: number;
  isPublished: boolean;
};

export type HousePlaylistDetail = HousePlaylist & {
  items: ListedAudio[];
  /** Its own picture; null: the cover is a collage of portraits. */
  imageUrl: string | null;
  /** Pictures of the cover, as listeners see it. */
  voiceImages: string[];
};

function selectPlaylists(db: Db) {
  return db
    .select({
      id: playlists.id,
      slug: playlists.slug,
      title: playlists.title,
      description: playlists.description,
      imageKey: playlists.imageKey,
      publishedAt: playlists.publishedAt,
      deletedAt: playlists.deletedAt,
      audios: sql<number>`coalesce(${playlistCounts.audios}, 0)`,
      durationMs: sql<number>`coalesce(${playlistCounts.durationMs}, 0)::float8`,
    })
    .from(playlists)
    .leftJoin(playlistCounts, eq(playlistCounts.playlistId, playlists.id))
    .$dynamic();
}

function toPlaylist(row: Awaited<ReturnType<typeof selectPlaylists>>[number]): HousePlaylist {
  const { publishedAt, deletedAt, durationMs, imageKey: _imageKey, ...rest } = row;
  const state =
    deletedAt !== null
      ? 'deleted'
      : publishedAt === null
        ? 'draft'
        : publishedAt > new Date()
          ? 'scheduled'
          : 'published';
  return {
    ...rest,
    state,
    publishedAt: publishedAt && publishedAt.toISOString(),
    duration: Math.round(durationMs / 1000),
  };
}

/** In the operators' order; without deleted ones. */
export async function listPlaylists(db: Db, actor: Actor): Promise<HousePlaylist[]> {
  if (!canAdminister(actor)) return [];
  const rows = await selectPlaylists(db)
    .where(isNull(playlists.deletedAt))
    .orderBy(asc(playlists.position), asc(playlists.id))
    .limit(maxOrdered);
  return rows.map(toPlaylist);
}

/** Choices for form fields, in the operators' order, without data about their audios. */
export async function listPlaylistChoices(db: Db, actor: Actor): Promise<{ id: string; title: string }[]> {
  if (!canAdminister(actor)) return [];
  return db
    .select({ id: playlists.id, title: playlists.title })
    .from(playlists)
    .where(isNull(playlists.deletedAt))
    .orderBy(asc(playlists.position), asc(playlists.id))
    .limit(maxOrdered);
}

/** Deleted playlists that can be restored, newest deletion first. */
export async function listDeletedPlaylists(db: Db, actor: Actor): Promise<HousePlaylist[]> {
  if (!canAdminister(actor)) return [];
  const rows = await selectPlaylists(db)
    .where(gt(playlists.deletedAt, restorableSince))
    .orderBy(desc(playlists.deletedAt), asc(playlists.id))
    .limit(100);
  return rows.map(toPlaylist);
}

export const listedColumns = {
  id: audios.id,
  title: audios.title,
  voice: voices.name,
  imageKey: audios.imageKey,
  voiceImageKey: voices.imageKey,
  voiceId: voices.id,
  durationMs: audios.durationMs,
  isPublished: sql<boolean>`coalesce(${audios.publishedAt} <= now(), false)`,
};

type ListedRow = Omit<ListedAudio, 'imageUrl' | 'duration'> & { imageKey: string | null; durationMs: number };

export function toListed({ id, title, voice, imageKey, durationMs, isPublished }: ListedRow): ListedAudio {
  return { id, title, voice, imageUrl: imageUrl(imageKey), duration: Math.round(durationMs / 1000), isPublished };
}

/** Includes drafts and deleted playlists. */
export async function findPlaylist(db: Db, actor: Actor, id: string): Promise<HousePlaylistDetail | undefined> {
  if (!canAdminister(actor) || !isId(id)) return undefined;
  const [row] = await selectPlaylists(db).where(eq(playlists.id, id));
  if (row === undefined) return undefined;
  const items = await db
    .select(listedColumns)
    .from(playlistItems)
    .innerJoin(audios, eq(audios.id, playlistItems.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(eq(playlistItems.playlistId, id))
    .orderBy(asc(playlistItems.position))
    .limit(maxPlaylistAudios);
  const shown = items.filter(({ isPublished }) => isPublished);
  const images = new Map(shown.map(({ voiceId, voiceImageKey }) => [voiceId, voiceImageKey]));
  return {
    ...toPlaylist(row),
    items: items.map(toListed),
    imageUrl: imageUrl(row.imageKey),
    voiceImages: coverImages(row.imageKey, [...images.values()]),
  };
}

/**
 * Audios to add to a list, A–Z: first titles that begin with the text, then word prefixes in a title, a creator's name
 * or a tag.
 */
export async function findListableAudios(db: Db, actor: Actor, q: string, limit: number): Promise<ListedAudio[]> {
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
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []).map(toListed);
}
