import { plural, t } from '@lingui/core/macro';
import { Suspense } from 'react';
import { href, redirect, useLocation } from 'react-router';
import { foreign } from '../../catalogue/foreign-language.tsx';
import { AudioList } from '../../catalogue/audio-list.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { CategoryLink } from '../../catalogue/content-link.tsx';
import { DetailHead, Glow } from '../../catalogue/detail-head.tsx';
import { FavoriteButton } from '../../catalogue/favorite-button.tsx';
import { PodcastLink, ReportLink, ShareButton } from '../../catalogue/list-actions.tsx';
import { pageSize, readListQuery, restOf } from '../../catalogue/lists/list-query.ts';
import { FilteredList } from '../../catalogue/filters/filtered-list.tsx';
import { loadFilters } from '../../catalogue/filters/load-filters.ts';
import { lazyParts } from '../../catalogue/lazy-part.ts';
import { TabLinks } from '../../catalogue/tab-links.tsx';
import { voiceTypeText } from '../../catalogue/voice-type-text.ts';
import { requestContext, siteContext } from '../../context.ts';
import { formatDuration } from '#formats/durations.ts';
import { useSharedSource } from '../../analytics/shared-link.ts';
import { audioRows, playlistCards, seriesCards, voiceCards } from '../../list-items.ts';
import { useFavoriteTotal } from '../../favorites/library-provider.tsx';
import { PlayAll } from '../../listening/play-button.tsx';
import { breadcrumbs, metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import type { PageHandle } from '../../shell/page-handle.ts';
import { Cover } from '../../ui/images/cover.tsx';
import type { Route } from './+types/creator';
import { imageAddress } from '../../ui/images/image-address.ts';

export const handle: PageHandle = { header: 'glass' };

const part = lazyParts(() => import('../../catalogue/creator-parts.tsx'));
const Recommended = part('Recommended');
const SeriesOf = part('SeriesOf');
const PlaylistsOf = part('PlaylistsOf');
const CreatorActs = part('CreatorActs');

const tabNames = ['audios', 'credited', 'series', 'playlists', 'about'] as const;
type TabName = (typeof tabNames)[number];

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { catalogue, library, membership } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const voice = orNotFound(await catalogue.findVoice(params.slug));
  // By id, former slug, or the address of a voice merged into it.
  if (voice.slug !== params.slug)
    throw redirect(href('/creators/:slug', { slug: voice.slug }) + new URL(request.url).search, 301);
  const query = readListQuery(request);
  const requested = new URL(request.url).searchParams.get('tab');
  const tab: TabName = tabNames.find((name) => name === requested) ?? 'audios';
  const byVoice = { voiceId: voice.id };
  const sort = query.sort ?? 'popular';
  const cursorOn = (name: TabName) => (name === tab ? query.cursor : undefined);
  const [
    page,
    sum,
    credited,
    creditedCount,
    series,
    playlists,
    seriesCount,
    playlistCount,
    hasEpisode,
    recommended,
    filters,
    hidden,
  ] = await Promise.all([
    orBadRequest(
      catalogue.listAudios(viewer, { ...byVoice, ...query, sort, cursor: cursorOn('audios'), limit: pageSize }),
    ),
    catalogue.sumAudios(viewer, byVoice),
    tab === 'credited'
      ? orBadRequest(catalogue.listAudios(viewer, { creditedId: voice.id, cursor: query.cursor, limit: pageSize }))
      : undefined,
    catalogue.countCredited(viewer, voice.id),
    tab === 'series'
      ? orBadRequest(catalogue.listSeries(viewer, { ...byVoice, cursor: query.cursor, limit: 30 }))
      : undefined,
    tab === 'playlists'
      ? orBadRequest(catalogue.listPlaylists(viewer, { ...byVoice, cursor: query.cursor, limit: 30 }))
      : undefined,
    catalogue.countSeries(voice.id),
    catalogue.countPlaylists(voice.id),
    catalogue.hasEpisode(byVoice),
    catalogue.listRecommendedVoices(viewer, voice.id),
    tab === 'audios' ? loadFilters(context, request, byVoice, query) : undefined,
    library.findFirstHidden(viewer, [{ kind: 'voice', id: voice.id, name: voice.name }]),
  ]);
  const more = restOf(`/v1/api/voices/${voice.slug}/audios`, { ...query, sort });
  return {
    voice,
    tab,
    page: audioRows.page(page),
    sum,
    ...noteLanguages(context, request, sum.inOtherLanguages),
    credited: credited && {
      page: audioRows.page(credited),
      more: restOf(`/v1/api/voices/${voice.slug}/credited`, { languages: query.languages }),
    },
    creditedCount,
    series: series && seriesCards.page(series),
    playlists: playlists && playlistCards.page(playlists),
    seriesCount,
    playlistCount,
    more,
    hasEpisode,
    recommended: voiceCards.list(recommended),
    ...filters,
    isHidden: hidden !== undefined,
    canTip: voice.takesTips && membership.findTipOffer() !== undefined,
  };
}

