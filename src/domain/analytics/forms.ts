import { z } from 'zod';
import { i18n } from '#i18n';
import { isPlain, notPlain, tooLong } from '../kernel/forms.ts';

const Word = z.string().max(200).refine(isPlain, notPlain);

/** PostgreSQL writes numbers without an exponent: 1e308 would take 309 digits. */
const Figure = z.number().refine((number) => !String(number).includes('e'), {
  error: () => i18n._(/*i18n*/ { id: 'event-form.number', message: 'Use a number of ordinary size' }),
});

/** Characters; the column's limit of 2,000 includes two spaces that PostgreSQL adds per property. */
const largestProperties = 1980;

/** Seconds into the audio. */
const played = { position: Figure };
const nothing = {};
/** Search result: the kind of item chosen, and its rank. */
const found = { kind: Word, place: Figure };
const paying = { period: Word };
const refused = { code: Word };

/** The events of spec §7 by name, with their allowed properties; `player_error` is our addition. */
export const eventTable = {
  screen_viewed: { screen: Word },
  play_click: played,
  pause_click: played,
  audio_played: played,
  category_played: nothing,
  voice_played: nothing,
  audio_time: { seconds: Figure, voiceId: Word },
  play_previous: played,
  play_next: played,
  seek_15s_back: played,
  seek_15s_forward: played,
  seek_to_position: played,
  share_audio: nothing,
  favorite_click: nothing,
  unfavorite_click: nothing,
  global_search_click: found,
  audio_click: nothing,
  category_click: nothing,
  voice_click: nothing,
  playlist_click: nothing,
  user_playlist_click: nothing,
  global_voices_click: nothing,
  global_categories_click: nothing,
  global_about_click: nothing,
  global_favorites_click: nothing,
  create_payment: nothing,
  create_payment_error: refused,
  create_subscription: paying,
  create_subscription_error: refused,
  create_subscription_done: paying,
  player_error: { code: Word, position: Figure },
} satisfies Record<string, Record<string, z.ZodType>>;

type EventTable = typeof eventTable;
export type EventName = keyof EventTable;
/** Optional properties of an event. */
export type EventProperties<Name extends EventName> = keyof EventTable[Name] extends never
  ? Record<string, never>
  : { [Key in keyof EventTable[Name]]?: z.infer<EventTable[Name][Key]> };

/** Content-source tags of spec §7; `embed`, a frame on another site, is our addition. */
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
  'embed',
] as const;
/** Playlists of the site can also send their id, and kept playing its reason, for figures. Events keep the tag only. */
export type ContentSource = (typeof contentSources)[number] | `playlist:${string}` | `audio_details:${string}`;

export const eventNames = Object.keys(eventTable) as [EventName, ...EventName[]];

const shapes = Object.fromEntries(
  Object.entries(eventTable).map(([name, properties]) => [name, z.strictObject(properties).partial()]),
) as unknown as Record<EventName, z.ZodType<Record<string, string | number>>>;

/** An event as sent over HTTP; its properties are checked against its row of the table. */
export const AnalyticsEvent = z
  .object({
    name: z.enum(eventNames),
    source: z.enum(contentSources).optional(),
    /** Id of the audio, voice, category or playlist. */
    subjectId: z.uuid().optional(),
    properties: z.record(z.string().max(40), z.union([Word, Figure])).optional(),
  })
  .superRefine(({ name, properties }, context) => {
    if (properties === undefined) return;
    const { error } = shapes[name].safeParse(properties);
    for (const { message, path } of error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: ['properties', ...path] });
    if (JSON.stringify(properties).length > largestProperties)
      context.addIssue({ code: 'custom', message: tooLong(largestProperties).error(), path: ['properties'] });
  });
export type AnalyticsEvent = z.infer<typeof AnalyticsEvent>;

export const AnalyticsReport = z.object({ events: z.array(AnalyticsEvent).min(1).max(50) });

/** Whether events may carry the listener's id. */
export const AnalyticsConsent = z.object({ consent: z.boolean() });
