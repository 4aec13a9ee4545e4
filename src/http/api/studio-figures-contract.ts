import { createRoute, z } from '@hono/zod-openapi';
import { figurePeriods } from '#domain/studio/rules.ts';
import { inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { failures, idOrSlug, refusals } from '#api/schemas.ts';

export const printFigures = createRoute({
  method: 'get',
  path: '/voices/{id}/figures.csv',
  middleware: inOrder(personal, loggedInOnly, limitAccount('figures', 60)),
  tags: ['Studio'],
  summary:
    'Figures per day of a voice that you manage, or of one of its audios, as CSV; fewer than ten listeners are not told',
  request: {
    params: idOrSlug,
    query: z.object({
      days: z
        .string()
        .max(10)
        .optional()
        .describe(`Up to yesterday: ${figurePeriods.join(', ')}; 28 when nothing else is given`),
      from: z.string().max(10).optional().describe('First day (UTC), such as 2026-10-25'),
      to: z.string().max(10).optional().describe('Last day (UTC); at most a year after the first'),
      audio: z.string().max(200).optional().describe('Id or slug'),
    }),
  },
  responses: {
    200: { description: 'CSV', content: { 'text/csv': { schema: z.string() } } },
    ...refusals,
    ...failures,
  },
});
