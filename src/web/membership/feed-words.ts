import { t } from '@lingui/core/macro';
import type { FeedKind } from '#domain/feeds/rules.ts';

/** A subject for a new feed. */
export type FeedChoice = { kind: FeedKind; subject?: string; title: string | null };

/** Contents of a feed. */
export function feedText(kind: FeedKind): string {
  switch (kind) {
    case 'all':
      return t`Every audio, newest first`;
    case 'library':
      return t`The audios that you favorited`;
    case 'voice':
      return t`Every audio of this creator`;
    case 'series':
      return t`Every part, in order`;
    case 'playlist':
    case 'userPlaylist':
      return t`Its audios, also those added later`;
  }
}

/** `Creator: Maren Holt`. @param title null for a deleted subject */
export function feedName({ kind, title }: { kind: FeedKind; title: string | null }): string {
  switch (kind) {
    case 'all':
      return t`Everything`;
    case 'library':
      return t`Your Library`;
    case 'voice':
      return title === null ? t`Creator that is no longer here` : t`Creator: ${title}`;
    case 'series':
      return title === null ? t`Series that is no longer here` : t`Series: ${title}`;
    case 'playlist':
    case 'userPlaylist':
      return title === null ? t`Playlist that is no longer here` : t`Playlist: ${title}`;
  }
}
