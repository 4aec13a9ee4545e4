import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import { SavedQueue } from '#domain/library/forms.ts';
import type { Site } from '#domain/site.ts';
import { errorBody, errorResponse } from '../errors.ts';
import { limitBody } from '../limit-body.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import { AudioAnswer, ErrorAnswer, failures, json } from './schemas.ts';

const QueueAnswer = z
  .object({
    version: z.number().describe('0: nothing was saved yet'),
    queue: SavedQueue,
    audios: z.array(AudioAnswer).describe('Each audio of the queue once'),
    dropped: z.number().describe('Audios left out because they are gone'),
  })
  .openapi('Queue');

/** Two thousand items, and room. */
const mostBytes = 512 * 1024;
/** The player saves once a second at the most (spec §9). */
const perMinute = 240;

/** The queue that a listener takes from device to device. */
export function queueRoutes({ site: { library }, rateLimit }: { site: Site; rateLimit: RateLimit }) {
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  app.use('/user/queue', personal, async (context, next) => {
    // Whoever may not is told so before anything of theirs is read.
    if (context.req.method !== 'GET' && context.req.method !== 'PUT') return next();
    const { viewer } = requireLoggedIn(context);
    if (!rateLimit(context, { perMinute, of: `queue ${viewer.id}` })) return errorResponse('request/too-many');
    return next();
  });
  app.use('/user/queue', limitBody(mostBytes));
  return app
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/queue',
        tags: ['Listening'],
        summary: 'The saved queue and its audios; the ETag is its version',
        responses: { 200: json(QueueAnswer, 'Queue'), 401: json(ErrorAnswer, 'Log in first') },
      }),
      async (context) => {
        const queue = await library.findQueue(requireLoggedIn(context).viewer.id);
        context.header('etag', `"${queue.version}"`);
        return context.json(queue, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/user/queue',
        tags: ['Listening'],
        summary: 'Saves the queue in the place of the version that was seen',
        request: {
          headers: z.object({
            'if-match': z
              .string()
              .optional()
              .openapi({ description: '`"<version>"`; `"0"` where nothing was saved yet' }),
          }),
          body: { required: true, content: { 'application/json': { schema: SavedQueue } } },
        },
        responses: {
          200: json(
            z.object({ version: z.number(), dropped: z.number().describe('Audios that are not there') }),
            'Saved; the ETag is the new version',
          ),
          401: json(ErrorAnswer, 'Log in first'),
          412: json(ErrorAnswer.extend({ newest: QueueAnswer }), 'Another device was first'),
          413: json(ErrorAnswer, 'Too large'),
          428: json(ErrorAnswer, 'If-Match is missing'),
          429: json(ErrorAnswer, 'Too many'),
          400: failures[400],
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const seen = versionOf(context.req.valid('header')['if-match']);
        const saved = await library.saveQueue(viewer.id, seen, context.req.valid('json'));
        const version = saved.ok ? saved.version : saved.newest.version;
        context.header('etag', `"${version}"`);
        if (!saved.ok) return context.json({ ...errorBody('queue/newer-version'), newest: saved.newest }, 412);
        return context.json({ version, dropped: saved.dropped }, 200);
      },
    );
}

/** @throws DomainError where it is missing, or is no version of a queue: `*` would write over whatever is there */
function versionOf(ifMatch: string | undefined): number {
  if (ifMatch === undefined) throw new DomainError('request/precondition-required');
  const version = Number(/^"(\d{1,9})"$/.exec(ifMatch)?.[1]);
  if (Number.isNaN(version)) throw new DomainError('request/invalid', 'If-Match: must be one version in quotes');
  return version;
}
