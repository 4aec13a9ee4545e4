import { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import * as contract from './last-changes-contract.ts';

/** The last change of what creators and operators edit. */
export function lastChangeRoutes({ site: { admin } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>().openapi(contract.findLastChange, async (context) => {
    const { viewer } = context.get('loggedIn');
    const { by, at } = found(await admin.findLastChangeOf(viewer, context.req.valid('query')));
    return context.json({ by, at: at.toISOString() }, 200);
  });
}
