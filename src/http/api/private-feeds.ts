import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './private-feeds-contract.ts';

const reasons: Record<'not-found' | 'subscription-required' | 'full', ErrorCode> = {
  'not-found': 'request/not-found',
  'subscription-required': 'subscription/required',
  full: 'library/full',
};

/** A user's own feeds for podcast apps. */
export function privateFeedCalls({ site: { feeds, facts } }: ApiParts) {
  type Outcome = Awaited<ReturnType<typeof feeds.makeFeed>>;
  function madeOf(outcome: Outcome) {
    if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
    return { id: outcome.id, address: `${facts.url}/feeds/${outcome.token}.xml` };
  }
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listFeeds, async (context) => {
      const items = await feeds.listFeeds(context.get('loggedIn').viewer.id);
      return context.json(
        {
          items: items.map((feed) => ({
            ...feed,
            createdAt: feed.createdAt.toISOString(),
            lastUsedAt: feed.lastUsedAt?.toISOString() ?? null,
          })),
        },
        200,
      );
    })
    .openapi(contract.makeFeed, async (context) => {
      const made = await feeds.makeFeed(context.get('loggedIn').viewer, context.req.valid('json'));
      return context.json(madeOf(made), 201);
    })
    .openapi(contract.renewFeed, async (context) => {
      const made = await feeds.renewFeed(context.get('loggedIn').viewer, context.req.valid('param').id);
      return context.json(madeOf(made), 200);
    })
    .openapi(contract.revokeFeed, async (context) => {
      if (!(await feeds.revokeFeed(context.get('loggedIn').viewer.id, context.req.valid('param').id)))
        throw new DomainError('request/not-found');
      return context.body(null, 204);
    });
}
