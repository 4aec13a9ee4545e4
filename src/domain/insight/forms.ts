import { z } from 'zod';

/** What JSON in PostgreSQL can hold: no NUL, no half of a character. */
const Text = z
  .string()
  .max(200)
  .refine((text) => !/[\0\p{Surrogate}]/u.test(text), 'must be plain text');

/** PostgreSQL writes numbers out in full: 1e308 would be 309 digits. */
const Figure = z.number().refine((number) => !String(number).includes('e'), 'must be a number of ordinary size');

/** Characters; `insight_events` takes 2,000, in which each of the at most 8 properties has two more spaces. */
const largestProperties = 1980;

/** The events of spec §7, by name. */
export const eventNames = [
  'screen_viewed',
  'play_click',
  'pause_click',
  'audio_played',
  'category_played',
  'voice_played',
  'audio_time',
  'play_previous',
  'play_next',
  'seek_15s_back',
  'seek_15s_forward',
  'seek_to_position',
  'share_audio',
  'favorite_click',
  'unfavorite_click',
  'global_search_click',
  'audio_click',
  'category_click',
  'voice_click',
  'playlist_click',
  'user_playlist_click',
  'global_voices_click',
  'global_categories_click',
  'global_about_click',
  'global_favorites_click',
  'create_payment',
  'create_payment_error',
  'create_subscription',
  'create_subscription_error',
  'create_subscription_done',
  'player_error',
] as const;
export type EventName = (typeof eventNames)[number];

/** Where something was met: the content-source tags of spec §7. */
export const contentSources = [
  'homepage',
  'queue',
  'search',
  'audio_details',
  'category',
  'categories',
  'favorites',
  'playlist',
  'playlists',
  'voices',
  'preview',
  'series',
  'voice_profile',
  'userProfile',
  'userPlaylist',
  'audio_dynamic_link',
  'voice_dynamic_link',
  'blog',
] as const;
export type ContentSource = (typeof contentSources)[number];

export const InsightEvent = z.object({
  name: z.enum(eventNames),
  source: z.enum(contentSources).optional(),
  /** Id of the audio, voice, category or playlist it is about. */
  subjectId: z.uuid().optional(),
  properties: z
    .record(z.string().regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/), z.union([Text, Figure, z.boolean()]))
    .refine((properties) => Object.keys(properties).length <= 8, 'at most 8 properties')
    .refine((properties) => JSON.stringify(properties).length <= largestProperties, 'too much in the properties')
    .optional(),
});
export type InsightEvent = z.infer<typeof InsightEvent>;

export const InsightReport = z.object({ events: z.array(InsightEvent).min(1).max(50) });
