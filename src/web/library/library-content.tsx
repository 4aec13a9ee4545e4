import { t } from '@lingui/core/macro';
import { Suspense, useRef } from 'react';
import { href, Link } from 'react-router';
import type { AudioItem, AudioRowItem } from '#domain/catalogue/audios.ts';
import type { UserShape } from '#domain/identity/shapes.ts';
import type { FavoriteItems } from '#domain/library/favorite-lists.ts';
import type { OwnUserPlaylist } from '#domain/library/own-playlists.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { CardGrid } from '#web/catalogue/cards/card-grid.tsx';
import { CategoryTile } from '#web/catalogue/cards/category-tile.tsx';
import { lazyParts } from '#web/catalogue/lazy-part.ts';
import { PagedGrid } from '#web/catalogue/paged-grid.tsx';
import { PlaylistCard } from '#web/catalogue/cards/playlist-card.tsx';
import { VoiceCard } from '#web/catalogue/cards/voice-card.tsx';
import { Avatar } from '../ui/images/avatar.tsx';
import type { LibraryQuery } from './library-tabs.ts';
import { LongList } from './long-list.tsx';
import { NewPlaylistButton } from './new-playlist-button.tsx';
import { useWholeList } from './use-whole-list.ts';
import { UserPlaylistCard } from './user-playlist-cover.tsx';

const part = lazyParts(() => import('./empty-shelf.tsx'));
const EmptyShelf = part('EmptyShelf');
export const SignInFirst = part('SignInFirst');

type ShelfItems = Omit<FavoriteItems, 'audios'> & { audios: AudioRowItem };

export type LibraryShelf =
  | { [Tab in keyof ShelfItems]: { tab: Tab; page: Page<ShelfItems[Tab]> } }[keyof ShelfItems]
  | { tab: 'own'; page: Page<OwnUserPlaylist> };

type LibraryContentProps = {
  shelf: LibraryShelf;
  query: LibraryQuery;
  /** API address of the pages after the first. */
  more: string;
  /** For an empty Library. */
  ideas: AudioItem[];
  hasHeardEnough: boolean;
};

export function LibraryContent({ shelf, query, more, ...start }: LibraryContentProps) {
  if (shelf.page.items.length === 0)
    return (
      <Suspense>
        <EmptyShelf tab={shelf.tab} isFiltered={query.filter !== ''} {...start}>
          <NewPlaylistButton variant="primary" />
        </EmptyShelf>
      </Suspense>
    );
  if (shelf.tab === 'own') {
    return (
      <CardGrid columns="5" className="mt-8">
        {shelf.page.items.map((playlist) => (
          <UserPlaylistCard key={playlist.id} playlist={playlist} source="favorites" />
        ))}
      </CardGrid>
    );
  }
  const grid = { more, under: 'items', empty: t`No results found` };
  switch (shelf.tab) {
    case 'audios':
      return <FavoriteAudios page={shelf.page} more={more} />;
    case 'voices':
      return (
        <PagedGrid page={shelf.page} {...grid}>
          {(voice) => <VoiceCard voice={voice} source="favorites" variant="grid" />}
        </PagedGrid>
      );
    case 'categories':
      return (
        <PagedGrid page={shelf.page} columns="4" {...grid}>
          {(category) => <CategoryTile category={category} source="favorites" />}
        </PagedGrid>
      );
    case 'playlists':
      return (
        <PagedGrid page={shelf.page} {...grid}>
          {(playlist) =>
            playlist.contentTypeId === 'playlist' ? (
              <PlaylistCard playlist={playlist} source="favorites" variant="grid" />
            ) : (
              <UserPlaylistCard playlist={playlist} source="favorites" />
            )
          }
        </PagedGrid>
      );
    case 'users':
      return (
        <PagedGrid page={shelf.page} columns="4" {...grid}>
          {(user) => <UserCard user={user} />}
        </PagedGrid>
      );
  }
}

function UserCard({ user }: { user: UserShape }) {
  return (
    <Link
      className="card flex items-center gap-4 rounded-card bg-surface p-4 edge"
      to={href('/account/:id', { id: user.id })}
    >
      <Avatar name={user.icon ?? user.username} color={user.color} size={40} />
      <span className="truncate font-semibold">{user.username}</span>
    </Link>
  );
}

function FavoriteAudios({ page, more }: { page: Page<AudioRowItem>; more: string }) {
  const list = useRef<HTMLDivElement>(null);
  const pages = useWholeList(page, more, list);
  return <LongList list={list} pages={pages} source="favorites" name={t`Library`} />;
}
