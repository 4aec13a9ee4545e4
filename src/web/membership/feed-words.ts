import type { FeedKind } from '#domain/feeds/rules.ts';

/** A subject for a new feed. */
export type FeedChoice = { kind: FeedKind; subject?: string; title: string | null };

const kindNames: Record<FeedKind, string> = {
  all: 'Everything',
  library: 'Your Library',
  voice: 'Creator',
  series: 'Series',
  playlist: 'Playlist',
  userPlaylist: 'Playlist',
};

const kindTexts: Record<FeedKind, string> = {
  all: 'Every audio, newest first',
  library: 'The audios that you favorited',
  voice: 'Every audio of this creator',
  series: 'Every part, in order',
  playlist: 'Its audios, also those added later',
  userPlaylist: 'Its audios, also those added later',
};

/** `Creator: Maren Holt`. @param title null for a deleted subject */
export function feedName({ kind, title }: { kind: FeedKind; title: string | null }): string {
  if (kind === 'all' || kind === 'library') return kindNames[kind];
  return title === null ? `${kindNames[kind]} that is no longer here` : `${kindNames[kind]}: ${title}`;
}

export function feedText(kind: FeedKind): string {
  return kindTexts[kind];
}
