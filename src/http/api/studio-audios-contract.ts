import { createRoute, z } from '@hono/zod-openapi';
import { commenterChoices } from '#domain/catalogue/rules.ts';
import { AudioChange } from '#domain/studio/forms.ts';
import {
  bulkActs,
  editedFields,
  managedSorts,
  managedStates,
  maxAtOnce,
  maxPictureBytes,
} from '#domain/studio/rules.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { limitBody } from '../limits/limit-body.ts';
import { creatorsOnly, inOrder, limitAccount, personal } from './guards.ts';
import { ErrorResponse, failures, json, jsonBody, ownId, refusals as ownRefusals } from './schemas.ts';

const Id = z.uuid().toLowerCase();
const Instant = z.iso.datetime();

const own = inOrder(personal, creatorsOnly, limitAccount('studio', 300));
/** A transcript of 20,000 lines. */
const ownWrite = inOrder(...own, limitBody(4 * 1024 * 1024));
const ownSmallWrite = inOrder(...own, limitBody(16 * 1024));
/** Strict, because pictures are decoded and encoded at once; base64 makes them a third longer. */
const ownPicture = inOrder(
  personal,
  creatorsOnly,
  limitAccount('studio pictures', 40),
  limitBody(Math.ceil((maxPictureBytes * 4) / 3) + 1024),
);

const refusals = {
  ...ownRefusals,
  403: json(ErrorResponse, 'For owners and editors of a creator only'),
  ...failures,
  413: json(ErrorResponse, 'Too large'),
} as const;
const conflict = json(ErrorResponse, 'Someone else changed it meanwhile, or a name or position in it is already used');
const ownersOnly = json(ErrorResponse, 'Editors may not');
const tags = ['Studio'];
const Version = z.number().int().min(0).describe('The newest version that the editor has seen');
const Field = z.enum(editedFields);

export const ManagedAudioResponse = z
  .object({
    id: Id,
    slug: z.string(),
    title: z.string(),
    imageUrl: z.string().nullable(),
    voice: z.object({ slug: z.string(), name: z.string() }),
    state: z.enum(managedStates),
    publishedAt: Instant.nullable(),
    restorableUntil: Instant.nullable(),
    isFree: z.boolean(),
    categories: z.array(z.string()).describe('Labels'),
    numberDuration: z.number().describe('Seconds'),
    plays: z.number(),
    changedAt: Instant,
    hasChanges: z.boolean().describe('Has changes that listeners do not see yet'),
  })
  .openapi('ManagedAudio');

const Cue = z.object({ start: z.number(), end: z.number(), text: z.string() });
const Area = z.object({ x: z.number().int(), y: z.number().int(), size: z.number().int() });

export const EditedAudioResponse = z
  .object({
    id: Id,
    version: z.number(),
    values: z.object({
      title: z.string(),
      description: z.string(),
      slug: z.string(),
      color: z.string().nullable(),
      badge: z.string().nullable(),
      categories: z.array(z.string()).describe('Slugs, in their order'),
      tags: z.array(z.string()).describe('Labels'),
      series: z.object({ slug: z.string(), part: z.number() }).nullable(),
      transcript: z.array(Cue).nullable(),
      isFree: z.boolean(),
      commenters: z.enum(commenterChoices),
    }),
    cover: z.object({
      imageUrl: z.string().nullable(),
      source: z.object({ imageUrl: z.string(), width: z.number(), height: z.number() }).nullable(),
      area: Area.nullable(),
    }),
    apart: z.array(Field).describe('Fields that listeners see as they were'),
    changes: z.array(z.object({ field: Field, version: z.number(), by: z.string().nullable(), at: Instant })),
    savedAt: Instant.nullable(),
  })
  .openapi('EditedAudio');

const SavedResponse = z.object({ version: z.number(), apart: z.array(Field), savedAt: Instant }).openapi('SavedAudio');

const StateResponse = z
  .object({ state: z.enum(managedStates), publishedAt: Instant.nullable(), slug: z.string() })
  .openapi('AudioPublication');

export const listStudioAudios = createRoute({
  method: 'get',
  path: '/studio/voices/{id}/audios',
  middleware: own,
  tags,
  summary: 'Audios of a voice, for its managers',
  request: {
    params: z.object({
      id: z
        .string()
        .min(1)
        .max(200)
        .openapi({ param: { name: 'id', in: 'path' } }),
    }),
    query: z.object({
      q: z.string().max(100).optional().describe('Part of a title or a tag'),
      state: z.enum(managedStates).optional().describe('Default: all but the deleted ones'),
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
        total: z.number(),
        counts: z.record(z.enum(['all', ...managedStates]), z.number()),
      }),
      'A page',
    ),
    ...refusals,
  },
});

