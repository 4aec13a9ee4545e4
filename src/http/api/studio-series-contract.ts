import { createRoute, z } from '@hono/zod-openapi';
import { SeriesEditForm, SeriesForm, SeriesSeen } from '#domain/catalogue/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { creatorsOnly, inOrder, limitAccount, personal } from './guards.ts';
import {
  ErrorResponse,
  failures,
  json,
  jsonBody,
  ownId,
  pageOf,
  PageQuery,
  refusals as ownRefusals,
} from '#api/schemas.ts';
import { pictureBodyBytes, PictureForm } from './studio-pictures.ts';

const Id = z.uuid().toLowerCase();

/** More than a person does by dragging one audio after the other. */
const own = inOrder(personal, creatorsOnly, limitAccount('studio series', 240));
/** Texts of 5,000 characters in JSON's longest escapes. */
const ownWrite = inOrder(...own, limitBody(64 * 1024));
const refusals = {
  ...ownRefusals,
  403: json(ErrorResponse, 'For owners and editors of a creator only'),
  413: json(ErrorResponse, 'Too large'),
  ...failures,
} as const;
const tags = ['Studio'];

const ManagedSeriesResponse = z
  .object({
    id: Id,
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    imageUrl: z.string().nullable(),
    totalAudios: z.number().describe('With drafts'),
    totalDuration: z.number().describe('Seconds'),
    isLinked: z.boolean().describe('Links to the creator lead to it'),
  })
  .openapi('ManagedSeries');

const SeriesPartResponse = z
  .object({
    id: Id,
    slug: z.string(),
    title: z.string(),
    imageUrl: z.string().nullable(),
    duration: z.number().describe('Seconds'),
    state: z.enum(['published', 'scheduled', 'draft']),
  })
  .openapi('SeriesPart');

export const listSeries = createRoute({
  method: 'get',
  path: '/studio/voices/{id}/series',
  middleware: own,
  tags,
  summary: 'Series of a voice, A to Z; for its managers',
  request: { params: ownId, query: PageQuery },
  responses: { 200: json(pageOf(ManagedSeriesResponse), 'A page'), ...ownRefusals, ...failures },
});

export const createSeries = createRoute({
  method: 'post',
  path: '/studio/voices/{id}/series',
  middleware: ownWrite,
  tags,
  summary: 'Makes an empty series',
  request: { params: ownId, body: jsonBody(SeriesForm) },
  responses: { 201: json(z.object({ id: Id, slug: z.string() }), 'Made'), ...refusals },
});

export const findAudiosForSeries = createRoute({
  method: 'get',
  path: '/studio/voices/{id}/series-audios',
  middleware: own,
  tags,
  summary: 'The voice’s audios by words of their title, with the series that each is in',
  request: {
    params: ownId,
    query: z.object({ q: z.string().max(200).default(''), limit: z.coerce.number().int().min(1).max(50).default(8) }),
  },
  responses: {
    200: json(
      z.object({
        items: z.array(
          SeriesPartResponse.extend({ series: z.object({ id: Id, title: z.string() }).nullable() }).openapi(
            'AudioForSeries',
          ),
        ),
      }),
      'Audios, the last made first',
    ),
    ...ownRefusals,
    ...failures,
  },
});

export const findSeries = createRoute({
  method: 'get',
  path: '/studio/series/{id}',
  middleware: own,
  tags,
  summary: 'A series with all its audios in their order, drafts included',
  request: { params: ownId },
  responses: {
    200: json(
      ManagedSeriesResponse.extend({ voiceId: Id, parts: z.array(SeriesPartResponse) }).openapi('SeriesWithParts'),
      'The series',
    ),
    ...ownRefusals,
    ...failures,
  },
});

export const editSeries = createRoute({
  method: 'patch',
  path: '/studio/series/{id}',
  middleware: inOrder(...own, limitBody(pictureBodyBytes)),
  tags,
  summary: 'Changes title, description or cover of a series; its address stays',
  request: {
    params: ownId,
    body: jsonBody(SeriesEditForm.extend({ picture: PictureForm, before: SeriesSeen.optional() })),
  },
  responses: {
    204: { description: 'Changed' },
    ...refusals,
    409: json(ErrorResponse, 'Somebody changed it meanwhile'),
  },
});

const full = json(ErrorResponse, 'It is in another series, or there is no room for more');

export const addToSeries = createRoute({
  method: 'post',
  path: '/studio/series/{id}/audios',
  middleware: ownWrite,
  tags,
  summary: 'Puts an audio of the same voice into a series',
  request: {
    params: ownId,
    body: jsonBody(
      z.object({
        audioId: Id,
        after: Id.nullable().optional().describe('The audio before it; null: first; default: last'),
      }),
    ),
  },
  responses: { 204: { description: 'Added' }, ...refusals, 409: full },
});

export const moveInSeries = createRoute({
  method: 'post',
  path: '/studio/series/{id}/move',
  middleware: ownWrite,
  tags,
  summary: 'Moves an audio within a series',
  request: {
    params: ownId,
    body: jsonBody(z.object({ audioId: Id, after: Id.nullable().describe('The audio before it; null: first') })),
  },
  responses: { 204: { description: 'Moved' }, ...refusals },
});

export const removeFromSeries = createRoute({
  method: 'delete',
  path: '/studio/series/{id}/audios/{audioId}',
  middleware: own,
  tags,
  summary: 'Takes an audio out of a series',
  request: {
    params: z.object({ id: ownId.shape.id, audioId: Id.openapi({ param: { name: 'audioId', in: 'path' } }) }),
  },
  responses: { 204: { description: 'Removed' }, ...ownRefusals, ...failures },
});

export const deleteSeries = createRoute({
  method: 'delete',
  path: '/studio/series/{id}',
  middleware: own,
  tags,
  summary: 'Deletes a series, for 30 days with a way back; its audios stay; for owners',
  request: { params: ownId },
  responses: { 204: { description: 'Deleted' }, ...ownRefusals, ...failures },
});

export const restoreSeries = createRoute({
  method: 'post',
  path: '/studio/series/{id}/restore',
  middleware: own,
  tags,
  summary: 'Brings a deleted series back',
  request: { params: ownId },
  responses: { 204: { description: 'It is back' }, ...ownRefusals, ...failures },
});
