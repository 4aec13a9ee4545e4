import { type SQL, and, asc, count, eq, inArray, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, isNamed, pick } from '../kernel/db.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import { Id, Seconds, Slug } from '../kernel/shapes.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, isBeyond, toPage } from '../kernel/pages.ts';
import { inWords } from '../settings/translations.ts';
import { imageUrlSql } from './audios.ts';
import type { AudioFilter } from './forms.ts';
import { type ItemsQuery, listItems, sumItems } from './items.ts';
import { playlists, playlistVoices } from './tables.ts';
import { isVoiceNotHidden } from './visibility.ts';

/** A playlist made by operators. */
export const Playlist = z.object({
  id: Id,
  slug: Slug,
  title: z.string(),
  description: z.string(),
  voices: z.array(Id),
  voiceImages: z.array(z.string()).describe('For the cover: a picture of its own, or at most four portraits'),
  totalAudios: z.number(),
  totalDuration: Seconds,
});
export type Playlist = z.infer<typeof Playlist>;

/** Without the audios and portraits of creators that the viewer hides. */
function selectPlaylists(db: Db, viewer: Viewer) {
  const isShown = isVoiceNotHidden(viewer, sql`a.voice_id`) ?? sql`true`;
  return db
    .select({
      ...pick(playlists, 'id', 'slug', 'title', 'description', 'position'),
      imageUrl: imageUrlSql(playlists.imageKey),
      // One reading of the items. Qualified `playlists.id`: Drizzle omits the table name in single-table queries.
      contents: sql<{ voices: { id: string; imageUrl: string | null }[]; audios: number; durationMs: number }>`(
        select json_build_object(
          'voices', coalesce(json_agg(json_build_object('id', v.id, 'imageUrl', '/' || v.image_key) order by by_voice.position), '[]'),
          'audios', coalesce(sum(by_voice.audios), 0), 'durationMs', coalesce(sum(by_voice.duration_ms), 0))
        from (select a.voice_id, min(i.position) as position, count(*) as audios, sum(a.duration_ms) as duration_ms
          from playlist_items i join audios a on a.id = i.audio_id
          where i.playlist_id = playlists.id and a.published_at <= now() and ${isShown} group by a.voice_id) by_voice
        join voices v on v.id = by_voice.voice_id)`,
    })
    .from(playlists)
    .$dynamic();
}

/** SQL condition: neither a draft, nor scheduled, nor deleted. */
export const isPlaylistPublished: SQL = lte(playlists.publishedAt, sql`now()`);

type PlaylistRow = Awaited<ReturnType<typeof selectPlaylists>>[number];

/** Its texts in the language of the request. */
function toPlaylist(db: Db, { position: _position, imageUrl, contents, ...row }: PlaylistRow): Playlist {
  const { voices, audios, durationMs } = contents;
  return {
    ...inWords(db, 'playlist', row, 'title', 'description'),
    voices: voices.map((voice) => voice.id),
    voiceImages: coverImages(
      imageUrl,
      voices.map((voice) => voice.imageUrl),
    ),
    totalAudios: audios,
    totalDuration: Math.round(durationMs / 1000),
  };
}

/** @param portraits of the voices, in their order */
export function coverImages(own: string | null, portraits: (string | null)[]): string[] {
  const pictures = own === null ? portraits : [own];
  return pictures.filter((url) => url !== null).slice(0, 4);
}

function isWithVoice(voiceId: string): SQL | undefined {
  return and(eq(playlistVoices.voiceId, voiceId), lte(playlistVoices.publishedAt, sql`now()`));
}

/** Playlists that have audios of this voice. */
export async function countPlaylists(db: Db, voiceId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(playlistVoices)
    .innerJoin(playlists, eq(playlists.id, playlistVoices.playlistId))
    .where(and(isWithVoice(voiceId), isPlaylistPublished));
  return row?.count ?? 0;
}

/**
 * In the operators' order; with `voiceId` only playlists that have audios of that voice. Without those that have only
 * creators whom the viewer hides.
 */
export async function listPlaylists(
  db: Db,
  viewer: Viewer,
  query: PageQuery & { voiceId?: string },
): Promise<Page<Playlist>> {
  const after = decodeCursor('playlists', query.cursor, z.number().int().min(-2_147_483_648).max(2_147_483_647));
  const rows = await selectPlaylists(db, viewer)
    .where(
      and(
        isPlaylistPublished,
        isPlaylistNotHidden(viewer),
        query.voiceId === undefined
          ? undefined
          : inArray(
              playlists.id,
              db.select({ id: playlistVoices.playlistId }).from(playlistVoices).where(isWithVoice(query.voiceId)),
            ),
        after && isBeyond('asc', [playlists.position, playlists.id], after),
      ),
    )
    .orderBy(asc(playlists.position), asc(playlists.id))
    .limit(query.limit + 1);
  return toPage(
    rows,
    query.limit,
    (row) => toPlaylist(db, row),
    (row) => encodeCursor('playlists', { value: row.position, id: row.id }),
  );
}

/** SQL condition: somebody in the playlist is not hidden by the viewer, or nobody is in it. */
function isPlaylistNotHidden(viewer: Viewer): SQL | undefined {
  const isNotHidden = isVoiceNotHidden(viewer, playlistVoices.voiceId);
  const voicesWho = (are: SQL) =>
    sql`exists (select from ${playlistVoices} where ${playlistVoices.playlistId} = ${playlists.id} and ${are})`;
  return isNotHidden && sql`(${voicesWho(isNotHidden)} or not ${voicesWho(sql`true`)})`;
}

/** Skips unknown ids; in no order. @param viewer leaves out what `listPlaylists` does; default: nothing */
export async function findPlaylistsByIds(db: Db, ids: string[], viewer: Viewer = visitor): Promise<Playlist[]> {
  if (ids.length === 0) return [];
  const rows = await selectPlaylists(db, viewer).where(
    and(inArray(playlists.id, ids), isPlaylistPublished, isPlaylistNotHidden(viewer)),
  );
  return rows.map((row) => toPlaylist(db, row));
}

export async function findPlaylist(db: Db, idOrSlug: string): Promise<Playlist | undefined> {
  const match = isNamed(playlists, idOrSlug);
  if (match === undefined) return undefined;
  const [row] = await selectPlaylists(db, visitor).where(and(match, isPlaylistPublished)).limit(1);
  return row && toPlaylist(db, row);
}

export function listPlaylistAudios(db: Db, viewer: Viewer, playlistId: string, page: ItemsQuery) {
  return listItems(db, viewer, { name: 'playlist_items', owner: 'playlist_id', id: playlistId }, page);
}

export function sumPlaylistAudios(db: Db, viewer: Viewer, playlistId: string, filter?: AudioFilter) {
  return sumItems(db, viewer, { name: 'playlist_items', owner: 'playlist_id', id: playlistId }, filter);
}
