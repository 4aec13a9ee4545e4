import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import type { AudioItem, AudioRowItem } from '#domain/catalogue/audios.ts';
import { audioRows } from '../../list-items.ts';
import { canEditUserPlaylist } from '#domain/library/rules.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { type Note, noteLanguages } from '../../catalogue/chosen-languages.ts';
import { DetailHead } from '../../catalogue/detail-head.tsx';
import { FavoriteButton } from '../../catalogue/favorite-button.tsx';
import {
  DownloadAllButton,
  PodcastLink,
  QueueAllButton,
  ReportLink,
  ShareButton,
} from '../../catalogue/list-actions.tsx';
import { ListNote } from '../../catalogue/list-note.tsx';
import { pageSize, readListQuery, restOf } from '../../catalogue/lists/list-query.ts';
import { answerOf, api } from '../../api.ts';
import { requestContext, siteContext } from '../../context.ts';
import { formatDuration } from '#formats/durations.ts';
import { latePart } from '../../late-part.tsx';
import { LongList } from '../../library/long-list.tsx';
import { useWholeList } from '../../library/use-whole-list.ts';
import { playlistFontClass, UserPlaylistCover } from '../../library/user-playlist-cover.tsx';
import { PlayAll } from '../../listening/play-button.tsx';
import { isActive, stateOf } from '../../listening/playback.ts';
import { useListName, usePlayerState } from '../../listening/player-provider.tsx';
import { sourceOf } from '../../listening/track-of.ts';
import { metaOf } from '../../page-meta.ts';
import { useRootData } from '../../root-data.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { classNames } from '../../ui/class-names.ts';
import type { Route } from './+types/user-playlist';

/** Only owners need the code that changes the list. */
const OwnPlaylist = latePart(async () => (await import('../../library/own-playlist.tsx')).OwnPlaylist);

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { library } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const playlist = orNotFound(await library.findUserPlaylist(viewer, params.id));
  const { cursor, languages } = readListQuery(request);
  const { inOtherLanguages, ...sums } = await library.sumUserPlaylistAudios(viewer, playlist);
  return {
    playlist: { ...playlist, ...sums },
    ...(canEditUserPlaylist(viewer, playlist) ? {} : noteLanguages(context, request, inOtherLanguages)),
    more: restOf(`/v1/api/users-playlists/${playlist.id}/audios`, { languages }),
    page: audioRows.page(
      await orBadRequest(library.listUserPlaylistAudios(viewer, playlist, { cursor, limit: pageSize })),
    ),
  };
}

export const meta = metaOf(({ playlist, page }: Route.ComponentProps['loaderData']) => ({
  title: playlist.title,
  description: descriptionOf(playlist),
  path: href('/users-playlists/:id', { id: playlist.id }),
  imageUrl: page.items[0]?.imageUrl,
  type: 'music.playlist',
  index: playlist.isPublic ? undefined : 'no',
}));

function descriptionOf({ user: { username }, totalAudios, totalDuration }: UserPlaylist): string {
  const duration = formatDuration(totalDuration);
  return t`A playlist by ${username}: ${plural(totalAudios, { one: '# audio', other: '# audios' })}, ${duration}.`;
}

export default function UserPlaylistPage({ loaderData }: Route.ComponentProps) {
  const { playlist, page, note, more } = loaderData;
  const viewer = useRootData()?.viewer ?? { kind: 'visitor' };
  // Remounts for another playlist under the same route.
  return canEditUserPlaylist(viewer, playlist) ? (
    <OwnPlaylist key={playlist.id} playlist={playlist} page={page} />
  ) : (
    <SharedPlaylist key={playlist.id} playlist={playlist} page={page} note={note} path={more} />
  );
}

type SharedPlaylistProps = { playlist: UserPlaylist; page: Page<AudioRowItem>; note: Note | undefined; path: string };

function SharedPlaylist({ playlist, page, note, path }: SharedPlaylistProps) {
  const list = useRef<HTMLDivElement>(null);
  const pages = useWholeList(page, path, list);
  const { items } = pages;
  const { totalAudios } = playlist;
  const { username } = playlist.user;
  const rest = { path, cursor: pages.nextCursor };
  const plays = useCountPlaylistPlay(playlist, items);
  return (
    <div className="wrap">
      <DetailHead variant="small" cover={<UserPlaylistCover playlist={playlist} size="big" />}>
        <p className="eyebrow">
          <Link className="hover:text-text" to={href('/users-playlists')}>
            {t`Playlist`}
          </Link>
          <span className="dot">
            <Trans>
              by{' '}
              <Link className="hover:text-text" to={href('/account/:id', { id: playlist.user.id })}>
                {username}
              </Link>
            </Trans>
          </span>
        </p>
        <h1 className={classNames('mt-2', playlistFontClass(playlist.font, 'heading'))}>{playlist.title}</h1>
        <div className="acts">
          <PlayAll audios={items} source="userPlaylist" rest={rest} listName={playlist.title} />
          <FavoriteButton
            contentTypeId="userPlaylist"
            name={playlist.title}
            subjectId={playlist.id}
            source="userPlaylist"
          />
          {items.length > 0 && <QueueAllButton audios={items} rest={rest} name={playlist.title} />}
          <ShareButton name={playlist.title} />
          <ReportLink about={`user-playlist/${playlist.id}`} />
          {items.length > 0 && <DownloadAllButton name={playlist.title} list={path} />}
        </div>
        <p className="meta tabular-nums mt-5">
          <span>{plural(totalAudios, { one: '# audio', other: '# audios' })}</span>
          <span className="dot">{formatDuration(playlist.totalDuration)}</span>
          <span className="dot">{plural(plays, { one: '# play', other: '# plays' })}</span>
        </p>
        <PodcastLink kind="userPlaylist" subject={playlist.id} />
      </DetailHead>
      <div className="mt-10">
        <ListNote note={note} className="mb-4" />
        {items.length === 0 ? (
          <p className="py-16 text-center text-muted">
            <Trans>No audios</Trans>
          </p>
        ) : (
          <LongList list={list} pages={pages} source="userPlaylist" name={playlist.title} />
        )}
      </div>
    </div>
  );
}

/**
 * Reports the start of an audio from this list; the server decides which plays count.
 * @returns the list’s current number of plays
 */
function useCountPlaylistPlay(playlist: UserPlaylist, audios: readonly AudioItem[]): number {
  const { id, isPublic, title } = playlist;
  const [counted, setCounted] = useState<{ id: string; plays: number }>();
  const reported = useRef<string>(undefined);
  const listName = useListName();
  const playing = usePlayerState((snapshot) => {
    const { current } = snapshot;
    if (current === null || sourceOf(current) !== 'userPlaylist') return undefined;
    return isActive(stateOf(snapshot, current.id)) ? current.id : undefined;
  });
  const started = listName === title && audios.some((audio) => audio.id === playing) ? playing : undefined;

  useEffect(() => {
    if (started === undefined || !isPublic || reported.current === id + started) return;
    reported.current = id + started;
    void answerOf(api['users-playlists'][':id'].play.$post({ param: { id } })).then(
      (answer) => answer.ok && setCounted({ id, plays: answer.data.plays }),
    );
  }, [id, isPublic, started]);

  return counted?.id === id ? counted.plays : playlist.plays;
}
