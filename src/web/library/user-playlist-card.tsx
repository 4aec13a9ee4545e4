import type { ContentSource } from '#domain/analytics/forms.ts';
import type { UserPlaylistItem } from '#web/list-items.ts';
import { countOf } from '#formats/numbers.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { UserPlaylistCover } from './user-playlist-cover.tsx';

export function UserPlaylistCard({ playlist, source }: { playlist: UserPlaylistItem; source: ContentSource }) {
  return (
    <UserPlaylistCover
      playlist={playlist}
      size="card"
      onOpen={() => logEvent('user_playlist_click', { source, subjectId: playlist.id })}
    >
      <span className="tabular-nums whitespace-nowrap">
        {playlist.isPublic ? countOf(playlist.plays, 'play') : 'Private'}
      </span>
    </UserPlaylistCover>
  );
}
