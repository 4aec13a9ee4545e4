import { createRoute, z } from '@hono/zod-openapi';
import * as forms from '#domain/admin/forms.ts';
import { bulkVerbs } from '#domain/admin/rules.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { managedSorts, managedStates } from '#domain/studio/rules.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { ErrorResponse, failures, json, jsonBody, ownId, refusals, writeRefusals } from '#api/schemas.ts';
import { ManagedAudioResponse } from '#api/studio/audios.ts';
import { pictureBodyBytes, PictureForm } from './studio-pictures.ts';

/** Audios, acts on many of them, series, the preview and pictures, for operators. */

const admin = inOrder(personal, loggedInOnly, adminOnly, limitAccount('admin-catalogue', 300));
const writing = inOrder(...admin, limitBody(64 * 1024));
const tags = ['Admin'];
const Id = z.uuid().toLowerCase();
const done = { description: 'Done' };
const conflict = json(ErrorResponse, 'Changed meanwhile, or not possible now');
const answers = { ...writeRefusals, ...failures } as const;
const reads = { ...refusals, ...failures } as const;

const Count = z.object({ count: z.number(), isMore: z.boolean().describe('There are more than that') });
const Named = z.object({ id: Id, slug: z.string(), label: z.string() }).nullable().optional();

export const listAudios = createRoute({
  method: 'get',
  path: '/admin/audios',
  middleware: admin,
  tags,
  summary: 'Audios of all creators',
  request: {
    query: forms.AudioFilterForm.extend({
      sort: z.enum(managedSorts).optional(),
      after: z.string().max(1200).optional().describe('`olderCursor` of a page'),
      before: z.string().max(1200).optional().describe('`newerCursor` of a page'),
      limit: Limit,
    }),
  },
  responses: {
    200: json(
      z.object({
        items: z.array(ManagedAudioResponse),
        newerCursor: z.string().nullable(),
        olderCursor: z.string().nullable(),
        total: Count,
        counts: z
          .record(z.enum(['all', ...managedStates]), Count)
          .nullable()
          .describe('Under the other filters; null where counting would take too long'),
        names: z.object({ voice: Named, category: Named, tag: Named }).describe('Names of the filtered items'),
      }),
      'A page',
    ),
    ...reads,
  },
});

const BulkActResponse = z
  .object({
    id: Id,
    verb: z.enum([...bulkVerbs, 'undo']),
    by: z.string().nullable(),
    subject: z.array(z.string()).describe('Names of the added or removed items'),
    state: z.enum(['waiting', 'running', 'stopped', 'done']),
    isStopping: z.boolean(),
    total: z.number(),
    changed: z.number(),
    unchanged: z.number().describe('Already in that state'),
    refused: z.number(),
    refusals: z
      .array(z.object({ id: Id, title: z.string().nullable(), reason: z.string() }))
      .describe('The first of them'),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .openapi('BulkAct');

const started = json(BulkActResponse, 'Stored. A small act is finished; a job executes a large one');

export const startBulkAct = createRoute({
  method: 'post',
  path: '/admin/audios/acts',
  middleware: writing,
  tags,
  summary: 'The same act on many audios, each for itself',
  request: { body: jsonBody(forms.BulkActForm) },
  responses: { 200: started, ...answers, 409: conflict },
});

export const listBulkActs = createRoute({
  method: 'get',
  path: '/admin/bulk-acts',
  middleware: admin,
  tags,
  summary: 'Acts that are not finished, of all operators',
  responses: { 200: json(z.object({ items: z.array(BulkActResponse) }), 'The last started first'), ...reads },
});

export const findBulkAct = createRoute({
  method: 'get',
  path: '/admin/bulk-acts/{id}',
  middleware: admin,
  tags,
  summary: 'How far an act is',
  request: { params: ownId },
  responses: { 200: json(BulkActResponse, 'The act'), ...reads },
});

export const stopBulkAct = createRoute({
  method: 'post',
  path: '/admin/bulk-acts/{id}/stop',
  middleware: admin,
  tags,
  summary: 'Stops an act after the audios that it is working on',
  request: { params: ownId },
  responses: { 204: done, ...reads, 409: conflict },
});

export const undoBulkAct = createRoute({
  method: 'post',
  path: '/admin/bulk-acts/{id}/undo',
  middleware: admin,
  tags,
  summary: 'Undoes a finished act on all its audios',
  request: { params: ownId },
  responses: { 200: started, ...reads, 409: conflict },
});

export const listSeries = createRoute({
  method: 'get',
  path: '/admin/series',
  middleware: admin,
  tags,
  summary: 'Series of all creators, hidden ones too',
  request: {
    query: z.object({
      q: z.string().max(100).optional(),
      hidden: z.enum(['true']).optional().describe('Only hidden ones'),
      cursor: z.string().max(1200).optional(),
      limit: Limit,
    }),
  },
  responses: {
    200: json(
      z.object({
        items: z.array(
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
        nextCursor: z.string().nullable(),
      }),
      'A page, A to Z',
    ),
    ...reads,
  },
});

export const hideSeries = createRoute({
  method: 'put',
  path: '/admin/series/{id}/hidden',
  middleware: writing,
  tags,
  summary: 'Hides a series from listeners, or shows it again; its audios stay',
  request: { params: ownId, body: jsonBody(z.object({ isHidden: z.boolean() })) },
  responses: { 204: done, ...answers },
});

export const linkSeries = createRoute({
  method: 'put',
  path: '/admin/voices/{id}/linked-series',
  middleware: writing,
  tags,
  summary: 'Sets the series to which links to a creator lead; null: to their page',
  request: {
    params: ownId,
    body: jsonBody(
      z.object({ seriesId: Id.nullable(), before: Id.nullable().describe('The value that the operator saw') }),
    ),
  },
  responses: { 204: done, ...answers, 409: conflict },
});

export const findPreview = createRoute({
  method: 'get',
  path: '/admin/preview',
  middleware: admin,
  tags,
  summary: 'The audio that every visitor may hear',
  responses: {
    200: json(
      z.object({
        audio: ManagedAudioResponse.nullable(),
        revision: z.number().int(),
        since: z.iso.datetime().nullable(),
        by: z.string().nullable(),
      }),
      'The preview',
    ),
    ...reads,
  },
});

export const choosePreview = createRoute({
  method: 'put',
  path: '/admin/preview',
  middleware: writing,
  tags,
  summary: 'Chooses the audio that every visitor may hear',
  request: {
    body: jsonBody(
      z.object({ audioId: Id, revision: z.number().int().min(0).describe('The revision that the operator saw') }),
    ),
  },
  responses: { 204: done, ...answers, 409: conflict },
});

const ownPicture = {
  params: ownId,
  body: jsonBody(
    z.object({
      picture: PictureForm.unwrap(),
      before: z.string().max(500).nullable().describe('The `imageUrl` that the operator saw'),
    }),
  ),
};

export const setCategoryPicture = createRoute({
  method: 'put',
  path: '/admin/categories/{id}/picture',
  middleware: inOrder(...admin, limitBody(pictureBodyBytes)),
  tags,
  summary: 'Sets the picture of a category, or takes it away',
  request: ownPicture,
  responses: { 204: done, ...answers, 409: conflict },
});

export const setPlaylistPicture = createRoute({
  method: 'put',
  path: '/admin/playlists/{id}/picture',
  middleware: inOrder(...admin, limitBody(pictureBodyBytes)),
  tags,
  summary: 'Sets the picture of a playlist of the site, or restores the portraits of its creators',
  request: ownPicture,
  responses: { 204: done, ...answers, 409: conflict },
});
