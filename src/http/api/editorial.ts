import { OpenAPIHono } from '@hono/zod-openapi';
import { visitor } from '#domain/kernel/viewer.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './editorial-contract.ts';
import { found } from '#api/found.ts';

export function editorialRoutes({ site: { editorial } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listArticles, async (context) =>
      context.json(await editorial.listArticles(context.req.valid('query')), 200),
    )
    .openapi(contract.findArticle, async (context) =>
      context.json(found(await editorial.findArticle(visitor, context.req.valid('param').id)), 200),
    );
}
