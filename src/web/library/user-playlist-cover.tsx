import type { ReactNode } from 'react';
import { useRef } from 'react';
import type { PlaylistBackground, PlaylistFont } from '#domain/library/rules.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { CoverGlyph } from '#web/ui/glyph.tsx';
import { useSeen } from './use-seen.ts';

const backgrounds: Record<PlaylistBackground, string> = {
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
  playlist: Pick<UserPlaylist, 'title' | 'background' | 'font' | 'user'>;
  size: 'card' | 'big';
  /** Beside the name of whom it belongs to. */
  children?: ReactNode;
};

export function UserPlaylistCover({ playlist, size, children }: UserPlaylistCoverProps) {
  const { user } = playlist;
  const box = useRef<HTMLDivElement>(null);
  // Each font is a file: a cover at the foot of a page costs it only when it is come to.
  const isSeen = useSeen(box);
  const hasFont = size === 'big' || isSeen;
  return (
    <div ref={box} className={classNames('upl', backgrounds[playlist.background], size === 'big' && 'upl--big')}>
      <CoverGlyph />
      <b className={hasFont ? playlistFontClass[playlist.font] : undefined}>{playlist.title}</b>
      <small>
        <Avatar name={user.icon ?? user.username} color={user.color} />
        <span className="trunc">{user.username}</span>
        {children}
      </small>
    </div>
  );
}
