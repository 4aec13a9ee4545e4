import { plural } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import type { PlaylistItem } from '../../list-items.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { logEvent } from '../../analytics/log-event.ts';
import { Collage } from '#web/ui/images/collage.tsx';

type PlaylistCardProps = { playlist: PlaylistItem; source: ContentSource; variant: 'rail' | 'grid' };

export function PlaylistCard({ playlist, source, variant }: PlaylistCardProps) {
  const { totalAudios } = playlist;
  return (
    <Link
      className="card"
      to={href('/playlists/:slug', { slug: playlist.slug })}
      onClick={() => logEvent('playlist_click', { source, subjectId: playlist.id })}
    >
      <Collage imageUrls={playlist.voiceImages} width={variant === 'rail' ? 193 : 237} />
      <p className="card__title line-clamp-2">{playlist.title}</p>
      <p className="card__line">{plural(totalAudios, { one: '# audio', other: '# audios' })}</p>
    </Link>
  );
}
