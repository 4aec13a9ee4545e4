import type { FeedKind } from '#domain/feeds/rules.ts';

/** A subject for a new feed. */
export type FeedChoice = { kind: FeedKind; subject?: string; title: string | null };

const playlist = { name: 'Playlist', text: 'Its audios, also those added later' };
export const feedKinds: Record<FeedKind, { name: string; text: string }> = {
  all: { name: 'Everything', text: 'Every audio, newest first' },
  library: { name: 'Your Library', text: 'The audios that you favorited' },
  voice: { name: 'Creator', text: 'Every audio of this creator' },
  series: { name: 'Series', text: 'Every part, in order' },
  playlist,
  userPlaylist: playlist,
};

/** `Creator: Maren Holt`. @param title null for a deleted subject */
export function feedName({ kind, title }: { kind: FeedKind; title: string | null }): string {
  const { name } = feedKinds[kind];
  if (kind === 'all' || kind === 'library') return name;
  return title === null ? `${name} that is no longer here` : `${name}: ${title}`;
}
