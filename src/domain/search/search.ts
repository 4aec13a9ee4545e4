import { and, asc, desc, eq, ilike, or, sql } from 'drizzle-orm';
import type { Audio } from '../catalogue/audios.ts';
import { findAudiosByIds, isPublished } from '../catalogue/audios.ts';
import type { Category } from '../catalogue/categories.ts';
import { listCategories } from '../catalogue/categories.ts';
import type { Playlist } from '../catalogue/playlists.ts';
import { listPlaylists } from '../catalogue/playlists.ts';
import { audioCounts, audios, voices } from '../catalogue/tables.ts';
import type { Voice } from '../catalogue/voices.ts';
import { listVoices } from '../catalogue/voices.ts';
import type { Db } from '../db.ts';
import type { Viewer } from '../identity/rules.ts';
import { isNotLeftOut } from '../library/left-out-tags.ts';

export type SearchResults = { audios: Audio[]; voices: Voice[]; categories: Category[]; playlists: Playlist[] };

const shown = 24;

/** Everything whose name holds the term; audios also by their voice. @param term as `SearchTerm` leaves it */
export async function search(db: Db, viewer: Viewer, term: string): Promise<SearchResults> {
  if (term === '') return { audios: [], voices: [], categories: [], playlists: [] };
  const pattern = `%${term.replace(/[\\%_]/g, '\\$&')}%`;
  const hits = await db
    .select({ id: audios.id })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .where(
      and(isPublished, isNotLeftOut(viewer, audios.id), or(ilike(audios.title, pattern), ilike(voices.name, pattern))),
    )
    .orderBy(desc(sql`${audios.title} ilike ${pattern}`), desc(audioCounts.plays), asc(audios.id))
    .limit(shown);
  const needle = term.toLowerCase();
  return {
    audios: await findAudiosByIds(
      db,
      hits.map((hit) => hit.id),
    ),
    voices: (await listVoices(db, { named: pattern, limit: shown })).items,
    categories: (await listCategories(db)).filter((category) => category.label.toLowerCase().includes(needle)),
    playlists: (await listPlaylists(db, { limit: 100 })).items.filter((playlist) =>
      playlist.title.toLowerCase().includes(needle),
    ),
  };
}
