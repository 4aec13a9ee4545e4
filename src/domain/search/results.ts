import { type Audio, findAudiosByIds } from '../catalogue/audios.ts';
import { type Category, findCategoriesByIds } from '../catalogue/categories.ts';
import { type Playlist, findPlaylistsByIds } from '../catalogue/playlists.ts';
import { type Series, findSeriesByIds } from '../catalogue/series.ts';
import { type Voice, findVoicesByIds } from '../catalogue/voices.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type UserPlaylist, findUserPlaylistsByIds } from '../library/user-playlists.ts';
import { type SearchParts, type SearchQuery, search } from './search.ts';
import type { SearchHits } from './search-index.ts';
import type { Wider } from './wider.ts';
import type { HeardLine } from './transcript-hits.ts';

type Found<Item> = { total: number; items: Item[]; hasExactName: boolean };

/** A page of hits with all data that lists show. */
export type SearchResults = {
  /** `lines`: by audio id, for matches in the transcript. */
  audios: Found<Audio> & { lines: Record<string, HeardLine>; wider?: Wider[] };
  voices: Found<Voice>;
  categories: Found<Category>;
  playlists: Found<Playlist>;
  series: Found<Series>;
  users: Found<SearchHits['users']>;
  usersPlaylists: Found<UserPlaylist>;
};

/** Like `search`; content deleted since it was indexed is in no group and no total. */
export async function findResults(parts: SearchParts, viewer: Viewer, query: SearchQuery): Promise<SearchResults> {
  const { db } = parts;
  const found = await search(parts, viewer, query);
  const { wider } = found.audios;
  const idsOf = (group: { hits: { id: string }[] }) => group.hits.map(({ id }) => id);
  const [audios, voices, categories, playlists, series, usersPlaylists] = await Promise.all([
    findAudiosByIds(db, idsOf(found.audios)),
    findVoicesByIds(db, idsOf(found.voices)),
    findCategoriesByIds(db, idsOf(found.categories)),
    findPlaylistsByIds(db, idsOf(found.playlists), viewer),
    findSeriesByIds(db, idsOf(found.series)),
    findUserPlaylistsByIds(db, viewer, idsOf(found.usersPlaylists)),
  ]);
  const lines = found.audios.hits.flatMap(({ id, line }) => (line === null ? [] : [[id, line] as const]));
  return {
    audios: { ...inOrder(found.audios, audios), lines: Object.fromEntries(lines), ...(wider && { wider }) },
    voices: inOrder(found.voices, voices),
    categories: inOrder(found.categories, categories),
    playlists: inOrder(found.playlists, playlists),
    series: inOrder(found.series, series),
    users: {
      total: found.users.total,
      hasExactName: found.users.hasExactName,
      items: found.users.hits.map(({ id, username, icon, color }) => ({ id, username, icon, color })),
    },
    usersPlaylists: inOrder(found.usersPlaylists, usersPlaylists),
  };
}

function inOrder<Item extends { id: string }>(
  { hits, total, hasExactName }: { hits: { id: string }[]; total: number; hasExactName: boolean },
  items: Item[],
): Found<Item> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const there = hits.flatMap(({ id }) => byId.get(id) ?? []);
  return { total: total - (hits.length - there.length), items: there, hasExactName };
}
