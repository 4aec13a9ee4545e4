import { z } from 'zod';
import type { Feature } from './rules.ts';
import type { Setting } from './setting.ts';

const on = z.boolean().default(true);

export const Features = z.object({
  /** New accounts; existing ones keep working. */
  signUp: on,
  comments: on,
  /** Listeners make playlists, and public ones are shown. */
  userPlaylists: on,
  /** Purchase of gift cards; existing cards can still be redeemed and refunded. */
  giftCards: on,
  blog: on,
  /** Private feeds of subscribers for podcast apps. Off: their addresses answer not-found. */
  privateFeeds: on,
  /** Notifications about new content. Off: nobody is notified, and nothing is queued for later. */
  news: on,
  /** Frames of audios and series on other sites. Off: they show nothing, and oEmbed does not name them. */
  embeds: on,
  /** Parts of free audios that listeners share. Off: their pages answer not-found. */
  clips: on,
} satisfies Record<Feature, typeof on>);
export type Features = z.infer<typeof Features>;

export const featureSetting = { key: 'features', schema: Features } satisfies Setting;
