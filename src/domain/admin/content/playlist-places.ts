import { eq, sql } from 'drizzle-orm';
import { isPlaylistPublished } from '../../catalogue/playlists.ts';
import { homePlaylists } from '../../catalogue/rules.ts';
import { playlists } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import type { Rail } from '../../look/forms.ts';
import { administratorsOnly } from '../administrators-only.ts';

/** Rail on Home: the rail of all playlists with the position in it, a rail of its own with its title, or none. */
export type PlaceOnHome = { rail: 'all'; place: number } | { rail: 'own'; title: string | null } | undefined;

/**
 * Pages that lead listeners to a playlist.
 * @param rails of Home; null: the default, with a rail of all playlists
 * @returns undefined for an unpublished playlist
 */
export async function findPlaylistPlaces(
  db: Db,
  actor: Actor,
  id: string,
  rails: (who: 'visitors' | 'listeners') => Rail[] | null,
) {
  administratorsOnly(actor);
  if (!isId(id)) return undefined;
  const published = db
    .select({
      id: playlists.id,
      slug: playlists.slug,
      /** Position among all published playlists, from 1. */
      place: sql<number>`(row_number() over (order by ${playlists.position}, ${playlists.id}))::int`.as('place'),
      of: sql<number>`(count(*) over ())::int`.as('of'),
    })
    .from(playlists)
    .where(isPlaylistPublished)
    .as('published');
  const [row] = await db.select().from(published).where(eq(published.id, id));
  if (row === undefined) return undefined;
  const { slug, place, of } = row;
  const onHome = (all: Rail[] | null): PlaceOnHome => {
    const own = all?.find((rail) => rail.kind === 'playlist' && rail.slug === slug);
    if (own !== undefined) return { rail: 'own', title: own.title };
    const hasAll = all === null || all.some(({ kind }) => kind === 'playlists');
    return hasAll && place <= homePlaylists ? { rail: 'all', place } : undefined;
  };
  return { place, of, home: { visitors: onHome(rails('visitors')), listeners: onHome(rails('listeners')) } };
}

export type PlaylistPlaces = NonNullable<Awaited<ReturnType<typeof findPlaylistPlaces>>>;
