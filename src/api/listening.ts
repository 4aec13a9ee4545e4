import { z } from '@hono/zod-openapi';
import { contentSources } from '#domain/analytics/forms.ts';
import {
  CounterReport,
  counterTypes,
  isSecondsType,
  keptReasons,
  ProgressKey,
  ProgressValue,
  ReportTimes,
} from '#domain/listening/forms.ts';
import { keptReasonOf, playlistInSource } from '#domain/listening/play-sources.ts';
import { notedTime } from '#domain/listening/rules.ts';
import type { Site } from '#domain/site.ts';
import { call, callBy } from './call.ts';
import { found } from './found.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { AudioResponse, idOrSlug, pageOf, PageQuery } from './schemas.ts';

/** The form's refinement as JSON Schema: reports of seconds need a value. */
const DescribedCounterReport = CounterReport.describe('A listen, or seconds heard').openapi('CounterReport', {
  oneOf: [
    { properties: { type: { enum: counterTypes.filter((type) => !isSecondsType(type)) } }, required: ['type'] },
    { properties: { type: { enum: counterTypes.filter(isSecondsType) } }, required: ['type', 'value'] },
  ],
});

const HistoryResponse = z
  .object({
    currentlyListening: z.record(z.uuid(), z.number()).describe('Seconds into each audio'),
    listenCounter: z.record(z.uuid(), z.number()),
    completed: z.array(z.uuid()).describe('Audios heard to the end and not started again since'),
    played30sCounter: z.record(z.uuid(), z.number()),
    recentlySearch: z.array(z.string()).describe('The ten terms searched for last, the last first'),
    playingElsewhere: z
      .object({
        device: z.string().describe('Such as “Chrome on Android”'),
        audioId: z.uuid(),
        secondsAgo: z.number().int().describe('Since its last report: a player reports every ten seconds'),
      })
      .nullable()
      .describe('Another device of the user that plays now'),
  })
  .openapi('History');

const HistoryItemResponse = z
  .object({
    audio: AudioResponse,
    lastListenedAt: Instant,
    listens: z.number(),
    seconds: z.number().nullable().describe('Where to go on; null where it is not in progress'),
  })
  .openapi('HistoryItem');

const HeardAudio = z.object({
  number: z.number().int().nullable().describe('Public number, by which suggestions are found; null until it has one'),
  id: z.uuid(),
  title: z.string(),
  language: z.string(),
  tags: z.array(z.string()).describe('Slugs'),
  at: Instant.describe('Heard last, or made a favorite'),
  listens: z.number(),
  isFinished: z.boolean(),
  isFavorite: z.boolean(),
});

/**
 * Calls of a user per minute, on all devices: well above a player that seeks constantly. Positions are cheap, because
 * they are written in batches.
 */
const ofPlaces = { kind: 'place', perMinute: 6000 };
const userCall = callBy('user', { limit: { kind: 'history', perMinute: 600 }, maxBytes: 32 * 1024 });

export const playAudio = call({
  get: '/audios/play/{id}',
  about: 'Counts a play, at most one per listener in the time the audio lasts',
  params: idOrSlug,
  query: z.object({
    source: z
      .string()
      .max(200)
      .optional()
      .describe(
        `The list that it was started from; counted for creators when it is one of ${contentSources.join(', ')}, or playlist: and the id of a playlist of the site, or audio_details: and why playback went on by itself: ${keptReasons.join(', ')}`,
      ),
    ...ReportTimes.shape,
  }),
  output: z.object({
    counted: z.boolean(),
    plays: z.number(),
    number: HeardAudio.shape.number,
    tags: HeardAudio.shape.tags,
  }),
  refuses: { 'login-required': 'auth/login-required', 'subscription-required': 'subscription/required' },
  head: false,
  limit: { kind: 'play', perMinute: 600 },
  cache: 'private, no-store',
  act({ site, viewer, id, query: { source, ...times }, address }) {
    const tag = contentSources.find((one) => one === source);
    const known = playlistInSource(source) ?? (keptReasonOf(source) ? source : tag);
    // Plays keep no order, so even a small error of the clock is corrected: it would swallow a repeated play.
    const notedAt = notedTime(times, new Date(), 0);
    return site.listening.playAudio(viewer, id, address, known, notedAt);
  },
});

export const findHistory = userCall({
  get: '/history/me',
  about: 'Places and counters by audio, the newest thousand of each',
  output: HistoryResponse,
  async act({ site: { listening }, viewer, session: { sessionId } }) {
    const [history, playingElsewhere = null] = await Promise.all([
      listening.findHistory(viewer.id),
      listening.findPlayingElsewhere(viewer.id, sessionId),
    ]);
    return { ...history, playingElsewhere };
  },
});

