import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { ChangeRefusal, ChangeResult } from '#domain/studio/uploads/uploads.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import * as contract from './studio-uploads-contract.ts';

const reasons: Record<ChangeRefusal, ErrorCode> = {
  'not-found': 'request/not-found',
  'unknown-category': 'upload/unknown-category',
  'too-late': 'upload/too-late',
};

/** Uploads of the voices that the user manages; those of others answer not-found. Bytes: `http/files/uploads.ts`. */
export function studioUploadRoutes({ site: { studio }, addJobs, failures }: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listUploads, async (context) => {
      const { viewer } = context.get('loggedIn');
      const page = found(await studio.listUploads(viewer, context.req.valid('param').id, context.req.valid('query')));
      return context.json({ items: page.items, nextCursor: page.nextCursor ?? null }, 200);
    })
    .openapi(contract.editUpload, async (context) => {
      const { viewer } = context.get('loggedIn');
      orThrow(await studio.editUpload(viewer, context.req.valid('param').id, context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.retryUpload, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      orThrow(await studio.retryUpload(viewer, id));
      // The upload is queued anyway, and a scheduled job finds it.
      await studio
        .queueUpload(id, addJobs)
        .catch((error: unknown) => failures.report(error, 'The processing of an upload is late'));
      return context.body(null, 204);
    })
    .openapi(contract.removeUpload, async (context) => {
      const { viewer } = context.get('loggedIn');
      orThrow(await studio.removeUpload(viewer, context.req.valid('param').id));
      return context.body(null, 204);
    });
}

function orThrow(result: ChangeResult): void {
  if (!result.ok) throw new DomainError(reasons[result.reason]);
}
