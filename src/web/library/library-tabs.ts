import { t } from '@lingui/core/macro';
import type { AudioFilter } from '#domain/catalogue/forms.ts';
import { type FavoriteGroup, type FavoriteSort, canSortBy, favoriteSorts } from '#domain/library/rules.ts';

/** Groups of favorites, and the user’s own playlists. */
export const libraryTabs = ['audios', 'voices', 'categories', 'playlists', 'users', 'own'] as const;
export type LibraryTab = (typeof libraryTabs)[number];

export const tabLabels: Record<LibraryTab, () => string> = {
  audios: () => t`Audios`,
  voices: () => t`Creators`,
  categories: () => t`Categories`,
  playlists: () => t`Playlists`,
  users: () => t`Listeners`,
  own: () => t`Your playlists`,
};

/** Labels of the field that filters a tab. */
export const filterLabels: Record<LibraryTab, () => string> = {
  audios: () => t`Filter audios`,
  voices: () => t`Filter creators`,
  categories: () => t`Filter categories`,
  playlists: () => t`Filter playlists`,
  users: () => t`Filter listeners`,
  own: () => t`Filter your playlists`,
};

const sortLabels: Record<FavoriteSort, () => string> = {
  recent: () => t`Recently added`,
  oldest: () => t`Oldest first`,
  title: () => t`A–Z`,
  popular: () => t`Most played`,
  shortest: () => t`Shortest`,
  longest: () => t`Longest`,
};

export const defaultSort: FavoriteSort = 'recent';

export const filterLength = 100;

export type LibraryQuery = { tab: LibraryTab; sort: FavoriteSort; filter: string };

/** Reads tab, order and filter from the address; invalid values are ignored. */
export function readLibraryQuery(search: string): LibraryQuery {
  const query = new URLSearchParams(search);
  const tab = libraryTabs.find((name) => name === query.get('tab')) ?? 'audios';
  const sort = sortsOf(tab).find((name) => name === query.get('sort')) ?? defaultSort;
  return { tab, sort, filter: (query.get('filter') ?? '').trim().slice(0, filterLength) };
}

export function sortLabelsOf(tab: LibraryTab): Partial<Record<FavoriteSort, string>> {
  const own = { recent: t`Recently changed`, title: sortLabels.title() };
  return tab === 'own' ? own : Object.fromEntries(sortsOf(tab).map((sort) => [sort, sortLabels[sort]()]));
}

function sortsOf(tab: LibraryTab): FavoriteSort[] {
  if (tab === 'own') return ['recent', 'title'];
  return favoriteSorts.filter((sort) => canSortBy(tab, sort));
}

/** API address of a group of favorites, for the pages after the first. @param audioFilter as of other lists */
export function restOfFavorites(
  group: FavoriteGroup,
  { sort, filter }: Pick<LibraryQuery, 'sort' | 'filter'>,
  audioFilter: AudioFilter = {},
): string {
  const query = new URLSearchParams({ sort, ...(filter !== '' && { filter }) });
  for (const [name, value] of Object.entries(audioFilter)) query.set(name, String(value));
  return `/v1/api/user/favorites/${group}?${query}`;
}

/** Filters and sorts the user’s own playlists, which are few and all loaded. */
export function arrangeOwn<Own extends { title: string }>(
  playlists: Own[],
  { sort, filter }: Pick<LibraryQuery, 'sort' | 'filter'>,
): Own[] {
  const term = plain(filter);
  const matches = playlists.filter(({ title }) => plain(title).includes(term));
  return sort === 'title' ? matches.toSorted((a, b) => plain(a.title).localeCompare(plain(b.title), 'en')) : matches;
}

function plain(text: string): string {
  return text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}
