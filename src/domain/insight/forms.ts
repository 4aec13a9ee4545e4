import { z } from 'zod';

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
    .record(
      z.string().regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/),
      z.union([
        z
          .string()
          .max(200)
          .refine((text) => !text.includes('\0')),
        z.number(),
        z.boolean(),
      ]),
    )
    .refine((properties) => Object.keys(properties).length <= 8, 'at most 8 properties')
    .optional(),
});
export type InsightEvent = z.infer<typeof InsightEvent>;

export const InsightReport = z.object({ events: z.array(InsightEvent).min(1).max(50) });
