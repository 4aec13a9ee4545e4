import { t } from '@lingui/core/macro';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { PageHead } from '../../catalogue/page-head.tsx';
import { PagedGrid } from '../../catalogue/paged-grid.tsx';
import { SeriesCard } from '../../catalogue/cards/series-card.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { seriesCards } from '../../list-items.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import type { Route } from './+types/series-list';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { cursor } = readListQuery(request);
  const { viewer } = context.get(requestContext);
  const page = await orBadRequest(context.get(siteContext).catalogue.listSeries(viewer, { cursor, limit: 30 }));
  return { page: seriesCards.page(page) };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Series`,
    description: t`Longer stories in parts, to hear in order.`,
  });

export default function SeriesList({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <PageHead title={t`Series`} text={t`Longer stories in parts.`} />
      <PagedGrid page={loaderData.page} more="/v1/api/series" under="items" empty={t`No series yet`}>
        {(series, index) => <SeriesCard series={series} variant="grid" priority={index < 4} />}
      </PagedGrid>
    </div>
  );
}
