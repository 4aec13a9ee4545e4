import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { Site } from '#domain/site.ts';
import { limitBody } from '../limit-body.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { refuseInvalid } from './invalid.ts';
import { ownCall } from './own-call.ts';
import { ErrorAnswer, failures, json, ownId, pageOf, PageQuery, UserAnswer } from './schemas.ts';

const perMinute = 120;

const reasons: Record<'not-found' | 'oneself' | 'full', ErrorCode> = {
  'not-found': 'request/not-found',
  oneself: 'request/invalid',
  full: 'library/full',
};

const TagName = z.object({ slug: z.string(), label: z.string() });

/** What a user does not want to meet: other users, and audios with certain tags. */
export function unwantedRoutes({ site: { community, library }, rateLimit }: { site: Site; rateLimit: RateLimit }) {
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  const own = (methods: string[]) => ownCall({ rateLimit, kind: 'unwanted', perMinute, methods });
  const limit = limitBody(8 * 1024);
  app.use('/user/block/:id', personal, own(['POST']), limit);
  app.use('/user/blocks', personal, own(['GET']));
  app.use('/user/left-out-tags', personal, own(['GET']));
  app.use('/user/left-out-tags/:slug', personal, own(['POST']), limit);
  const refusals = { 401: json(ErrorAnswer, 'Log in first'), 429: json(ErrorAnswer, 'Too many') } as const;
  const full = json(ErrorAnswer, 'There is no room for more');

  return app
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/block/{id}',
        tags: ['Blocking'],
        summary: 'Blocks a user, or lets them be seen again; twice is the same as once',
        request: {
          params: ownId,
          body: {
            required: true,
            content: { 'application/json': { schema: z.object({ isBlocked: z.boolean() }) } },
          },
        },
        responses: {
          200: json(z.object({ id: z.uuid(), isBlocked: z.boolean() }), 'Done'),
          ...refusals,
          409: full,
          ...failures,
        },
      }),
      async (context) => {
        const { id } = context.req.valid('param');
        const { isBlocked } = context.req.valid('json');
        const outcome = await community.setBlocked(requireLoggedIn(context).viewer, id, isBlocked);
        if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
        return context.json({ id, isBlocked }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/blocks',
        tags: ['Blocking'],
        summary: 'Whom this user blocked, the last first',
        request: { query: PageQuery },
        responses: {
          200: json(pageOf(UserAnswer.extend({ blockedAt: z.iso.datetime() }).openapi('BlockedUser')), 'A page'),
          ...refusals,
          400: failures[400],
        },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const page = await community.listBlockedUsers(viewer.id, context.req.valid('query'));
        const items = page.items.map((user) => ({ ...user, blockedAt: user.blockedAt.toISOString() }));
        return context.json({ items, nextCursor: page.nextCursor }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/left-out-tags',
        tags: ['Library'],
        summary: 'Tags whose audios this user is not shown, A–Z',
        responses: { 200: json(z.object({ items: z.array(TagName) }), 'Tags'), ...refusals },
      }),
      async (context) =>
        context.json({ items: await library.listLeftOutTags(requireLoggedIn(context).viewer.id) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/left-out-tags/{slug}',
        tags: ['Library'],
        summary: 'Leaves the audios of a tag out of every list, or shows them again; twice is the same as once',
        request: {
          params: z.object({ slug: z.string().min(1).max(120) }),
          body: {
            required: true,
            content: { 'application/json': { schema: z.object({ isLeftOut: z.boolean() }) } },
          },
        },
        responses: {
          200: json(z.object({ slug: z.string(), isLeftOut: z.boolean() }), 'Done'),
          ...refusals,
          409: full,
          ...failures,
        },
      }),
      async (context) => {
        const { slug } = context.req.valid('param');
        const { isLeftOut } = context.req.valid('json');
        const outcome = await library.setTagLeftOut(requireLoggedIn(context).viewer.id, slug, isLeftOut);
        if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
        return context.json({ slug, isLeftOut }, 200);
      },
    );
}