export const listHeardAudios = userCall({
  get: '/history/me/heard',
  about: 'What a device puts suggestions together from: the newest 500 audios heard, and 200 favorites',
  output: z.object({ items: z.array(HeardAudio).describe('The newest first') }),
  act: async ({ site, viewer }) => ({ items: await site.library.listHeardAudios(viewer.id) }),
});

export const clearHistory = userCall({
  delete: '/history/me',
  about: 'Deletes the whole history; counts of the site stay',
  async act({ site: { library, listening }, viewer: { id } }) {
    await Promise.all([listening.clearHistory(id), library.forgetQueuePosition(id)]);
  },
});

export const listHistory = userCall({
  get: '/history/me/items',
  about: 'Listening history, most recent first',
  query: PageQuery,
  output: pageOf(HistoryItemResponse),
  act: ({ site, viewer, query }) => site.listening.listHistory(viewer.id, query),
});

export const removeFromHistory = userCall({
  delete: '/history/me/items/{id}',
  about: 'Forgets one audio: its place and its counters',
  async act({ site: { library, listening }, viewer, id }) {
    await Promise.all([listening.removeFromHistory(viewer.id, id), library.forgetQueuePosition(viewer.id, id)]);
  },
});

export const increaseCounter = userCall({
  post: '/history/me/increase-counter',
  about: 'Counts a listen or seconds heard',
  input: DescribedCounterReport,
  output: z.object({
    counted: z
      .number()
      .describe(
        'Less than was told where that is too much, where it was told before, or where this listener may not hear the audio',
      ),
  }),
  errors: ['request/not-found'],
  limit: { kind: 'counter', perMinute: 600 },
  act: ({ site, viewer, input }) => site.listening.increaseCounter(viewer, input),
});

export const saveProgress = userCall({
  post: '/history/me/value',
  about: 'Saves the position in an audio',
  input: ProgressValue,
  output: z.object({
    seconds: z.number().describe('At most the duration; a place that was noted later and is kept already stays'),
    takenOver: z.boolean().describe('Another device took over with “Play here”: this one pauses; reported once'),
  }),
  errors: ['request/not-found'],
  limit: ofPlaces,
  place: 'none',
  async act({ site: { listening }, viewer, session: { sessionId }, input: { id, seconds, isPlaying, ...times } }) {
    const notedAt = notedTime(times, new Date());
    const [saved, takenOver = false] = await Promise.all([
      listening.saveProgress(viewer.id, id, seconds, notedAt),
      isPlaying === undefined
        ? undefined
        : listening.notePlaying({ userId: viewer.id, sessionId, audioId: id, isPlaying, notedAt }),
    ]);
    return { seconds: found(saved), takenOver };
  },
});

export const takeOverPlaying = userCall({
  post: '/history/me/play-here',
  about: 'Continues the playback of another device of the user, which then pauses',
  output: z.object({
    playing: z
      .object({ audioId: z.uuid(), seconds: z.number() })
      .nullable()
      .describe('What played there, and its place; null where nothing plays there any more'),
  }),
  async act({ site, viewer, session: { sessionId } }) {
    const taken = await site.listening.takeOverPlaying(viewer.id, sessionId);
    return { playing: taken === undefined ? null : await playingNow(site, viewer.id, taken) };
  },
});

export const removeProgress = userCall({
  delete: '/history/me/value',
  about: 'Forgets the place in an audio, as when it was heard to its end',
  input: ProgressKey,
  limit: ofPlaces,
  place: 'none',
  act: ({ site, viewer, input: { id, ...times } }) =>
    site.listening.removeProgress(viewer.id, id, notedTime(times, new Date())),
});

export const listRecentActivity = userCall({
  get: '/user/recent-activity',
  about: 'The twenty audios listened to last',
  output: z.object({ items: z.array(z.object({ audio: AudioResponse, at: Instant })).describe('The last first') }),
  act: async ({ site, viewer }) => ({ items: await site.listening.listRecentActivity(viewer) }),
});

/** After the end of an audio, the saved queue names the next one earlier than a report does. */
async function playingNow(
  { library, listening }: Site,
  userId: string,
  { audioId, seconds }: { audioId: string; seconds: number | null },
) {
  if (seconds !== null) return { audioId, seconds };
  const { list } = (await library.findQueue(userId)).queue;
  const next = list.find(({ id }) => id !== audioId)?.id ?? audioId;
  return { audioId: next, seconds: (await listening.findPlace(userId, next)) ?? 0 };
}
