import { z } from '@hono/zod-openapi';
import { userCall } from '../call.ts';
import { Instant } from '#domain/kernel/shapes.ts';

export const listSessions = userCall({
  get: '/user/sessions',
  about: 'Where this user is logged in, last used first',
  output: z.object({
    items: z.array(
      z
        .object({
          id: z.uuid(),
          device: z.string(),
          createdAt: Instant,
          lastUsedAt: Instant,
          isCurrent: z.boolean(),
        })
        .openapi('Session'),
    ),
  }),
  act: async ({ site, viewer, session }) => ({ items: await site.identity.listSessions(viewer.id, session.sessionId) }),
});

export const endAllSessions = userCall({
  delete: '/user/sessions',
  about: 'Logs out everywhere, here too',
  sameSite: true,
  async act({ site, viewer, cookie }) {
    await site.identity.logOutEverywhere(viewer.id);
    cookie.set(undefined);
  },
});

export const endSession = userCall({
  delete: '/user/sessions/{id}',
  about: 'Logs out one device',
  sameSite: true,
  act: ({ site, viewer, id }) => site.identity.endSession(viewer.id, id),
});
