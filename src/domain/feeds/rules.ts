/** `playlist` is made by the site, `userPlaylist` by a listener. */
export const feedKinds = ['all', 'voice', 'series', 'library', 'playlist', 'userPlaylist'] as const;
export type FeedKind = (typeof feedKinds)[number];

/** Feeds of a whole user or site; the others are about one subject. */
export function hasSubject(kind: FeedKind): boolean {
  return kind !== 'all' && kind !== 'library';
}

/** Occasions for an audio of the creator: at the beginning, after a failed payment, and after the last day. */
export const feedRecordings = ['welcome', 'payment', 'farewell'] as const;
export type FeedRecording = (typeof feedRecordings)[number];

/** Feeds of one user. */
export const maxFeeds = 30;

/** Items of one feed. */
export const maxEpisodes = 2000;

/** 24 random bytes in base64url. */
export const feedToken = /^[A-Za-z0-9_-]{32}$/;

/**
 * Podcast apps that open a feed by their own URL scheme. All open on the device: none sends the address to a web page
 * of the app.
 * @param address of the feed, with its scheme
 */
export function podcastApps(address: string): { name: string; url: string }[] {
  const rest = address.replace(/^https?:\/\//, '');
  return [
    { name: 'Apple Podcasts', url: `podcast://${rest}` },
    { name: 'Pocket Casts', url: `pktc://subscribe/${rest}` },
    { name: 'Overcast', url: `overcast://x-callback-url/add?url=${encodeURIComponent(address)}` },
    { name: 'AntennaPod', url: `antennapod-subscribe://${rest}` },
  ];
}