export const actOnAudios = createRoute({
  method: 'post',
  path: '/studio/audios/acts',
  middleware: ownSmallWrite,
  tags,
  summary: 'The same act on several audios, each for itself',
  request: { body: jsonBody(z.object({ act: z.enum(bulkActs), ids: z.array(Id).min(1).max(maxAtOnce) })) },
  responses: {
    200: json(
      z.object({
        changed: z.array(Id),
        unchanged: z.array(Id).describe('Already in that state'),
        refused: z.array(
          z.object({
            id: Id,
            title: z.string().nullable(),
            reason: z.enum(['not-found', 'not-published', 'is-preview', 'mistimed-transcript', 'owners-only']),
          }),
        ),
      }),
      'What became of each',
    ),
    ...refusals,
  },
});

export const findStudioAudio = createRoute({
  method: 'get',
  path: '/studio/audios/{id}',
  middleware: own,
  tags,
  summary: 'An audio with its draft',
  request: { params: ownId },
  responses: { 200: json(EditedAudioResponse, 'The audio'), ...refusals },
});

export const saveStudioAudio = createRoute({
  method: 'patch',
  path: '/studio/audios/{id}',
  middleware: ownWrite,
  tags,
  summary: 'Saves fields: apart while listeners see the audio or other changes are apart, otherwise at once',
  request: { params: ownId, body: jsonBody(z.object({ version: Version, change: AudioChange })) },
  responses: { 200: json(SavedResponse, 'Saved'), ...refusals, 409: conflict },
});

export const publishStudioChanges = createRoute({
  method: 'post',
  path: '/studio/audios/{id}/changes/publish',
  middleware: ownSmallWrite,
  tags,
  summary: 'Publishes the whole draft, or nothing',
  request: { params: ownId, body: jsonBody(z.object({ version: Version })) },
  responses: { 200: json(SavedResponse, 'Published'), ...refusals, 409: conflict },
});

export const discardStudioChanges = createRoute({
  method: 'post',
  path: '/studio/audios/{id}/changes/discard',
  middleware: ownSmallWrite,
  tags,
  summary: 'Discards the draft',
  request: { params: ownId, body: jsonBody(z.object({ version: Version })) },
  responses: { 200: json(SavedResponse, 'Discarded'), ...refusals, 409: conflict },
});

export const setStudioCover = createRoute({
  method: 'put',
  path: '/studio/audios/{id}/cover',
  middleware: ownPicture,
  tags,
  summary: 'Another picture, another part of it, or one of the site’s making',
  request: {
    params: ownId,
    body: jsonBody(
      z.object({
        version: Version,
        choice: z.union([
          z.strictObject({ picture: z.base64().min(1).describe('JPEG, PNG, WebP, AVIF, GIF or TIFF') }),
          z.strictObject({ area: Area.describe('In pixels of `cover.source`, or of the cover when there is none') }),
          z.strictObject({ drawn: z.literal(true) }),
        ]),
      }),
    ),
  },
  responses: { 200: json(SavedResponse, 'Saved'), ...refusals, 409: conflict },
});

export const setPublication = createRoute({
  method: 'put',
  path: '/studio/audios/{id}/publication',
  middleware: ownSmallWrite,
  tags,
  summary: 'Publishes now or at a time, or unpublishes',
  request: {
    params: ownId,
    body: jsonBody(
      z.discriminatedUnion('state', [
        z.object({ state: z.literal('published') }),
        z.object({ state: z.literal('scheduled'), at: z.iso.datetime({ offset: true }) }),
        z.object({ state: z.literal('unpublished') }),
      ]),
    ),
  },
  responses: {
    200: json(StateResponse, 'Done'),
    ...refusals,
    409: json(ErrorResponse, 'Visitors hear it as the preview'),
  },
});

export const deleteStudioAudio = createRoute({
  method: 'delete',
  path: '/studio/audios/{id}',
  middleware: own,
  tags,
  summary: 'Deletes an audio; it can be restored for 30 days',
  request: { params: ownId },
  responses: {
    200: json(StateResponse, 'Deleted'),
    ...refusals,
    403: ownersOnly,
    409: json(ErrorResponse, 'Visitors hear it as the preview'),
  },
});

export const restoreStudioAudio = createRoute({
  method: 'post',
  path: '/studio/audios/{id}/restore',
  middleware: own,
  tags,
  summary: 'Restores a deleted audio',
  request: { params: ownId },
  responses: { 200: json(StateResponse, 'The audio is back'), ...refusals, 403: ownersOnly },
});

export const suggestStudioTags = createRoute({
  method: 'get',
  path: '/studio/tags',
  middleware: own,
  tags,
  summary: 'Labels of tags, the most used first',
  request: { query: z.object({ q: z.string().max(60).default('') }) },
  responses: { 200: json(z.object({ items: z.array(z.string()) }), 'Labels'), ...refusals },
});
