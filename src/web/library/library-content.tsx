import { useRef } from 'react';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { FavoriteItems } from '#domain/library/favorite-lists.ts';
import type { OwnUserPlaylist } from '#domain/library/own-playlists.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { latePart } from '#web/late-part.tsx';
import type { LibraryQuery } from './library-tabs.ts';
import { restOfFavorites } from './library-tabs.ts';
import { LongList } from './long-list.tsx';
import { useWholeList } from './use-whole-list.ts';

/** The other tabs, since most listeners open their audios. */
const LibraryCards = latePart(async () => (await import('./library-cards.tsx')).LibraryCards);

/** Content of one library tab. */
export type LibraryShelf =
  | { [Tab in keyof FavoriteItems]: { tab: Tab; page: Page<FavoriteItems[Tab]> } }[keyof FavoriteItems]
  | { tab: 'own'; page: Page<OwnUserPlaylist> };

export type LibraryContentProps = {
  shelf: LibraryShelf;
  query: LibraryQuery;
  /** Suggestions for an empty library. */
  ideas: Audio[];
};

export function LibraryContent({ shelf, query, ideas }: LibraryContentProps) {
  if (shelf.tab === 'audios' && shelf.page.items.length > 0)
    return <KeptAudios page={shelf.page} more={restOfFavorites(shelf.tab, query)} />;
  return <LibraryCards shelf={shelf} query={query} ideas={ideas} />;
}

function KeptAudios({ page, more }: { page: Page<Audio>; more: string }) {
  const list = useRef<HTMLDivElement>(null);
  const pages = useWholeList(page, more, list);
  return <LongList list={list} pages={pages} source="favorites" name="Library" />;
}
