import { z } from '@hono/zod-openapi';
import { Limit } from '#domain/kernel/pages.ts';
import { callBy } from '../../call.ts';
import { pageOf } from '../../schemas.ts';

/** Series of all creators, for operators. */

const Id = z.uuid().toLowerCase();
const adminCall = callBy('operator', {
  limit: { kind: 'admin-catalogue', perMinute: 300 },
  maxBytes: 64 * 1024,
});

export const listSeries = adminCall({
  get: '/admin/series',
  about: 'Series of all creators, hidden ones too',
  query: z.object({
    q: z.string().max(100).optional(),
    hidden: z.enum(['true']).optional().describe('Only hidden ones'),
    cursor: z.string().max(1200).optional(),
    limit: Limit,
  }),
  output: pageOf(
    z.object({
      id: Id,
      slug: z.string(),
      title: z.string(),
      imageUrl: z.string().nullable(),
      isHidden: z.boolean(),
      voice: z.object({ id: Id, slug: z.string(), name: z.string() }).nullable(),
      totalAudios: z.number(),
      totalDuration: z.number().describe('Seconds'),
      isLinked: z.boolean().describe('Links to its creator lead to it'),
      linkedOfVoice: Id.nullable().describe('The series to which links to its creator lead; null: to their page'),
    }),
  ),
  act: ({ site, viewer, query: { hidden, ...query } }) =>
    site.admin.content.listSeries(viewer, { ...query, hidden: hidden === 'true' }),
});

export const setSeriesHidden = adminCall({
  put: '/admin/series/{id}/hidden',
  about: 'Hides a series from listeners, or shows it again; its audios stay',
  input: z.object({ isHidden: z.boolean() }),
  act: ({ site, viewer, id, input }) => site.admin.content.setSeriesHidden(viewer, id, input.isHidden),
});

export const linkSeries = adminCall({
  put: '/admin/voices/{id}/linked-series',
  command: { none: 'voices edit-page --linked-series does the same' },
  about: 'Sets the series to which links to a creator lead; null: to their page',
  input: z.object({ seriesId: Id.nullable(), before: Id.nullable().describe('The value that the operator saw') }),
  errors: ['list/changed'],
  act: ({ site, viewer, id, input }) => site.admin.content.linkSeries(viewer, id, input),
});
