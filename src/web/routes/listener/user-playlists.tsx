import { t } from '@lingui/core/macro';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { PageHead } from '../../catalogue/page-head.tsx';
import { PagedGrid } from '../../catalogue/paged-grid.tsx';
import { UserPlaylistCard } from '../../library/user-playlist-cover.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { userPlaylistCards } from '../../list-items.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/user-playlists';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { cursor } = readListQuery(request);
  const { viewer } = context.get(requestContext);
  const { library, isOn } = context.get(siteContext);
  orNotFound(isOn('userPlaylists') || undefined);
  return {
    page: userPlaylistCards.page(await orBadRequest(library.listTopUserPlaylists(viewer, { cursor, limit: 30 }))),
  };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Made by listeners`,
    description: t`Playlists that listeners put together and chose to share, the most played first.`,
  });

export default function UserPlaylists({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <PageHead title={t`Made by listeners`} text={t`Playlists that listeners chose to share.`} />
      <PagedGrid
        page={loaderData.page}
        more="/v1/api/users-playlists/top-plays"
        under="playlists"
        empty={t`No playlists yet`}
      >
        {(playlist) => <UserPlaylistCard playlist={playlist} source="playlists" />}
      </PagedGrid>
    </div>
  );
}
