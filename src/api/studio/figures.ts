import { z } from '@hono/zod-openapi';
import { figurePeriods } from '#domain/studio/rules.ts';
import { attachment } from '../attachment.ts';
import { userCall } from '../call.ts';
import { idOrSlug } from '../schemas.ts';

export const printFigures = userCall({
  get: '/voices/{id}/figures.csv',
  command: 'voices figures',
  about:
    'Figures per day of a voice that you manage, or of one of its audios, as CSV; fewer than ten listeners are not told',
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
  file: 'text/csv',
  limit: { kind: 'figures', perMinute: 60 },
  async act({ site, viewer, id, query }) {
    const file = await site.studio.printFigures(viewer, id, query);
    return file && attachment(file.text, 'text/csv; charset=utf-8', file.name);
  },
});
