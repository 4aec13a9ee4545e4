import { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import * as contract from './studio-figures-contract.ts';

export function studioFigureRoutes({ site: { studio } }: ApiParts) {
  return new OpenAPIHono<ApiEnv>().openapi(contract.printFigures, async (context) => {
    const { viewer } = context.get('loggedIn');
    const file = found(await studio.printFigures(viewer, context.req.valid('param').id, context.req.valid('query')));
    return new Response(file.text, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${file.name}"`,
      },
    }) as never;
  });
}
