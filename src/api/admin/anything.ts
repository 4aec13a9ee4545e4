import { z } from '@hono/zod-openapi';
import { foundKinds } from '#domain/admin/rules.ts';
import { adminCall } from '../call.ts';

export const findAnything = adminCall({
  get: '/admin/find',
  command: 'users find',
  about: 'Users and content of all kinds by the start of a name, or an id',
  query: z.object({ query: z.string().max(200) }),
  output: z.object({
    items: z.array(
      z.object({
        kind: z.enum(foundKinds),
        id: z.string().describe('Of an info page, its name'),
        slug: z.string().nullable(),
        name: z.string(),
        detail: z.string(),
      }),
    ),
  }),
  limit: { kind: 'admin', perMinute: 120 },
  sameSite: true,
  act: async ({ site, viewer, query }) => ({ items: await site.admin.findAnything(viewer, query.query) }),
});
