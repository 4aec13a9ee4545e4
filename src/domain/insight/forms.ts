import { z } from 'zod';

/** What JSON in PostgreSQL can hold: no NUL, no half of a character. */
const Word = z
  .string()
  .max(200)
  .refine((text) => !/[\0\p{Surrogate}]/u.test(text), 'must be plain text');

/** PostgreSQL writes numbers out in full: 1e308 would be 309 digits. */
const Figure = z.number().refine((number) => !String(number).includes('e'), 'must be a number of ordinary size');

/** Characters; `insight_events` takes 2,000, in which each property has two more spaces. */
const largestProperties = 1980;

/** Seconds into the audio. */
const played = { position: Figure };
const nothing = {};
/** Of a search: what kind of thing was chosen, and which from the top. */
const found = { kind: Word, place: Figure };
const paying = { period: Word };
const refused = { code: Word };

/** The events of spec §7 by name, each with all that it may tell; `player_error` is the one of ours. */
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
/** What an event may tell beside what it is about; each part may be missing. */
export type EventProperties<Name extends EventName> = keyof EventTable[Name] extends never
  ? Record<string, never>
  : { [Key in keyof EventTable[Name]]?: z.infer<EventTable[Name][Key]> };

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

export const eventNames = Object.keys(eventTable) as [EventName, ...EventName[]];

const shapes = Object.fromEntries(
  Object.entries(eventTable).map(([name, properties]) => [name, z.strictObject(properties).partial()]),
) as unknown as Record<EventName, z.ZodType<Record<string, string | number>>>;

/** An event as it comes over HTTP; its properties are held to its line of the table. */
export const InsightEvent = z
  .object({
    name: z.enum(eventNames),
    source: z.enum(contentSources).optional(),
    /** Id of the audio, voice, category or playlist it is about. */
    subjectId: z.uuid().optional(),
    properties: z.record(z.string().max(40), z.union([Word, Figure])).optional(),
  })
  .superRefine(({ name, properties }, context) => {
    if (properties === undefined) return;
    const { error } = shapes[name].safeParse(properties);
    for (const { message, path } of error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: ['properties', ...path] });
    if (JSON.stringify(properties).length > largestProperties)
      context.addIssue({ code: 'custom', message: 'too much', path: ['properties'] });
  });
export type InsightEvent = z.infer<typeof InsightEvent>;

export const InsightReport = z.object({ events: z.array(InsightEvent).min(1).max(50) });

/** Whether the listener's events may carry their id. */
export const InsightConsent = z.object({ consent: z.boolean() });
