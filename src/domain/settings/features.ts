import { z } from 'zod';
import type { Feature } from './rules.ts';
import type { Setting } from './setting.ts';

const on = z.boolean().default(true);

export const Features = z.object({
  /** New accounts. Those that exist go on. */
  signUp: on,
  comments: on,
  /** Listeners make lists, and public ones are shown. */
  userPlaylists: on,
  /** Buying; a card that was bought can be redeemed and refunded. */
  giftCards: on,
  blog: on,
  /** Feeds of subscribers for their podcast apps. Off: their addresses answer nothing. */
  privateFeeds: on,
  /** Listeners are told of what is new. Off: nobody is, and nothing is kept back for later. */
  news: on,
} satisfies Record<Feature, typeof on>);
export type Features = z.infer<typeof Features>;

export const featureSetting = { key: 'features', schema: Features } satisfies Setting;
