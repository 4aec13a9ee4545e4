import { href, Link } from 'react-router';
import type { Playlist } from '#domain/catalogue/playlists.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { formatCountOf } from '#web/format.ts';
import { track } from '#web/insight/track.ts';
import { Collage } from '#web/ui/collage.tsx';

type PlaylistCardProps = { playlist: Playlist; source: ContentSource; look: 'rail' | 'grid' };

export function PlaylistCard({ playlist, source, look }: PlaylistCardProps) {
  return (
    <Link
      className="card"
      to={href('/playlists/:slug', { slug: playlist.slug })}
      onClick={() => track('playlist_click', { source, subjectId: playlist.id })}
    >
      <Collage imageUrls={playlist.voiceImages} width={look === 'rail' ? 193 : 237} />
      <p className="card__t c2">{playlist.title}</p>
      <p className="card__s">{formatCountOf(playlist.totalAudios, 'audio')}</p>
    </Link>
  );
}
