import { z } from '@hono/zod-openapi';
import { studioCall } from '../call.ts';
import { LastChange } from '../schemas.ts';

export const findLastChange = studioCall({
  get: '/studio/last-change',
  command: { none: 'names who changed what a form has open' },
  about: 'Who changed something last, and when; for those who may change it',
  query: z.object({
    type: z.enum(['voice', 'series', 'article', 'playlist', 'category', 'facet', 'tag', 'text', 'settings']),
    id: z.string().min(1).max(250),
  }),
  output: LastChange,
  errors: ['request/not-found'],
  limit: { kind: 'studio last change', perMinute: 120 },
  act: ({ site, viewer, query }) => site.admin.findLastChangeOf(viewer, query),
});
