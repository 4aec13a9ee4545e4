import { z } from '@hono/zod-openapi';
import { Limit } from '#domain/kernel/pages.ts';
import { UploadEdit } from '#domain/studio/forms.ts';
import { ListedUpload } from '#domain/studio/uploads/uploads.ts';
import { studioCall } from '../call.ts';
import { pageOf } from '../schemas.ts';
import { scriptBytes, scriptRefusals } from './timing.ts';

/** Uploads of the voices that the user manages; those of others answer not-found. Bytes: `http/files/uploads.ts`. */

const limit = { kind: 'studio uploads', perMinute: 240 };

const refuses = { 'unknown-category': 'upload/unknown-category', 'too-late': 'upload/too-late' } as const;

const UploadResponse = z.object(ListedUpload.shape).openapi('Upload');

export const listUploads = studioCall({
  get: '/studio/voices/{id}/uploads',
  command: 'uploads list',
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
  refuses: { ...refuses, ...scriptRefusals },
  limit,
  maxBytes: scriptBytes,
  act: ({ site, viewer, id, input }) => site.studio.editUpload(viewer, id, input),
});

export const retryUpload = studioCall({
  post: '/studio/uploads/{id}/retry',
  about: 'Processes a failed upload again',
  refuses,
  limit,
  act: ({ site, viewer, id }) => site.studio.retryUpload(viewer, id),
});

export const removeUpload = studioCall({
  delete: '/studio/uploads/{id}',
  about: 'Removes an upload from the list; an audio made from it stays',
  refuses,
  limit,
  act: ({ site, viewer, id }) => site.studio.removeUpload(viewer, id),
});
