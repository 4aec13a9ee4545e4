import { z } from '@hono/zod-openapi';
import { SeriesEditForm, SeriesForm, SeriesSeen } from '#domain/catalogue/forms.ts';
import { ManagedSeries, SeriesPart } from '#domain/studio/series/series.ts';
import { studioCall } from '../call.ts';
import { pictureBodyBytes, PictureForm } from '../pictures.ts';
import { pageOf, PageQuery } from '../schemas.ts';

/** Series that creators make from their audios. */

const Id = z.uuid().toLowerCase();

/** More than a person does by dragging one audio after the other. */
const limit = { kind: 'studio series', perMinute: 240 };
/** Texts of 5,000 characters in JSON's longest escapes. */
const maxBytes = 64 * 1024;

const ManagedSeriesResponse = z.object(ManagedSeries.shape).openapi('ManagedSeries');
const SeriesPartResponse = z.object(SeriesPart.shape).openapi('SeriesPart');

export const listStudioSeries = studioCall({
  get: '/studio/voices/{id}/series',
  command: { none: 'series list has all' },
  about: 'Series of a voice, A to Z; for its managers',
  query: PageQuery.extend({ q: z.string().max(200).optional().describe('Part of a title') }),
  output: pageOf(ManagedSeriesResponse),
  limit,
  act: ({ site, viewer, id, query }) => site.studio.listManagedSeries(viewer, id, query),
});

export const createSeries = studioCall({
  post: '/studio/voices/{id}/series',
  command: 'series create',
  about: 'Makes an empty series',
  input: SeriesForm,
  output: z.object({ id: Id, slug: z.string() }),
  status: 201,
  limit,
  maxBytes,
  act: ({ site, viewer, id, input }) => site.studio.createSeries(viewer, id, input),
});

export const findAudiosForSeries = studioCall({
  get: '/studio/voices/{id}/series-audios',
  command: { none: 'finds them while somebody types; commands take slugs' },
  about: 'The voice’s audios by words of their title, with the series that each is in',
  query: z.object({
    q: z.string().max(200).default(''),
    limit: z.coerce.number().int().min(1).max(50).default(8),
  }),
  output: z.object({
    items: z.array(
      SeriesPartResponse.extend({ series: z.object({ id: Id, title: z.string() }).nullable() }).openapi(
        'AudioForSeries',
      ),
    ),
  }),
  limit,
  async act({ site, viewer, id, query }) {
    const items = await site.studio.findAudiosForSeries(viewer, id, query.q, query.limit);
    return items && { items };
  },
});

export const findStudioSeries = studioCall({
  get: '/studio/series/{id}',
  about: 'A series with all its audios in their order, drafts included',
  output: ManagedSeriesResponse.extend({ voiceId: Id, parts: z.array(SeriesPartResponse) }).openapi('SeriesWithParts'),
  limit,
  act: ({ site, viewer, id }) => site.studio.findManagedSeries(viewer, id),
});

export const editSeries = studioCall({
  patch: '/studio/series/{id}',
  about: 'Changes title, description or cover of a series; its address stays',
  input: SeriesEditForm.extend({ picture: PictureForm, before: SeriesSeen.optional() }),
  refuses: { 'not-a-picture': 'picture/unreadable' },
  errors: ['text/changed-meanwhile'],
  limit,
  maxBytes: pictureBodyBytes,
  act: ({ site, viewer, id, input: { picture, before: seen, ...edit } }) =>
    site.studio.editSeries(viewer, id, edit, { picture, seen }),
});

export const addToSeries = studioCall({
  post: '/studio/series/{id}/audios',
  command: 'series add',
  about: 'Puts an audio of the same voice into a series',
  input: z.object({
    audioId: Id,
    after: Id.nullable().optional().describe('The audio before it; null: first; default: last'),
  }),
  refuses: { 'in-another': 'series/audio-in-another', full: 'library/full' },
  limit,
  maxBytes,
  act: ({ site, viewer, id, input }) => site.studio.addToSeries(viewer, id, input.audioId, input.after),
});

export const moveInSeries = studioCall({
  post: '/studio/series/{id}/move',
  command: 'series move',
  about: 'Moves an audio within a series',
  input: z.object({ audioId: Id, after: Id.nullable().describe('The audio before it; null: first') }),
  limit,
  maxBytes,
  act: ({ site, viewer, id, input }) => site.studio.moveInSeries(viewer, id, input.audioId, input.after),
});

export const removeFromSeries = studioCall({
  delete: '/studio/series/{id}/audios/{audioId}',
  command: 'series remove',
  about: 'Takes an audio out of a series',
  limit,
  act: ({ site, viewer, id, audioId }) => site.studio.removeFromSeries(viewer, id, audioId),
});

export const deleteSeries = studioCall({
  delete: '/studio/series/{id}',
  about: 'Deletes a series, for 30 days with a way back; its audios stay; for owners',
  limit,
  act: ({ site, viewer, id }) => site.studio.deleteSeries(viewer, id),
});

export const restoreSeries = studioCall({
  post: '/studio/series/{id}/restore',
  about: 'Brings a deleted series back',
  limit,
  act: ({ site, viewer, id }) => site.studio.restoreSeries(viewer, id),
});
