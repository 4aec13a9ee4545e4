import { t } from '@lingui/core/macro';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { PageHead } from '../../catalogue/page-head.tsx';
import { PagedGrid } from '../../catalogue/paged-grid.tsx';
import { PlaylistCard } from '../../catalogue/cards/playlist-card.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { playlistCards } from '../../list-items.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import type { Route } from './+types/playlists';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { cursor } = readListQuery(request);
  const { viewer } = context.get(requestContext);
  const page = await orBadRequest(context.get(siteContext).catalogue.listPlaylists(viewer, { cursor, limit: 30 }));
  return { page: playlistCards.page(page) };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Playlists`,
    description: t`Playlists made by this site: audios that go together, in this order.`,
  });

export default function Playlists({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <PageHead title={t`Playlists`} text={t`Audios that go together, to hear in order.`} />
      <PagedGrid page={loaderData.page} more="/v1/api/playlists" under="items" empty={t`No playlists yet`}>
        {(playlist) => <PlaylistCard playlist={playlist} source="playlists" variant="grid" />}
      </PagedGrid>
    </div>
  );
}
