import { z } from '@hono/zod-openapi';
import { commenterChoices } from '#domain/catalogue/rules.ts';
import { Limit } from '#domain/kernel/pages.ts';
import { UploadEdit } from '#domain/studio/forms.ts';
import { uploadFailures, uploadStates, uploadSteps } from '#domain/studio/rules.ts';
import { studioCall } from '../call.ts';
import { pageOf } from '../schemas.ts';

/** Uploads of the voices that the user manages; those of others answer not-found. Bytes: `http/files/uploads.ts`. */

const limit = { kind: 'studio uploads', perMinute: 240 };

const refuses = { 'unknown-category': 'upload/unknown-category', 'too-late': 'upload/too-late' } as const;

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

export const listUploads = studioCall({
  get: '/studio/voices/{id}/uploads',
  about: 'Uploads of a voice: unfinished, processing, failed, and ready ones of the last days',
  query: z.object({ limit: Limit, cursor: z.string().optional() }),
  output: pageOf(UploadResponse),
  limit,
  act: ({ site, viewer, id, query }) => site.studio.listUploads(viewer, id, query),
});

export const editUpload = studioCall({
  patch: '/studio/uploads/{id}',
  about: 'Changes the defaults of the new audio, until it exists',
  input: UploadEdit,
  refuses,
  limit,
  act: ({ site, viewer, id, input }) => site.studio.editUpload(viewer, id, input),
});

export const retryUpload = studioCall({
  post: '/studio/uploads/{id}/retry',
  about: 'Processes a failed upload again',
  refuses,
  limit,
  async act({ site: { studio }, viewer, id, parts: { addJobs, failures } }) {
    const result = await studio.retryUpload(viewer, id);
    // A scheduled job finds it too.
    if (result.ok)
      await studio
        .queueUpload(id, addJobs)
        .catch((error: unknown) => failures.report(error, 'The processing of an upload is late'));
    return result;
  },
});

export const removeUpload = studioCall({
  delete: '/studio/uploads/{id}',
  about: 'Removes an upload from the list; an audio made from it stays',
  refuses,
  limit,
  act: ({ site, viewer, id }) => site.studio.removeUpload(viewer, id),
});
