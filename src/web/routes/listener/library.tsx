import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Suspense, useEffect } from 'react';
import { Link, useLocation, useRevalidator } from 'react-router';
import type { FavoriteTotals } from '#domain/library/favorite-lists.ts';
import { withQuery } from '../../catalogue/list-links.ts';
import { pageSize, readListQuery } from '../../catalogue/lists/list-query.ts';
import { audioCards, audioRows } from '../../list-items.ts';
import { SortMenu } from '../../catalogue/sort-menu.tsx';
import { TabLinks } from '../../catalogue/tab-links.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { FilterField } from '../../library/filter-field.tsx';
import { type LibraryShelf, LibraryContent, SignInFirst } from '../../library/library-content.tsx';
import { useFavoriteCount, useFavorites } from '../../favorites/library-provider.tsx';
import {
  type LibraryQuery,
  type LibraryTab,
  arrangeOwn,
  defaultSort,
  libraryTabs,
  readLibraryQuery,
  filterLabels,
  sortLabelsOf,
  tabLabels,
} from '../../library/library-tabs.ts';
import { NewPlaylistButton } from '../../library/new-playlist-button.tsx';
import { pageMeta } from '../../page-meta.ts';
import { useIsOn } from '../../root-data.ts';
import { orBadRequest } from '../../route-errors.ts';
import type { Route } from './+types/library';

/** Cards on the first page: full rows of five. */
const cardPageSize = 30;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { library, catalogue } = context.get(siteContext);
  const query = readLibraryQuery(new URL(request.url).search);
  const { tab, sort, filter } = query;
  const { cursor } = readListQuery(request);
  const group = <Group extends Exclude<LibraryTab, 'own'>>(name: Group) =>
    orBadRequest(
      library.listFavorites(viewer, name, {
        sort,
        filter: filter === '' ? undefined : filter,
        cursor,
        limit: name === 'audios' ? pageSize : cardPageSize,
      }),
    );

  async function shelf(userId: string): Promise<LibraryShelf> {
    if (tab === 'own') {
      const items = arrangeOwn(await library.listOwnUserPlaylists(userId), query);
      return { tab, page: { items, nextCursor: undefined } };
    }
    if (tab === 'audios') return { tab, page: audioRows.page(await group(tab)) };
    // The group gives the kind of its items.
    return { tab, page: await group(tab) } as LibraryShelf;
  }
  const [totals, shown] = await Promise.all([library.countFavorites(viewer), shelf(viewer.id)]);
  const isEmpty = Object.values(totals).every((total) => total === 0);
  return {
    totals,
    shelf: shown,
    ideas: isEmpty ? audioCards.list((await catalogue.listAudios(viewer, { sort: 'popular', limit: 6 })).items) : [],
  };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, {
    title: t`Library`,
    description: t`Favorites and playlists stay with your account, on every device.`,
    // For visitors it is the same page, which says what a library is for.
    index: args.loaderData === null ? undefined : 'no',
  });
}

export default function Library({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6">
        <Trans>Library</Trans>
      </h1>
      {loaderData === null ? (
        <Suspense>
          <SignInFirst />
        </Suspense>
      ) : (
        <OwnLibrary {...loaderData} />
      )}
    </div>
  );
}

type LibraryData = NonNullable<Route.ComponentProps['loaderData']>;

function OwnLibrary({ totals, shelf, ideas }: LibraryData) {
  const query = readLibraryQuery(useLocation().search);
  const total = shelf.tab === 'own' ? totals.ownPlaylists : totals[shelf.tab];
  const hasFeeds = useIsOn('privateFeeds');
  const favorites = useFavorites();
  const { revalidate } = useRevalidator();
  // A favorite added just before may have reached the site after this page’s data was loaded.
  useEffect(() => {
    void favorites.flush().then(async (had) => {
      if (had) await revalidate();
    });
  }, [favorites, revalidate]);
  return (
    <>
      <LibraryTabs totals={totals} query={query} />
      {(total > 0 || query.filter !== '') && (
        <div className="mt-4 mb-3 flex flex-wrap items-center gap-2">
          <FilterField key={shelf.tab} label={filterLabels[shelf.tab]()} filter={query.filter} />
          <span className="min-w-0 flex-1 max-md:hidden" />
          {shelf.tab === 'own' && <NewPlaylistButton variant="outline" />}
          <SortMenu className="max-md:ms-auto" labels={sortLabelsOf(shelf.tab)} defaultSort={defaultSort} />
        </div>
      )}
      <LibraryContent shelf={shelf} query={query} ideas={ideas} />
      {hasFeeds && (
        <Link className="link mt-6" to="/account/feeds">
          {t`Listen in your podcast app`}
        </Link>
      )}
    </>
  );
}

function LibraryTabs({ totals, query }: { totals: FavoriteTotals; query: LibraryQuery }) {
  const { search } = useLocation();
  const counts: Record<LibraryTab, number> = {
    audios: useFavoriteCount('audios', totals.audios),
    voices: useFavoriteCount('voices', totals.voices),
    categories: useFavoriteCount('categories', totals.categories),
    playlists: useFavoriteCount('playlists', totals.playlists),
    users: useFavoriteCount('users', totals.users),
    own: totals.ownPlaylists,
  };
  return (
    <TabLinks
      label={t`Library`}
      className="mt-6"
      tabs={[
        ...libraryTabs.map((tab) => ({
          label: tabLabels[tab](),
          count: counts[tab],
          to: withQuery(search, { tab: tab === 'audios' ? undefined : tab, sort: undefined, filter: undefined }),
          isCurrent: tab === query.tab,
        })),
        { label: t`Mixes`, count: totals.mixes, to: '/library/mixes' },
        { label: t`Downloads`, to: '/library/downloads' },
      ]}
    />
  );
}
