import type { ReactNode } from 'react';
import { useRef } from 'react';
import { href, Link } from 'react-router';
import type { PlaylistBackground, PlaylistFont } from '#domain/library/rules.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { CoverGlyph } from '#web/ui/glyph.tsx';
import { useSeen } from './use-seen.ts';

/** The class that paints a playlist's own background. */
export const playlistBackgroundClass: Record<PlaylistBackground, string> = {
  'Pink to Blue': 'g-pink-blue',
  'Blue to Green': 'g-blue-green',
  'Pink to Orange': 'g-pink-orange',
  'Purple to Blue': 'g-purple-blue',
  'Blue to Orange': 'g-blue-orange',
};

/** The class that sets a text in a playlist's own font. */
export const playlistFontClass: Record<PlaylistFont, string> = {
  'Helvetica Neue': 'f-helvetica',
  'Lora Bold': 'f-lora',
  'Playfair Display Semibold': 'f-playfair',
  'Teko Regular': 'f-teko',
};

type UserPlaylistCoverProps = {
  playlist: Pick<UserPlaylist, 'id' | 'title' | 'background' | 'font' | 'user'>;
  size: 'card' | 'big';
  /** Called when the card's own link is followed; without it there are no links in it. */
  onOpen?: () => void;
  /** Beside the name of whom it belongs to. */
  children?: ReactNode;
};

export function UserPlaylistCover({ playlist, size, onOpen, children }: UserPlaylistCoverProps) {
  const { user } = playlist;
  const box = useRef<HTMLDivElement>(null);
  // Each font is a file: a cover at the foot of a page costs it only when it is come to.
  const isSeen = useSeen(box);
  const owner = (
    <>
      <Avatar name={user.icon ?? user.username} color={user.color} />
      <span className="trunc">{user.username}</span>
    </>
  );
  const hasFont = size === 'big' || isSeen;
  return (
    <div
      ref={box}
      className={classNames('upl', playlistBackgroundClass[playlist.background], size === 'big' && 'upl--big')}
    >
      <CoverGlyph />
      <b className={hasFont ? playlistFontClass[playlist.font] : undefined}>
        {onOpen ? (
          <Link className="upl__l" to={href('/users-playlists/:id', { id: playlist.id })} onClick={onOpen}>
            {playlist.title}
          </Link>
        ) : (
          playlist.title
        )}
      </b>
      <small>
        {onOpen ? (
          <Link className="upl__by" to={href('/account/:id', { id: user.id })} aria-label={`By ${user.username}`}>
            {owner}
          </Link>
        ) : (
          owner
        )}
        {children}
      </small>
    </div>
  );
}
