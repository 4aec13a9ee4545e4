import { OpenAPIHono, createRoute, z } from '@hono/zod-openapi';
import { DomainError } from '#domain/errors.ts';
import type { ViewerEnv } from '../viewer.ts';
import { expireSessionCookie, requireLoggedIn } from '../viewer.ts';
import { unauthorized } from './identity.ts';
import type { IdentityParts } from './identity.ts';
import { refuseInvalid } from './invalid.ts';
import { failures, json } from './schemas.ts';

/** Where a user is logged in; after `accountRoutes`, whose guards are for everything under /user. */
export function sessionRoutes({ site: { identity }, secure }: IdentityParts) {
  return new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid })
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/sessions',
        tags: ['Accounts'],
        summary: 'Where this user is logged in, last used first',
        responses: {
          200: json(
            z.object({
              items: z.array(
                z
                  .object({
                    id: z.uuid(),
                    device: z.string(),
                    createdAt: z.iso.datetime(),
                    lastUsedAt: z.iso.datetime(),
                    isCurrent: z.boolean(),
                  })
                  .openapi('Session'),
              ),
            }),
            'Sessions',
          ),
          401: unauthorized,
        },
      }),
      async (context) => {
        const { viewer, sessionId } = requireLoggedIn(context);
        const items = await identity.listSessions(viewer.id, sessionId);
        return context.json(
          {
            items: items.map((session) => ({
              ...session,
              createdAt: session.createdAt.toISOString(),
              lastUsedAt: session.lastUsedAt.toISOString(),
            })),
          },
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/user/sessions',
        tags: ['Accounts'],
        summary: 'Logs out everywhere, here too',
        responses: { 204: { description: 'Logged out' }, 401: unauthorized },
      }),
      async (context) => {
        await identity.endAllSessions(requireLoggedIn(context).viewer.id);
        expireSessionCookie(context, secure);
        return context.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/user/sessions/{id}',
        tags: ['Accounts'],
        summary: 'Logs out one device',
        request: { params: z.object({ id: z.uuid() }) },
        responses: { 204: { description: 'Logged out' }, 401: unauthorized, ...failures },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        if (!(await identity.endSession(viewer.id, context.req.valid('param').id)))
          throw new DomainError('request/not-found');
        return context.body(null, 204);
      },
    );
}
