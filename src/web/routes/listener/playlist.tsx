import { plural, t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import { AudioList } from '../../catalogue/audio-list.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { DetailHead, Glow } from '../../catalogue/detail-head.tsx';
import { FavoriteButton } from '../../catalogue/favorite-button.tsx';
import { FilteredList } from '../../catalogue/filters/filtered-list.tsx';
import { loadFilters } from '../../catalogue/filters/load-filters.ts';
import {
  DownloadAllButton,
  PodcastLink,
  QueueAllButton,
  ReportLink,
  ShareButton,
} from '../../catalogue/list-actions.tsx';
import { pageSize, readListQuery, restOf } from '../../catalogue/lists/list-query.ts';
import { audioRows } from '../../list-items.ts';
import { requestContext, siteContext } from '../../context.ts';
import { formatDuration } from '#formats/durations.ts';
import { formatNames } from '#formats/names.ts';
import { PlayAll } from '../../listening/play-button.tsx';
import { breadcrumbs, metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import type { PageHandle } from '../../shell/page-handle.ts';
import { Collage } from '../../ui/images/collage.tsx';
import type { Route } from './+types/playlist';

export const handle: PageHandle = { header: 'glass' };

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { catalogue } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const playlist = orNotFound(await catalogue.findPlaylist(params.slug));
  const { cursor, languages, filter } = readListQuery(request);
  const isOwnSum = viewer.kind === 'user' || viewer.listensTo;
  const { inOtherLanguages, ...sums } = isOwnSum ? await catalogue.sumPlaylistAudios(viewer, playlist.id) : {};
  return {
    playlist: { ...playlist, ...sums },
    ...noteLanguages(context, request, inOtherLanguages),
    ...(await loadFilters(context, request, { playlistId: playlist.id }, { filter, cursor })),
    more: restOf(`/v1/api/playlists/${playlist.slug}/audios`, { languages, filter }),
    page: audioRows.page(
      await orBadRequest(catalogue.listPlaylistAudios(viewer, playlist.id, { cursor, filter, limit: pageSize })),
    ),
  };
}

export const meta = metaOf(({ playlist }: Route.ComponentProps['loaderData']) => {
  const path = href('/playlists/:slug', { slug: playlist.slug });
  return {
    title: playlist.title,
    description: playlist.description,
    path,
    imageUrl: playlist.voiceImages[0],
    type: 'music.playlist',
    structuredData: [breadcrumbs([t`Playlists`, href('/playlists')], [playlist.title, path])],
  };
});

/** Names of another direction would swap places. https://www.w3.org/International/questions/qa-bidi-unicode-controls */
const isolated = (name: string) => `\u2068${name}\u2069`;

export default function PlaylistPage({ loaderData }: Route.ComponentProps) {
  const { playlist, page, note, more, filters } = loaderData;
  const { totalAudios } = playlist;
  const source = `playlist:${playlist.id}` as const;
  const rest = { path: more, cursor: page.nextCursor };
  const names = [...new Set(page.items.map((audio) => isolated(audio.voice.name)))];
  return (
    <div className="wrap">
      <Glow color={null}>
        <DetailHead variant="small" cover={<Collage imageUrls={playlist.voiceImages} width={288} priority="high" />}>
          <p className="eyebrow">
            <Link className="hover:text-text" to={href('/playlists')}>
              {t`Playlist`}
            </Link>
          </p>
          <h1 className="text-60 mt-2">{playlist.title}</h1>
          {playlist.description !== '' && <p className="detail-head__text">{playlist.description}</p>}
          <div className="acts">
            <PlayAll audios={page.items} source={source} rest={rest} listName={playlist.title} />
            <FavoriteButton contentTypeId="playlist" name={playlist.title} subjectId={playlist.id} source="playlist" />
            {page.items.length > 0 && <QueueAllButton audios={page.items} rest={rest} name={playlist.title} />}
            <ShareButton name={playlist.title} />
            <ReportLink about={`/playlists/${playlist.slug}`} />
            {page.items.length > 0 && <DownloadAllButton name={playlist.title} list={rest.path} />}
          </div>
          <p className="meta tabular-nums mt-5">
            <span>{plural(totalAudios, { one: '# audio', other: '# audios' })}</span>
            <span className="dot">{formatDuration(playlist.totalDuration)}</span>
            {names.length > 0 && (
              <span className="dot max-lg:mt-1 max-lg:basis-full max-lg:[&::before]:hidden">
                {formatNames(names, playlist.voices.length)}
              </span>
            )}
          </p>
          <PodcastLink kind="playlist" subject={playlist.slug} />
        </DetailHead>
        <FilteredList filters={filters} place={`playlist=${playlist.slug}`} isEmpty={page.items.length === 0}>
          <AudioList page={page} note={note} source={source} more={rest.path} name={playlist.title} />
        </FilteredList>
      </Glow>
    </div>
  );
}
