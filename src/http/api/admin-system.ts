import { OpenAPIHono } from '@hono/zod-openapi';
import * as contract from './admin-system-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';

export function adminSystemRoutes({
  site: {
    admin: { site: admin },
  },
}: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.retryJob, async (context) => {
      await admin.changeJob(context.get('loggedIn').viewer, context.req.valid('param').id, 'retry');
      return context.body(null, 204);
    })
    .openapi(contract.cancelJob, async (context) => {
      await admin.changeJob(context.get('loggedIn').viewer, context.req.valid('param').id, 'cancel');
      return context.body(null, 204);
    })
    .openapi(contract.retryMail, async (context) => {
      await admin.retryMail(context.get('loggedIn').viewer, context.req.valid('param').name);
      return context.body(null, 204);
    })
    .openapi(contract.dropMail, async (context) => {
      await admin.dropMail(context.get('loggedIn').viewer, context.req.valid('param').name);
      return context.body(null, 204);
    })
    .openapi(contract.rebuildSearch, async (context) => {
      await admin.rebuildSearch(context.get('loggedIn').viewer);
      return context.body(null, 204);
    })
    .openapi(contract.findSearchState, async (context) =>
      context.json(await admin.findSearchState(context.get('loggedIn').viewer), 200),
    )
    .openapi(contract.tryOut, async (context) =>
      context.json(await admin.tryOut(context.get('loggedIn').viewer, context.req.valid('param').name), 200),
    )
    .openapi(contract.startBackup, async (context) =>
      context.json(await admin.startBackup(context.get('loggedIn').viewer), 202),
    )
    .openapi(contract.check, async (context) =>
      context.json({ items: (await admin.checkSystem(context.get('loggedIn').viewer)).findings }, 200),
    );
}
