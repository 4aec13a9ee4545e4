import { OpenAPIHono } from '@hono/zod-openapi';
import type { Section } from '#domain/admin/site/site-settings.ts';
import * as contract from './admin-settings-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { orRefuse } from './or-refuse.ts';

const written = <Value>({ changedAt, ...section }: Section<Value>) => ({
  ...section,
  changedAt: changedAt?.toISOString() ?? null,
});

export function adminSettingRoutes({
  site: {
    admin: { site: admin },
  },
}: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.findSettings, async (context) => {
      const { membership, features, limits } = await admin.findSiteSettings(context.get('loggedIn').viewer);
      return context.json(
        { membership: written(membership), features: written(features), limits: written(limits) },
        200,
      );
    })
    .openapi(contract.changeMembership, async (context) => {
      orRefuse(await admin.changeSection(context.get('loggedIn').viewer, 'membership', context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.changeFeatures, async (context) => {
      orRefuse(await admin.changeSection(context.get('loggedIn').viewer, 'features', context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.changeLimits, async (context) => {
      orRefuse(await admin.changeSection(context.get('loggedIn').viewer, 'limits', context.req.valid('json')));
      return context.body(null, 204);
    });
}
