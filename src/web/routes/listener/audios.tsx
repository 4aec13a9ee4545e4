import { plural, t } from '@lingui/core/macro';
import { AudioList } from '../../catalogue/audio-list.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { FilteredList } from '../../catalogue/filters/filtered-list.tsx';
import { loadFilters } from '../../catalogue/filters/load-filters.ts';
import { pageSize, readListQuery, restOf } from '../../catalogue/lists/list-query.ts';
import { audioRows } from '../../list-items.ts';
import { PageHead } from '../../catalogue/page-head.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { formatDuration } from '#formats/durations.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import type { Route } from './+types/audios';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { catalogue } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const { cursor, ...query } = readListQuery(request);
  const { sort, filter } = query;
  const [page, sum, filters] = await Promise.all([
    orBadRequest(catalogue.listAudios(viewer, { filter, sort, cursor, limit: pageSize })),
    catalogue.sumAudios(viewer, { filter }),
    loadFilters(context, request, {}, { filter, sort, cursor }),
  ]);
  return {
    page: audioRows.page(page),
    sum,
    ...noteLanguages(context, request, sum.inOtherLanguages),
    ...filters,
    more: restOf('/v1/api/audios', query),
  };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`All audios`,
    description: t`Everything there is to hear: sonnets, letters, long slow prose, and things to fall asleep to. The newest first.`,
  });

export default function Audios({ loaderData }: Route.ComponentProps) {
  const { page, sum, note, filters, more } = loaderData;
  const { total } = sum;
  const duration = formatDuration(sum.seconds);
  return (
    <div className="wrap">
      <PageHead
        title={t`All audios`}
        text={total > 0 ? t`${plural(total, { one: '# audio', other: '# audios' })}, ${duration} in total.` : undefined}
      />
      <FilteredList filters={filters} place="" placeName="" defaultSort="recent" isEmpty={page.items.length === 0}>
        <AudioList page={page} note={note} source="homepage" more={more} name={t`All audios`} />
      </FilteredList>
    </div>
  );
}
