import { createRoute, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { contentSources } from '#domain/analytics/forms.ts';
import {
  CounterReport,
  counterTypes,
  isSecondsType,
  ProgressKey,
  ProgressValue,
  ReportTimes,
} from '#domain/listening/forms.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limits/limit-body.ts';
import type { ApiEnv } from './api-env.ts';
import { batched } from './places.ts';
import { inOrder, limitAccount, limitClient, loggedInOnly, personal } from './guards.ts';
import {
  AudioResponse,
  ErrorResponse,
  failures,
  idOrSlug,
  json,
  jsonBody,
  optionalSession,
  ownId,
  PageQuery,
  pageOf,
  refusals,
  unauthorized,
  writeRefusals,
} from '#api/schemas.ts';

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
    lastListenedAt: z.iso.datetime(),
    listens: z.number(),
    seconds: z.number().nullable().describe('Where to go on; null where it is not in progress'),
  })
  .openapi('HistoryItem');

/** HEAD must not count a play. */
const refuseHead: MiddlewareHandler<ApiEnv> = async (context, next) =>
  context.req.method === 'HEAD' ? errorResponse('request/method-not-allowed', undefined, { allow: 'GET' }) : next();

/**
 * Calls of a user per minute, on all devices: well above a player that seeks constantly. Positions are cheap, because
 * they are written in batches.
 */
const limits = {
  history: limitAccount('history', 600),
  counter: limitAccount('counter', 600),
  place: limitAccount('place', 6000),
};
const bodyLimit = limitBody(32 * 1024);
const history = inOrder(personal, loggedInOnly, limits.history, bodyLimit);
const place = inOrder(personal, loggedInOnly, limits.place, batched, bodyLimit);

export const playAudio = createRoute({
  method: 'get',
  path: '/audios/play/{id}',
  security: optionalSession,
  middleware: inOrder(personal, refuseHead, limitClient('play', 600)),
  tags: ['Listening'],
  summary: 'Counts a play, at most one per listener in the time the audio lasts',
  request: {
    params: idOrSlug,
    query: z.object({
      source: z
        .string()
        .max(200)
        .optional()
        .describe(
          `The list that it was started from; counted for creators when it is one of ${contentSources.join(', ')}, or playlist: and the id of a playlist of the site`,
        ),
      ...ReportTimes.shape,
    }),
  },
  responses: {
    200: json(z.object({ counted: z.boolean(), plays: z.number() }), 'What was counted, and the plays now'),
    401: unauthorized,
    402: json(ErrorResponse, 'Subscribe first'),
    429: refusals[429],
    ...failures,
  },
});

export const findHistory = createRoute({
  method: 'get',
  path: '/history/me',
  middleware: history,
  tags: ['Listening'],
  summary: 'Places and counters by audio, the newest thousand of each',
  responses: { 200: json(HistoryResponse, 'History'), ...refusals },
});

export const clearHistory = createRoute({
  method: 'delete',
  path: '/history/me',
  middleware: history,
  tags: ['Listening'],
  summary: 'Deletes the whole history; counts of the site stay',
  responses: { 204: { description: 'Forgotten' }, ...refusals },
});

export const listHistory = createRoute({
  method: 'get',
  path: '/history/me/items',
  middleware: history,
  tags: ['Listening'],
  summary: 'Listening history, most recent first',
  request: { query: PageQuery },
  responses: { 200: json(pageOf(HistoryItemResponse), 'A page'), ...refusals, 400: failures[400] },
});

export const removeFromHistory = createRoute({
  method: 'delete',
  path: '/history/me/items/{id}',
  middleware: history,
  tags: ['Listening'],
  summary: 'Forgets one audio: its place and its counters',
  request: { params: ownId },
  responses: { 204: { description: 'Forgotten' }, ...refusals, 400: failures[400] },
});

export const increaseCounter = createRoute({
  method: 'post',
  path: '/history/me/increase-counter',
  middleware: inOrder(personal, loggedInOnly, limits.counter, bodyLimit),
  tags: ['Listening'],
  summary: 'Counts a listen or seconds heard',
  request: { body: jsonBody(DescribedCounterReport) },
  responses: {
    200: json(
      z.object({ counted: z.number() }),
      'What was counted: less than was told where that is too much, where it was told before, or where this listener may not hear the audio',
    ),
    ...writeRefusals,
    ...failures,
  },
});

export const saveProgress = createRoute({
  method: 'post',
  path: '/history/me/value',
  middleware: place,
  tags: ['Listening'],
  summary: 'Saves the position in an audio',
  request: { body: jsonBody(ProgressValue) },
  responses: {
    200: json(
      z.object({
        seconds: z.number(),
        takenOver: z.boolean().describe('Another device took over with “Play here”: this one pauses; reported once'),
      }),
      'The place, at most the duration; one that was noted later and is kept already stays',
    ),
    ...writeRefusals,
    ...failures,
  },
});

export const takeOverPlaying = createRoute({
  method: 'post',
  path: '/history/me/play-here',
  middleware: history,
  tags: ['Listening'],
  summary: 'Continues the playback of another device of the user, which then pauses',
  responses: {
    200: json(
      z.object({ playing: z.object({ audioId: z.uuid(), seconds: z.number() }).nullable() }),
      'What played there, and its place; null where nothing plays there any more',
    ),
    ...refusals,
  },
});

export const removeProgress = createRoute({
  method: 'delete',
  path: '/history/me/value',
  middleware: place,
  tags: ['Listening'],
  summary: 'Forgets the place in an audio, as when it was heard to its end',
  request: { body: jsonBody(ProgressKey) },
  responses: { 204: { description: 'Forgotten' }, ...writeRefusals, 400: failures[400] },
});

export const listRecentActivity = createRoute({
  method: 'get',
  path: '/user/recent-activity',
  middleware: history,
  tags: ['Listening'],
  summary: 'The twenty audios listened to last',
  responses: {
    200: json(z.object({ items: z.array(z.object({ audio: AudioResponse, at: z.iso.datetime() })) }), 'The last first'),
    ...refusals,
  },
});
