import { createRoute, z } from '@hono/zod-openapi';
import { creatorsOnly, inOrder, limitAccount, personal } from './guards.ts';
import { failures, json, LastChange, refusals } from '#api/schemas.ts';

export const findLastChange = createRoute({
  method: 'get',
  path: '/studio/last-change',
  middleware: inOrder(personal, creatorsOnly, limitAccount('studio last change', 120)),
  tags: ['Studio'],
  summary: 'Who changed something last, and when; for those who may change it',
  request: {
    query: z.object({
      type: z.enum(['voice', 'series', 'article', 'playlist', 'category', 'tag', 'settings']),
      id: z.string().min(1).max(100),
    }),
  },
  responses: { 200: json(LastChange, 'The last change'), ...refusals, ...failures },
});
