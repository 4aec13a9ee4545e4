import { createRoute, z } from '@hono/zod-openapi';
import { commenterChoices } from '#domain/catalogue/rules.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { UploadEdit } from '#domain/studio/forms.ts';
import { uploadFailures, uploadStates, uploadSteps } from '#domain/studio/rules.ts';
import { limitBody } from '../limits/limit-body.ts';
import { creatorsOnly, inOrder, limitAccount, personal } from './guards.ts';
import { ErrorResponse, failures, json, jsonBody, ownId, refusals as ownRefusals } from '#api/schemas.ts';

const own = inOrder(personal, creatorsOnly, limitAccount('studio uploads', 240));
const ownWrite = inOrder(...own, limitBody(16 * 1024));

const refusals = {
  ...ownRefusals,
  403: json(ErrorResponse, 'For owners and editors of a creator only'),
  ...failures,
} as const;
const tooLate = json(ErrorResponse, 'Its state no longer allows that');

const UploadResponse = z
  .object({
    id: z.uuid(),
    fileName: z.string(),
    title: z.string(),
    bytes: z.number(),
    choices: z.object({
      categoryId: z.uuid().optional(),
      isFree: z.boolean().optional(),
      commenters: z.enum(commenterChoices).optional(),
    }),
    state: z.enum(uploadStates),
    step: z.enum(uploadSteps).nullable(),
    progress: z.number().describe('Percent of the step, or of the bytes that have arrived'),
    secondsLeft: z.number().nullable().describe('Until it is processed; null where that is not known'),
    facts: z
      .object({
        format: z.string(),
        sampleRate: z.number().describe('Hertz'),
        bits: z.number(),
        channels: z.number(),
        durationMs: z.number(),
        loudnessBefore: z.number().describe('LUFS'),
        loudnessAfter: z.number().describe('LUFS'),
        truePeakAfter: z.number().describe('dBTP'),
        missingSeconds: z
          .number()
          .describe('Seconds that the header states beyond the content; 0: it ends early by an unknown time'),
      })
      .partial(),
    failure: z.enum(uploadFailures).nullable(),
    failureDetail: z.string().nullable(),
    isRetriable: z.boolean(),
    audioId: z.uuid().nullable().describe('The audio made from it, or whose file it replaces'),
    replaces: z.boolean(),
    isPublished: z.boolean().describe('The audio is published, or will be at a time'),
    isOwn: z.boolean().describe('Uploaded by the requesting user, who alone can resume it'),
    outline: z.string().nullable().describe('Pairs of bytes in base64 along the recording: peak and loudness'),
    createdAt: z.iso.datetime(),
  })
  .openapi('Upload');

export const listUploads = createRoute({
  method: 'get',
  path: '/studio/voices/{id}/uploads',
  middleware: own,
  tags: ['Studio'],
  summary: 'Uploads of a voice: unfinished, processing, failed, and ready ones of the last days',
  request: {
    params: ownId,
    query: z.object({ limit: Limit, cursor: z.string().optional() }),
  },
  responses: {
    200: json(z.object({ items: z.array(UploadResponse), nextCursor: z.string().nullable() }), 'The newest first'),
    ...refusals,
  },
});

export const editUpload = createRoute({
  method: 'patch',
  path: '/studio/uploads/{id}',
  middleware: ownWrite,
  tags: ['Studio'],
  summary: 'Changes the defaults of the new audio, until it exists',
  request: { params: ownId, body: jsonBody(UploadEdit) },
  responses: { 204: { description: 'Changed' }, ...refusals, 409: tooLate },
});

export const retryUpload = createRoute({
  method: 'post',
  path: '/studio/uploads/{id}/retry',
  middleware: ownWrite,
  tags: ['Studio'],
  summary: 'Processes a failed upload again',
  request: { params: ownId },
  responses: { 204: { description: 'It waits to be processed' }, ...refusals, 409: tooLate },
});

export const removeUpload = createRoute({
  method: 'delete',
  path: '/studio/uploads/{id}',
  middleware: own,
  tags: ['Studio'],
  summary: 'Removes an upload from the list; an audio made from it stays',
  request: { params: ownId },
  responses: { 204: { description: 'Removed' }, ...refusals, 409: tooLate },
});