export const meta = metaOf(({ voice, sum, hasEpisode }: Route.ComponentProps['loaderData']) => {
  const path = href('/creators/:slug', { slug: voice.slug });
  const { name } = voice;
  const { total } = sum;
  return {
    title: name,
    description: voice.bio === '' ? t`${plural(total, { one: '# audio', other: '# audios' })} by ${name}.` : voice.bio,
    path,
    imageUrl: voice.imageURL,
    type: 'profile',
    feed: hasEpisode ? undefined : 'none',
    structuredData: [
      (siteUrl) => ({
        '@type': 'ProfilePage',
        inLanguage: voice.language,
        url: siteUrl + path,
        mainEntity: {
          '@type': 'Person',
          name: voice.name,
          description: voice.bio,
          url: siteUrl + path,
          ...(voice.imageURL && { image: siteUrl + imageAddress(voice.imageURL, 'jpeg', 1024) }),
        },
      }),
      breadcrumbs([t`Creators`, href('/creators')], [voice.name, path]),
    ],
  };
});

export default function Creator({ loaderData }: Route.ComponentProps) {
  const {
    voice,
    tab,
    page,
    sum,
    note,
    credited,
    creditedCount,
    series,
    playlists,
    seriesCount,
    playlistCount,
    more,
    recommended,
    filters,
    isHidden,
    canTip,
  } = loaderData;
  const { name } = voice;
  const { total, plays } = sum;
  const duration = formatDuration(sum.seconds);
  const source = useSharedSource('voice_profile');
  const { pathname } = useLocation();
  const totalFavorite = useFavoriteTotal(voice.id, voice.totalFavorite);
  const tabs: { name: TabName; label: string; count?: number }[] = [
    { name: 'audios', label: t`Audios`, count: total },
    ...(creditedCount > 0 ? [{ name: 'credited' as const, label: t`Credited in`, count: creditedCount }] : []),
    { name: 'series', label: t`Series`, count: seriesCount },
    { name: 'playlists', label: t`Playlists`, count: playlistCount },
    { name: 'about', label: t({ message: 'About', context: 'creator' }) },
  ];
  return (
    <div className="wrap">
      <Glow color={voice.color}>
        <DetailHead
          variant="small"
          cover={
            <Cover
              imageUrl={voice.imageURL}
              shape="arch"
              width={288}
              sizes="(max-width: 767px) min(64vw, 260px), 288px"
              priority="high"
            />
          }
        >
          <p className="eyebrow">
            {voiceTypeText(voice.voiceTypeLabel)}
            {voice.category && (
              <CategoryLink className="dot hover:text-text" category={voice.category} source="voice_profile">
                {voice.category.name}
              </CategoryLink>
            )}
          </p>
          <h1 className="text-84 mt-2">{voice.name}</h1>
          {voice.bio !== '' && (
            <p className="detail-head__text" lang={foreign(voice.language)}>
              {voice.bio}
            </p>
          )}
          {voice.links.length > 0 && (
            <ul className="mt-3 flex flex-wrap gap-x-4" aria-label={t`Links of ${name}`}>
              {voice.links.map(({ label, url }) => (
                <li key={url}>
                  <a className="link" href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          )}
          <div className="acts">
            <PlayAll
              audios={page.items}
              source={source}
              rest={{ path: more, cursor: page.nextCursor }}
              listName={voice.name}
            />
            <FavoriteButton
              contentTypeId="voice"
              name={voice.name}
              subjectId={voice.id}
              source="voice_profile"
              variant="button"
            />
            <ShareButton name={voice.name} />
            <ReportLink about={`voice/${voice.id}`} />
            <Suspense>
              <CreatorActs key={voice.id} voice={voice} isHidden={isHidden} canTip={canTip} />
            </Suspense>
          </div>
          <p className="meta tabular-nums mt-5">
            <span>{plural(total, { one: '# audio', other: '# audios' })}</span>
            <span className="dot">{plural(totalFavorite, { one: '# favorite', other: '# favorites' })}</span>
            <span className="dot">{plural(plays, { one: '# play', other: '# plays' })}</span>
          </p>
          <PodcastLink kind="voice" subject={voice.slug} />
        </DetailHead>
        {isHidden || (
          <>
            <TabLinks
              label={t`More of ${name}`}
              tabs={tabs.map(({ name: part, ...shown }) => ({
                ...shown,
                to: part === 'audios' ? pathname : `${pathname}?tab=${part}`,
                isCurrent: part === tab,
              }))}
            />
            {tab === 'audios' && (
              <FilteredList
                filters={filters}
                place={`voice=${voice.slug}`}
                placeName={voice.name}
                defaultSort="popular"
                isEmpty={page.items.length === 0}
              >
                <AudioList page={page} note={note} source={source} more={more} name={voice.name} />
              </FilteredList>
            )}
            {credited && (
              <AudioList page={credited.page} note={note} source={source} more={credited.more} name={voice.name} />
            )}
            <Suspense>
              {series && <SeriesOf voiceId={voice.id} page={series} />}
              {playlists && <PlaylistsOf voiceId={voice.id} page={playlists} />}
            </Suspense>
            {tab === 'about' && (
              <section className="mt-8 max-w-[60ch]" aria-label={t`About ${name}`}>
                <p
                  className="leading-[1.6] text-soft"
                  dir="auto"
                  lang={voice.bio === '' ? undefined : foreign(voice.language)}
                >
                  {voice.bio === '' ? t`Nothing is written here yet.` : voice.bio}
                </p>
                {total > 0 && (
                  <p className="mt-4 text-muted">{t`${plural(total, { one: '# audio', other: '# audios' })}, ${duration} in total.`}</p>
                )}
              </section>
            )}
          </>
        )}
        {recommended.length > 0 && (
          <Suspense>
            <Recommended name={name} voices={recommended} />
          </Suspense>
        )}
      </Glow>
    </div>
  );
}
