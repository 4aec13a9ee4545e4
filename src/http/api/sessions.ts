import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import { expireSessionCookie } from '../viewer.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './sessions-contract.ts';

/** A user's sessions. */
export function sessionRoutes({ site: { identity }, secure }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listSessions, async (context) => {
      const { viewer, sessionId } = context.get('loggedIn');
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
    })
    .openapi(contract.endAllSessions, async (context) => {
      await identity.endAllSessions(context.get('loggedIn').viewer.id);
      expireSessionCookie(context, secure);
      return context.body(null, 204);
    })
    .openapi(contract.endSession, async (context) => {
      const { viewer } = context.get('loggedIn');
      if (!(await identity.endSession(viewer.id, context.req.valid('param').id)))
        throw new DomainError('request/not-found');
      return context.body(null, 204);
    });
}
