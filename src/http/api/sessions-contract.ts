import { createRoute, z } from '@hono/zod-openapi';
import { limitBody } from '../limits/limit-body.ts';
import { inOrder, loggedInOnly, personal } from './guards.ts';
import { sameSiteOnly } from './same-site.ts';
import { failures, json, unauthorized } from '#api/schemas.ts';

const own = inOrder(personal, sameSiteOnly, loggedInOnly, limitBody(16 * 1024));

export const listSessions = createRoute({
  method: 'get',
  path: '/user/sessions',
  middleware: own,
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
});

export const endAllSessions = createRoute({
  method: 'delete',
  path: '/user/sessions',
  middleware: own,
  tags: ['Accounts'],
  summary: 'Logs out everywhere, here too',
  responses: { 204: { description: 'Logged out' }, 401: unauthorized },
});

export const endSession = createRoute({
  method: 'delete',
  path: '/user/sessions/{id}',
  middleware: own,
  tags: ['Accounts'],
  summary: 'Logs out one device',
  request: { params: z.object({ id: z.uuid() }) },
  responses: { 204: { description: 'Logged out' }, 401: unauthorized, ...failures },
});
