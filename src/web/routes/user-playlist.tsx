import { href, Link } from 'react-router';
import { AudioList } from '#web/catalogue/audio-list.tsx';
import { DetailHead } from '#web/catalogue/detail-head.tsx';
import { FavoriteButton } from '#web/catalogue/favorite-button.tsx';
import { CopyLinkButton, QueueAllButton } from '#web/catalogue/list-actions.tsx';
import { pageSize, readListQuery } from '#web/catalogue/list-query.ts';
import { requestContext, siteContext } from '#web/context.ts';
import { formatCountOf, formatDuration } from '#web/format.ts';
import { playlistFontClass, UserPlaylistCover } from '#web/library/user-playlist-cover.tsx';
import { PlayButton } from '#web/listening/play-button.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { orBadRequest, orNotFound } from '#web/route-errors.ts';
import { classNames } from '#web/ui/class-names.ts';
import type { Route } from './+types/user-playlist';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { library } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const playlist = orNotFound(await library.findUserPlaylist(viewer, params.id));
  const { cursor } = readListQuery(request);
  return {
    playlist,
    page: await orBadRequest(library.listUserPlaylistAudios(viewer, playlist, { cursor, limit: pageSize })),
  };
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  if (loaderData === undefined) return pageMeta(args, undefined);
  const { playlist, page } = loaderData;
  return pageMeta(args, {
    title: playlist.title,
    description: `A playlist by ${playlist.user.username}: ${formatCountOf(playlist.totalAudios, 'audio')}, ${formatDuration(playlist.totalDuration)}.`,
    imageUrl: page.items[0]?.imageUrl,
    type: 'music.playlist',
  });
}

export default function UserPlaylistPage({ loaderData }: Route.ComponentProps) {
  const { playlist, page } = loaderData;
  return (
    <div className="wrap">
      <DetailHead look="small" cover={<UserPlaylistCover playlist={playlist} size="big" />}>
        <p className="eyebrow">
          <Link className="hover:text-text" to={href('/users-playlists')}>
            Playlist
          </Link>
          <span className="dot">
            by{' '}
            <Link className="hover:text-text" to={href('/account/:id', { id: playlist.user.id })}>
              {playlist.user.username}
            </Link>
          </span>
        </p>
        <h1 className={classNames('t-60 mt-2', playlistFontClass[playlist.font])}>{playlist.title}</h1>
        <div className="acts">
          {page.items.length > 0 && (
            <PlayButton
              audios={page.items}
              index={0}
              source="userPlaylist"
              look="primary"
              label="Play all"
              listName={playlist.title}
            />
          )}
          <FavoriteButton name={playlist.title} subjectId={playlist.id} source="userPlaylist" />
          {page.items.length > 0 && <QueueAllButton audios={page.items} name={playlist.title} />}
          <CopyLinkButton name={playlist.title} />
        </div>
        <p className="meta num mt-5">
          <span>{formatCountOf(playlist.totalAudios, 'audio')}</span>
          <span className="dot">{formatDuration(playlist.totalDuration)}</span>
          <span className="dot">{formatCountOf(playlist.plays, 'play')}</span>
        </p>
      </DetailHead>
      <div className="mt-10">
        <AudioList
          page={page}
          source="userPlaylist"
          more={`/v1/api/users-playlists/${playlist.id}/audios`}
          name={playlist.title}
        />
      </div>
    </div>
  );
}
