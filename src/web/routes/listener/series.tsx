import { plural, t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import { AudioList } from '../../catalogue/audio-list.tsx';
import { VoiceLink } from '../../catalogue/content-link.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { DetailHead, Glow, headSizes } from '../../catalogue/detail-head.tsx';
import { FilteredList } from '../../catalogue/filters/filtered-list.tsx';
import { loadFilters } from '../../catalogue/filters/load-filters.ts';
import { DownloadAllButton, PodcastLink, QueueAllButton, ShareButton } from '../../catalogue/list-actions.tsx';
import { pageSize, readListQuery, restOf } from '../../catalogue/lists/list-query.ts';
import { audioRows } from '../../list-items.ts';
import { requestContext, siteContext } from '../../context.ts';
import { formatDuration } from '#formats/durations.ts';
import { PlayAll } from '../../listening/play-button.tsx';
import { breadcrumbs, metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import type { PageHandle } from '../../shell/page-handle.ts';
import { Cover } from '../../ui/images/cover.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import type { Route } from './+types/series';

const loadFollow = () => import('../../notifications/follow-series.tsx');

export const handle: PageHandle = { header: 'glass' };

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { catalogue, notifications } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const series = orNotFound(await catalogue.findSeries(params.slug));
  const { cursor, languages, filter } = readListQuery(request);
  const isOwnSum = viewer.kind === 'user' || viewer.listensTo;
  const { inOtherLanguages, ...sums } = isOwnSum ? await catalogue.sumSeriesAudios(viewer, series.id) : {};
  return {
    series: { ...series, ...sums },
    ...noteLanguages(context, request, inOtherLanguages),
    /** Null where news are turned off. */
    isFollowed:
      viewer.kind === 'user' && context.get(siteContext).isOn('news')
        ? await notifications.isSeriesFollowed(viewer.id, series.id)
        : null,
    hasEpisode: await catalogue.hasEpisode({ seriesId: series.id }),
    ...(await loadFilters(context, request, { seriesId: series.id }, { filter, cursor })),
    more: restOf(`/v1/api/series/${series.slug}/audios`, { languages, filter }),
    page: audioRows.page(
      await orBadRequest(catalogue.listSeriesAudios(viewer, series.id, { cursor, filter, limit: pageSize })),
    ),
  };
}

export const meta = metaOf(({ series, hasEpisode, page }: Route.ComponentProps['loaderData']) => {
  const path = href('/series/:slug', { slug: series.slug });
  return {
    title: series.title,
    description: series.description,
    path,
    imageUrl: series.imageUrl,
    type: 'music.playlist',
    ...(import.meta.env.SSR && { isFramed: page.items.some(({ isFree }) => isFree) }),
    feed: hasEpisode ? undefined : 'none',
    structuredData: [
      (siteUrl) => ({
        '@type': 'PodcastSeries',
        name: series.title,
        description: series.description,
        url: siteUrl + path,
        ...(hasEpisode && { webFeed: `${siteUrl}${path}/feed.xml` }),
        ...(series.voice && {
          author: {
            '@type': 'Person',
            name: series.voice.name,
            url: siteUrl + href('/creators/:slug', { slug: series.voice.slug }),
          },
        }),
      }),
      breadcrumbs([t`Series`, href('/series')], [series.title, path]),
    ],
  };
});

export default function SeriesPage({ loaderData }: Route.ComponentProps) {
  const { series, page, note, more, isFollowed, filters } = loaderData;
  const { totalAudios } = series;
  const follow = useLoaded(loadFollow, isFollowed !== null);
  const rest = { path: more, cursor: page.nextCursor };
  return (
    <div className="wrap">
      <Glow color={series.color}>
        <DetailHead
          variant="small"
          cover={<Cover imageUrl={series.imageUrl} width={288} sizes={headSizes} priority="high" />}
        >
          <p className="eyebrow">
            <Link className="hover:text-text" to={href('/series')}>
              {t`Series`}
            </Link>
          </p>
          <h1 className="text-60 mt-2">{series.title}</h1>
          {series.voice && (
            <VoiceLink className="detail-head__by" voice={series.voice} source="series">
              <Cover imageUrl={series.voice.imageUrl} shape="circle" size={36} />
              {series.voice.name}
            </VoiceLink>
          )}
          {series.description !== '' && <p className="detail-head__text">{series.description}</p>}
          <div className="acts">
            <PlayAll audios={page.items} source="series" rest={rest} listName={series.title} />
            {page.items.length > 0 && <QueueAllButton audios={page.items} rest={rest} name={series.title} />}
            {follow && isFollowed !== null && (
              <follow.FollowSeries key={series.id} id={series.id} isFollowed={isFollowed} />
            )}
            <ShareButton name={series.title} />
            {page.items.length > 0 && <DownloadAllButton name={series.title} list={rest.path} />}
          </div>
          <p className="meta tabular-nums mt-5">
            <span>{plural(totalAudios, { one: '# part', other: '# parts' })}</span>
            <span className="dot">{formatDuration(series.totalDuration)}</span>
          </p>
          <PodcastLink kind="series" subject={series.slug} />
        </DetailHead>
        <FilteredList filters={filters} place={`series=${series.slug}`} isEmpty={page.items.length === 0}>
          <AudioList page={page} note={note} source="series" more={rest.path} name={series.title} />
        </FilteredList>
      </Glow>
    </div>
  );
}
