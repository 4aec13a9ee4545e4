import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Suspense, useEffect } from 'react';
import { Link, useLocation, useRevalidator } from 'react-router';
import type { FavoriteTotals } from '#domain/library/favorite-lists.ts';
import { withQuery } from '../../catalogue/list-links.ts';
import { lazyParts } from '../../catalogue/lazy-part.ts';
import { loadFilters } from '../../catalogue/filters/load-filters.ts';
import { pageSize, readListQuery } from '../../catalogue/lists/list-query.ts';
import { enoughHeard } from '#suggestions/enough-heard.ts';
import { audioCards, audioRows } from '../../list-items.ts';
import { SortMenu } from '../../catalogue/sort-menu.tsx';
import { TabLinks } from '../../catalogue/tab-links.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { type LibraryShelf, LibraryContent, SignInFirst } from '../../library/library-content.tsx';
import { useFavoriteCount, useFavorites } from '../../favorites/library-provider.tsx';
import {
  type LibraryQuery,
  type LibraryTab,
  arrangeOwn,
  defaultSort,
  libraryTabs,
  readLibraryQuery,
  restOfFavorites,
  filterLabels,
  sortLabelsOf,
  tabLabels,
} from '../../library/library-tabs.ts';
import { NewPlaylistButton } from '../../library/new-playlist-button.tsx';
import { pageMeta } from '../../page-meta.ts';
import { useIsOn } from '../../root-data.ts';
import { orBadRequest } from '../../route-errors.ts';
import type { Route } from './+types/library';

const FilteredList = lazyParts(() => import('../../catalogue/filters/filtered-list.tsx'))('FilteredList');

const FilterField = lazyParts(() => import('../../library/filter-field.tsx'))('FilterField');

/** Cards on the first page: full rows of five. */
const cardPageSize = 30;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { library, catalogue, listening } = context.get(siteContext);
  const query = readLibraryQuery(new URL(request.url).search);
  const { tab, sort, filter } = query;
  const { cursor, filter: audioFilter } = readListQuery(request);
  const group = <Group extends Exclude<LibraryTab, 'own'>>(name: Group) =>
    orBadRequest(
      library.listFavorites(viewer, name, {
        sort,
        filter: filter === '' ? undefined : filter,
        audioFilter,
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
  const [totals, shown, filters] = await Promise.all([
    library.countFavorites(viewer),
    shelf(viewer.id),
    tab === 'audios' &&
      loadFilters(context, request, (chosen) => library.countFavoriteFilters(viewer, filter, chosen), {
        cursor,
        filter: audioFilter,
      }),
  ]);
  const isEmpty = Object.values(totals).every((total) => total === 0);
  const [popular, heard] = isEmpty
    ? await Promise.all([
        catalogue.listAudios(viewer, { sort: 'popular', limit: 6 }),
        listening.listRecentActivity(viewer, enoughHeard),
      ])
    : [];
  return {
    totals,
    shelf: shown,
    /** Nothing to filter or sort. */
    isBare: filter === '' && totals[tab === 'own' ? 'ownPlaylists' : tab] === 0,
    list: filters && {
      ...filters,
      place: filter && `filter=${encodeURIComponent(filter)}`,
      counts: 'user/favorites/audios',
      isEmpty: shown.page.items.length === 0 && Boolean(filters.filters?.chosen.length),
    },
    more: tab === 'own' ? '' : restOfFavorites(tab, query, audioFilter),
    ideas: audioCards.list(popular?.items ?? []),
    hasHeardEnough: heard?.length === enoughHeard,
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

function OwnLibrary(data: LibraryData) {
  const { totals, shelf, isBare, list } = data;
  const query = readLibraryQuery(useLocation().search);
  const hasFeeds = useIsOn('privateFeeds');
  const favorites = useFavorites();
  const { revalidate } = useRevalidator();
  // A favorite added just before may have reached the site after this page’s data was loaded.
  useEffect(() => {
    void favorites.flush().then(async (had) => {
      if (had) await revalidate();
    });
  }, [favorites, revalidate]);
  const content = <LibraryContent {...data} query={query} />;
  const field = (
    <Suspense>
      <FilterField key={shelf.tab} label={filterLabels[shelf.tab]()} filter={query.filter} />
    </Suspense>
  );
  const sort = <SortMenu className="ms-auto" labels={sortLabelsOf(shelf.tab)} defaultSort={defaultSort} />;
  const plain = (
    <>
      <div className="mt-4 mb-3 flex flex-wrap items-center gap-2">
        {field}
        {shelf.tab === 'own' && <NewPlaylistButton variant="outline" />}
        {sort}
      </div>
      {content}
    </>
  );
  return (
    <>
      <LibraryTabs totals={totals} query={query} />
      {isBare ? (
        content
      ) : list ? (
        <Suspense fallback={plain}>
          <FilteredList {...list} start={field} end={sort}>
            {content}
          </FilteredList>
        </Suspense>
      ) : (
        plain
      )}
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
        { label: t`Moments`, to: '/library/moments' },
        { label: t`Downloads`, to: '/library/downloads' },
      ]}
    />
  );
}
