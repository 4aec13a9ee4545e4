import { compose, dropUnwanted } from '../kernel/rules.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The names of spec §3, as in the database and the API. */
export const playlistBackgrounds = [
  'Pink to Blue',
  'Blue to Green',
  'Pink to Orange',
  'Purple to Blue',
  'Blue to Orange',
] as const;
export type PlaylistBackground = (typeof playlistBackgrounds)[number];

export const playlistFonts = ['Helvetica Neue', 'Lora Bold', 'Playfair Display Semibold', 'Teko Regular'] as const;
export type PlaylistFont = (typeof playlistFonts)[number];

/** Characters (code points) of a title. */
export const playlistTitleLength = 100;

/** One line, NFC, without invisible and bidi control characters. */
export function normalizeTitle(text: string): string {
  return compose(dropUnwanted(text.replace(/\s+/g, ' '))).trim();
}

export const maxPlaylists = 200;
export const maxPlaylistItems = 5000;
/** Per content type. */
export const maxFavorites = 10_000;
export const maxHiddenTags = 200;
/** By kind. */
export const maxHiddenAudios = 2000;
export const maxHiddenVoices = 500;

export const maxHidden = { audio: maxHiddenAudios, voice: maxHiddenVoices };
export type HiddenKind = keyof typeof maxHidden;
/** How long a deleted list can be restored. */
export const restorableMinutes = 10;

/** Content types of favorites (product.md, "Settled in detail"). */
export const contentTypeIds = ['audio', 'voice', 'category', 'playlist', 'userPlaylist', 'user'] as const;
export type ContentTypeId = (typeof contentTypeIds)[number];

/** The groups of spec §3, "Favourites"; user playlists belong to `playlists`. */
export const favoriteGroups = ['audios', 'voices', 'categories', 'playlists', 'users'] as const;
export type FavoriteGroup = (typeof favoriteGroups)[number];

const groups: Record<ContentTypeId, FavoriteGroup> = {
  audio: 'audios',
  voice: 'voices',
  category: 'categories',
  playlist: 'playlists',
  userPlaylist: 'playlists',
  user: 'users',
};

export function groupOf(contentTypeId: ContentTypeId): FavoriteGroup {
  return groups[contentTypeId];
}

/** `recent` and `oldest` sort by the date of the favorite; the last three are for audios only. */
export const favoriteSorts = ['recent', 'oldest', 'title', 'popular', 'shortest', 'longest'] as const;
export type FavoriteSort = (typeof favoriteSorts)[number];

export function canSortBy(group: FavoriteGroup, sort: FavoriteSort): boolean {
  return group === 'audios' || sort === 'recent' || sort === 'oldest' || sort === 'title';
}

/** Only the owner may change a list; for who may see it, see `isVisible`. */
export function canEditUserPlaylist(viewer: Viewer, playlist: { user: { id: string } }): boolean {
  return viewer.kind === 'user' && viewer.id === playlist.user.id;
}
