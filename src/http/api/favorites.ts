import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './favorites-contract.ts';
import { toPageResponse } from '#api/schemas.ts';

const reasons: Record<'not-found' | 'full', ErrorCode> = { 'not-found': 'request/not-found', full: 'library/full' };

/** Spec §7: the favorites in the user's library. */
export function favoriteRoutes({ site: { library } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.setFavorite, async (context) => {
      const { id } = context.req.valid('param');
      const favorite = { id, ...context.req.valid('json') };
      const outcome = await library.setFavorite(context.get('loggedIn').viewer, favorite);
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.json({ ...favorite, totalFavorite: outcome.totalFavorite }, 200);
    })
    .openapi(contract.findFavorites, async (context) => {
      const { viewer } = context.get('loggedIn');
      const favorites = await library.findFavorites(viewer, context.req.valid('query').limit);
      return context.json({ ...favorites, totals: await library.countFavorites(viewer) }, 200);
    })
    .openapi(contract.listFavorites, async (context) => {
      const { group } = context.req.valid('param');
      const page = await library.listFavorites(context.get('loggedIn').viewer, group, context.req.valid('query'));
      return context.json(toPageResponse(page), 200);
    });
}
