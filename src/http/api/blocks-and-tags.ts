import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { toPageResponse } from '#api/schemas.ts';
import * as contract from './blocks-and-tags-contract.ts';

const reasons: Record<'not-found' | 'oneself' | 'full', ErrorCode> = {
  'not-found': 'request/not-found',
  oneself: 'request/invalid',
  full: 'library/full',
};

/** A user's blocked users and hidden tags. */
export function blockAndTagRoutes({ site: { community, library } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.setBlocked, async (context) => {
      const { id } = context.req.valid('param');
      const { isBlocked } = context.req.valid('json');
      const outcome = await community.setBlocked(context.get('loggedIn').viewer, id, isBlocked);
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.json({ id, isBlocked }, 200);
    })
    .openapi(contract.listBlockedUsers, async (context) => {
      const { viewer } = context.get('loggedIn');
      const page = await community.listBlockedUsers(viewer.id, context.req.valid('query'));
      const items = page.items.map((user) => ({ ...user, blockedAt: user.blockedAt.toISOString() }));
      return context.json(toPageResponse({ items, nextCursor: page.nextCursor }), 200);
    })
    .openapi(contract.listHiddenTags, async (context) =>
      context.json({ items: await library.listHiddenTags(context.get('loggedIn').viewer.id) }, 200),
    )
    .openapi(contract.setTagHidden, async (context) => {
      const { slug } = context.req.valid('param');
      const { isHidden } = context.req.valid('json');
      const outcome = await library.setTagHidden(context.get('loggedIn').viewer.id, slug, isHidden);
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.json({ slug, isHidden }, 200);
    });
}
