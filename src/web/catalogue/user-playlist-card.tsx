import type { ContentSource } from '#domain/insight/forms.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { formatCountOf } from '#web/format.ts';
import { track } from '#web/insight/track.ts';
import { UserPlaylistCover } from '#web/library/user-playlist-cover.tsx';

export function UserPlaylistCard({ playlist, source }: { playlist: UserPlaylist; source: ContentSource }) {
  return (
    <UserPlaylistCover
      playlist={playlist}
      size="card"
      onOpen={() => track('user_playlist_click', { source, subjectId: playlist.id })}
    >
      <span className="num whitespace-nowrap">
        {playlist.isPublic ? formatCountOf(playlist.plays, 'play') : 'Private'}
      </span>
    </UserPlaylistCover>
  );
}
