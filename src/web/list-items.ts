import type { Audio, AudioItem, AudioRowItem } from '#domain/catalogue/audios.ts';
import type { Category } from '#domain/catalogue/categories.ts';
import type { Playlist } from '#domain/catalogue/playlists.ts';
import type { Series } from '#domain/catalogue/series.ts';
import type { Voice } from '#domain/catalogue/voices.ts';
import type { Page } from '#domain/kernel/pages.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';

export type CategoryItem = Omit<Category, 'description' | 'color'>;
export type PlaylistItem = Omit<Playlist, 'description' | 'voices' | 'totalDuration'>;
export type UserPlaylistItem = Omit<UserPlaylist, 'totalDuration' | 'totalAudios'>;
export type VoiceItem = Omit<Voice, 'color' | 'totalAudios' | 'category'> & { category: { name: string } | null };
export type SeriesItem = Omit<Series, 'description' | 'color' | 'totalDuration'>;

/*
 * Entries of lists as loaders send them, so that pages are smaller. Field by field: a rest pattern takes ten times as
 * long, and makes objects that are slower to encode.
 */

export const audioCards = itemsOf((audio: Audio): AudioItem => ({
  id: audio.id,
  slug: audio.slug,
  title: audio.title,
  imageUrl: audio.imageUrl,
  audioFileUrl: audio.audioFileUrl,
  numberDuration: audio.numberDuration,
  plays: audio.plays,
  color: audio.color,
  badge: audio.badge,
  isFree: audio.isFree,
  language: audio.language,
  voice: audio.voice,
  categories: audio.categories,
}));

export const audioRows = itemsOf((audio: Audio): AudioRowItem => ({
  ...audioCards.one(audio),
  description: audio.description,
  contentNotes: audio.contentNotes,
}));

export const categoryTiles = itemsOf((category: Category): CategoryItem => ({
  id: category.id,
  slug: category.slug,
  label: category.label,
  imageUrl: category.imageUrl,
  totalAudios: category.totalAudios,
}));

export const playlistCards = itemsOf((playlist: Playlist): PlaylistItem => ({
  id: playlist.id,
  slug: playlist.slug,
  title: playlist.title,
  voiceImages: playlist.voiceImages,
  totalAudios: playlist.totalAudios,
}));

export const seriesCards = itemsOf((series: Series): SeriesItem => ({
  id: series.id,
  slug: series.slug,
  title: series.title,
  imageUrl: series.imageUrl,
  voice: series.voice,
  totalAudios: series.totalAudios,
}));

export const userPlaylistCards = itemsOf((playlist: UserPlaylist): UserPlaylistItem => ({
  id: playlist.id,
  title: playlist.title,
  background: playlist.background,
  font: playlist.font,
  isPublic: playlist.isPublic,
  user: playlist.user,
  plays: playlist.plays,
}));

export const voiceCards = itemsOf((voice: Voice): VoiceItem => ({
  id: voice.id,
  slug: voice.slug,
  name: voice.name,
  imageURL: voice.imageURL,
  voiceTypeLabel: voice.voiceTypeLabel,
  category: voice.category && { name: voice.category.name },
  linkedSeries: voice.linkedSeries,
}));

/** The item of one entry, of a list and of a page of it. */
function itemsOf<Full extends object, Item>(toItem: (full: Full) => Item) {
  const one = remember(toItem);
  const list = remember((all: Full[]) => all.map(one));
  const page = remember((whole: Page<Full>): Page<Item> => ({ ...whole, items: list(whole.items) }));
  return { one, list, page };
}

/** The same object for the same object, as cached HTML needs it (cached-parts.ts). */
function remember<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, { made: To }>();
  return (from) => {
    const before = known.get(from);
    if (before !== undefined) return before.made;
    const made = make(from);
    known.set(from, { made });
    return made;
  };
}
