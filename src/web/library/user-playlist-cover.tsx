import { plural, t } from '@lingui/core/macro';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import type { ContentSource } from '#domain/analytics/forms.ts';
import type { PlaylistBackground, PlaylistFont } from '#domain/library/rules.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import type { UserPlaylistItem } from '#web/list-items.ts';
import { Avatar } from '#web/ui/images/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { CoverGlyph } from '#web/ui/images/glyph.tsx';

export const playlistBackgroundClass: Record<PlaylistBackground, string> = {
  'Pink to Blue': 'bg-pink-blue',
  'Blue to Green': 'bg-blue-green',
  'Pink to Orange': 'bg-pink-orange',
  'Purple to Blue': 'bg-purple-blue',
  'Blue to Orange': 'bg-blue-orange',
};

const fonts: Record<PlaylistFont, string> = {
  'Helvetica Neue': 'font-helvetica font-bold tracking-[-0.02em]',
  'Lora Bold': 'font-lora font-bold tracking-[-0.01em]',
  'Playfair Display Semibold': 'font-playfair font-semibold',
  'Teko Regular': 'font-teko leading-[0.98] font-normal tracking-[0.01em]',
};

// Teko is narrow and low, so it is set larger.
const tekoSizes = {
  cover: 'line-clamp-2 text-[2.625rem] max-md:text-[1.875rem]',
  heading: 'text-[calc(var(--fs-60)*1.32)]',
  sample: 'text-[1.32em]',
};
const otherSizes = { cover: '', heading: 'text-60', sample: '' };

export function playlistFontClass(font: PlaylistFont, place: 'cover' | 'heading' | 'sample'): string {
  return classNames(fonts[font], (font === 'Teko Regular' ? tekoSizes : otherSizes)[place]);
}

export function UserPlaylistCard({ playlist, source }: { playlist: UserPlaylistItem; source: ContentSource }) {
  const { plays } = playlist;
  return (
    <UserPlaylistCover
      playlist={playlist}
      size="card"
      onOpen={() => logEvent('user_playlist_click', { source, subjectId: playlist.id })}
    >
      <span className="tabular-nums whitespace-nowrap">
        {playlist.isPublic ? plural(plays, { one: '# play', other: '# plays' }) : t`Private`}
      </span>
    </UserPlaylistCover>
  );
}

type UserPlaylistCoverProps = {
  playlist: Pick<UserPlaylist, 'id' | 'title' | 'background' | 'font' | 'user'>;
  size: 'card' | 'big';
  /** Called when the card’s link is followed; without it the card has no links. */
  onOpen?: () => void;
  children?: ReactNode;
};

export function UserPlaylistCover({ playlist, size, onOpen, children }: UserPlaylistCoverProps) {
  const { user } = playlist;
  const { username } = user;
  const box = useRef<HTMLDivElement>(null);
  // Each font is a file: covers further down load theirs only when scrolled into view.
  const isSeen = useSeen(box);
  const owner = (
    <>
      <Avatar name={user.icon ?? username} color={user.color} />
      <span className="truncate">{username}</span>
    </>
  );
  const hasFont = size === 'big' || isSeen;
  return (
    <div
      ref={box}
      className={classNames(
        'user-playlist',
        playlistBackgroundClass[playlist.background],
        size === 'big' && 'user-playlist--big',
      )}
    >
      <CoverGlyph />
      <b className={hasFont ? playlistFontClass(playlist.font, 'cover') : undefined}>
        {onOpen ? (
          <Link className="user-playlist__link" to={href('/users-playlists/:id', { id: playlist.id })} onClick={onOpen}>
            {playlist.title}
          </Link>
        ) : (
          playlist.title
        )}
      </b>
      <small>
        {onOpen ? (
          <Link className="user-playlist__by" to={href('/account/:id', { id: user.id })} aria-label={t`By ${username}`}>
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

/** True once the element has been in or close to the view; never false again. */
function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (isSeen || element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsSeen(true),
      {
        rootMargin: '200px',
      },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isSeen]);
  return isSeen;
}
