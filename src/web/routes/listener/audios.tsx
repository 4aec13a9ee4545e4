import { plural, t } from '@lingui/core/macro';
import { AudioList } from '../../catalogue/audio-list.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { FilterBar } from '../../catalogue/filter-bar.tsx';
import { pageSize, readListQuery, restOf, voiceTypeChoices } from '../../catalogue/lists/list-query.ts';
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
  const [page, sum, tags] = await Promise.all([
    orBadRequest(catalogue.listAudios(viewer, { filter, sort, cursor, limit: pageSize })),
    catalogue.sumAudios(viewer, { filter }),
    catalogue.listTagChoices(viewer, { chosen: filter.tag, limit: 5 }),
  ]);
  return {
    page: audioRows.page(page),
    sum,
    ...noteLanguages(context, request, sum.inOtherLanguages),
    tags,
    voiceTypes: voiceTypeChoices(),
    more: restOf('/v1/api/audios', query),
  };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`All audios`,
    description: t`Everything there is to hear: sonnets, letters, long slow prose, and things to fall asleep to. The newest first.`,
  });

export default function Audios({ loaderData }: Route.ComponentProps) {
  const { page, sum, note, tags, voiceTypes, more } = loaderData;
  const { total } = sum;
  const duration = formatDuration(sum.seconds);
  return (
    <div className="wrap">
      <PageHead
        title={t`All audios`}
        text={total > 0 ? t`${plural(total, { one: '# audio', other: '# audios' })}, ${duration} in total.` : undefined}
      />
      <FilterBar voiceTypes={voiceTypes} tags={tags} defaultSort="recent" isEmpty={page.items.length === 0} />
      <AudioList page={page} note={note} source="homepage" more={more} name={t`All audios`} />
    </div>
  );
}
