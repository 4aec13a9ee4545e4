import { z } from '@hono/zod-openapi';
import { callBy } from './call.ts';
import { Instant } from '#domain/kernel/shapes.ts';
import { pageOf, PageQuery, UserResponse } from './schemas.ts';

const userCall = callBy('user', { limit: { kind: 'blocks-and-tags', perMinute: 120 } });

export const listBlockedUsers = userCall({
  get: '/user/blocks',
  about: 'Users blocked by this user, most recent first',
  query: PageQuery,
  output: pageOf(UserResponse.extend({ blockedAt: Instant }).openapi('BlockedUser')),
  act: ({ site, viewer, query }) => site.community.listBlockedUsers(viewer.id, query),
});

export const setBlocked = userCall({
  post: '/user/block/{id}',
  about: 'Blocks a user, or lets them be seen again; twice is the same as once',
  input: z.object({ isBlocked: z.boolean() }),
  output: z.object({ id: z.uuid(), isBlocked: z.boolean() }),
  refuses: { oneself: 'request/invalid', full: 'library/full' },
  maxBytes: 8 * 1024,
  async act({ site, viewer, id, input: { isBlocked } }) {
    const outcome = await site.community.setBlocked(viewer, id, isBlocked);
    return outcome.ok ? { id, isBlocked } : outcome;
  },
});
