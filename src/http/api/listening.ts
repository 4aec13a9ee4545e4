import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { CounterReport, ProgressKey, ProgressValue } from '#domain/listening/forms.ts';
import type { Site } from '#domain/site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limit-body.ts';
import type { RateLimit } from '../rate-limit.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import { ownCall } from './own-call.ts';
import { AudioAnswer, ErrorAnswer, failures, idOrSlug, json, ownId, PageQuery, pageOf } from './schemas.ts';

const HistoryAnswer = z
  .object({
    currentlyListening: z.record(z.uuid(), z.number()).describe('Seconds into each audio'),
    listenCounter: z.record(z.uuid(), z.number()),
    played30sCounter: z.record(z.uuid(), z.number()),
  })
  .openapi('History');

const HistoryItemAnswer = z
  .object({
    audio: AudioAnswer,
    lastListenedAt: z.iso.datetime(),
    listens: z.number(),
    seconds: z.number().nullable().describe('Where to go on; null where it is not in progress'),
  })
  .openapi('HistoryItem');

const playRefusals: Record<'not-found' | 'login-required' | 'subscription-required', ErrorCode> = {
  'not-found': 'request/not-found',
  'login-required': 'auth/login-required',
  'subscription-required': 'subscription/required',
};

/**
 * Of one user, whatever the device; a player that seeks all the time stays far below. Places cost next to nothing, since
 * they are written together.
 */
const perMinute = { place: 6000, counter: 600, history: 600, play: 600 };

export type ListeningRoutesOptions = { site: Site; rateLimit: RateLimit; trustProxy: number };

/** Spec §7: plays, counters, places and the history of a listener. */
export function listeningRoutes({ site: { listening }, rateLimit, trustProxy }: ListeningRoutesOptions) {
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });

  const own = (kind: keyof typeof perMinute, methods: string[]) =>
    ownCall({ rateLimit, kind, perMinute: perMinute[kind], methods });
  app.use('/history/*', limitBody(32 * 1024), personal);
  app.use('/history/me/value', own('place', ['POST', 'DELETE']));
  app.use('/history/me/increase-counter', own('counter', ['POST']));
  app.use('/history/me', own('history', ['GET', 'DELETE']));
  app.use('/history/me/items', own('history', ['GET']));
  app.use('/history/me/items/:id', own('history', ['DELETE']));
  app.use('/user/recent-activity', own('history', ['GET']), personal);
  app.use('/audios/play/:id', personal, async (context, next) => {
    // Whoever only looks has played nothing.
    if (context.req.method === 'HEAD') return errorResponse('request/method-not-allowed', undefined, { allow: 'GET' });
    const of = `play ${clientAddress(context, trustProxy)}`;
    return rateLimit(context, { perMinute: perMinute.play, of }) ? next() : errorResponse('request/too-many');
  });

  const refusals = {
    401: json(ErrorAnswer, 'Log in first'),
    429: json(ErrorAnswer, 'Too many'),
  } as const;
  const writeRefusals = {
    ...refusals,
    413: json(ErrorAnswer, 'Too large'),
    415: json(ErrorAnswer, 'Not JSON'),
  } as const;
  return app
    .openapi(
      createRoute({
        method: 'get',
        path: '/audios/play/{id}',
        tags: ['Listening'],
        summary: 'Counts a play, at most one per listener in the time the audio lasts',
        request: { params: idOrSlug },
        responses: {
          200: json(z.object({ counted: z.boolean(), plays: z.number() }), 'What was counted, and the plays now'),
          401: json(ErrorAnswer, 'Log in first'),
          402: json(ErrorAnswer, 'Subscribe first'),
          429: refusals[429],
          ...failures,
        },
      }),
      async (context) => {
        const address = clientAddress(context, trustProxy);
        const play = await listening.playAudio(context.get('viewer'), context.req.valid('param').id, address);
        if (!play.ok) throw new DomainError(playRefusals[play.reason]);
        return context.json({ counted: play.counted, plays: play.plays }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/history/me',
        tags: ['Listening'],
        summary: 'Places and counters by audio, the newest thousand of each',
        responses: { 200: json(HistoryAnswer, 'History'), ...refusals },
      }),
      async (context) => context.json(await listening.findHistory(requireLoggedIn(context).viewer.id), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/history/me',
        tags: ['Listening'],
        summary: 'Forgets the whole history; what the site has counted stays',
        responses: { 204: { description: 'Forgotten' }, ...refusals },
      }),
      async (context) => {
        await listening.clearHistory(requireLoggedIn(context).viewer.id);
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/history/me/items',
        tags: ['Listening'],
        summary: 'What was listened to, the last first',
        request: { query: PageQuery },
        responses: { 200: json(pageOf(HistoryItemAnswer), 'A page'), ...refusals, 400: failures[400] },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const { items, nextCursor } = await listening.listHistory(viewer.id, context.req.valid('query'));
        const answered = items.map((item) => ({ ...item, lastListenedAt: item.lastListenedAt.toISOString() }));
        return context.json({ items: answered, nextCursor }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/history/me/items/{id}',
        tags: ['Listening'],
        summary: 'Forgets one audio: its place and its counters',
        request: { params: ownId },
        responses: { 204: { description: 'Forgotten' }, ...refusals, 400: failures[400] },
      }),
      async (context) => {
        await listening.removeFromHistory(requireLoggedIn(context).viewer.id, context.req.valid('param').id);
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/history/me/increase-counter',
        tags: ['Listening'],
        summary: 'Counts a listen or seconds heard',
        request: { body: { required: true, content: { 'application/json': { schema: CounterReport } } } },
        responses: {
          200: json(
            z.object({ counted: z.number() }),
            'What was counted: less than was told where that is too much, where it was told before, or where this listener may not hear the audio',
          ),
          ...writeRefusals,
          ...failures,
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const outcome = await listening.increaseCounter(viewer, context.req.valid('json'));
        if (!outcome.ok) throw new DomainError('request/not-found');
        return context.json({ counted: outcome.counted }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/history/me/value',
        tags: ['Listening'],
        summary: 'Keeps the place in an audio',
        request: { body: { required: true, content: { 'application/json': { schema: ProgressValue } } } },
        responses: {
          200: json(z.object({ seconds: z.number() }), 'The place as it is kept: at most the duration'),
          ...writeRefusals,
          ...failures,
        },
      }),
      async (context) => {
        const { id, seconds } = context.req.valid('json');
        const kept = await listening.saveProgress(requireLoggedIn(context).viewer.id, id, seconds);
        if (kept === undefined) throw new DomainError('request/not-found');
        return context.json({ seconds: kept }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/history/me/value',
        tags: ['Listening'],
        summary: 'Forgets the place in an audio, as when it was heard to its end',
        request: { body: { required: true, content: { 'application/json': { schema: ProgressKey } } } },
        responses: { 204: { description: 'Forgotten' }, ...writeRefusals, 400: failures[400] },
      }),
      async (context) => {
        await listening.removeProgress(requireLoggedIn(context).viewer.id, context.req.valid('json').id);
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/recent-activity',
        tags: ['Listening'],
        summary: 'The twenty audios listened to last',
        responses: {
          200: json(
            z.object({ items: z.array(z.object({ audio: AudioAnswer, at: z.iso.datetime() })) }),
            'The last first',
          ),
          ...refusals,
        },
      }),
      async (context) => {
        const items = await listening.listRecentActivity(requireLoggedIn(context).viewer);
        return context.json({ items: items.map(({ audio, at }) => ({ audio, at: at.toISOString() })) }, 200);
      },
    );
}
