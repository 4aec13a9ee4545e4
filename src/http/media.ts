import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Blobs, ByteRange } from '#domain/gateways.ts';
import { errorResponse } from './errors.ts';
import { fileBody } from './file-body.ts';
import { evaluatePreconditions, parseRange, rangeStillValid } from './ranges.ts';

export type PlayableFile = {
  /** Key of the blob. */
  key: string;
  mime: string;
  bytes: number;
  /** Opaque, without quotes; changes with every byte of the content. */
  etag: string;
  modifiedAt: Date;
  /** `public` is what anyone may hear (free, preview); all else is `private`. */
  cache: 'public' | 'private';
};

export type PlayableFileOutcome =
  | { ok: true; file: PlayableFile }
  | { ok: false; reason: 'not-found' | 'login-required' | 'subscription-required' };

export type MediaRoutesOptions = {
  findPlayableFile(request: Request, id: string): Promise<PlayableFileOutcome>;
  blobs: Blobs;
  /** The database names a file that is not there: the client gets 404, the operator should hear of it. */
  onMissingFile?(file: PlayableFile): void;
};

/**
 * What a listener is entitled to is never in a shared cache, and the browser asks again each time it uses its copy, so
 * that a subscription that ended, or a log-out, counts at once. `no-store` would load everything anew on each seek.
 */
const cacheControl = { public: 'public, max-age=3600', private: 'private, no-cache' } as const;

/** `GET` and `HEAD /media/audios/{id}`: the audio file, whole or in parts (RFC 9110 §13, §14). */
export function mediaRoutes({ findPlayableFile, blobs, onMissingFile }: MediaRoutesOptions): Hono {
  const app = new Hono();

  app.get('/media/audios/:id', async (c) => {
    const id = c.req.param('id');
    if (!/^[\w-]{1,200}$/.test(id)) return errorResponse('request/not-found');
    const found = await findPlayableFile(c.req.raw, id);
    if (!found.ok) {
      if (found.reason === 'login-required')
        return errorResponse('auth/login-required', undefined, { 'www-authenticate': 'Bearer' });
      return errorResponse(found.reason === 'subscription-required' ? 'subscription/required' : 'request/not-found');
    }
    const { file } = found;
    // The file on disk, not the row, says how long it is: a wrong Content-Length would break every connection.
    const blob = await blobs.stat(file.key);
    if (!blob) {
      onMissingFile?.(file);
      return errorResponse('request/not-found');
    }
    // Absent when the app is called without a server, as `app.request()` does.
    const bindings = c.env as Partial<HttpBindings> | undefined;
    return answerWithFile(c.req.raw, file, blob.bytes, (range) =>
      fileBody(blobs.read(file.key, range), bindings?.outgoing),
    );
  });

  app.all('/media/audios/:id', () => errorResponse('request/method-not-allowed', undefined, { allow: 'GET, HEAD' }));
  return app;
}

function answerWithFile(
  request: Request,
  file: PlayableFile,
  size: number,
  read: (range: ByteRange) => ReadableStream<Uint8Array>,
): Response {
  const cacheHeaders = {
    'cache-control': cacheControl[file.cache],
    etag: `"${file.etag}"`,
    'last-modified': file.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    // What anyone may hear stands in feeds, and readers of feeds are pages of others.
    ...(file.cache === 'public' && { 'cross-origin-resource-policy': 'cross-origin' }),
  };
  const precondition = evaluatePreconditions(request.headers, file);
  if (precondition === 'not-modified') return new Response(null, { status: 304, headers: cacheHeaders });
  if (precondition === 'failed') return errorResponse('request/precondition-failed');

  const fileHeaders = {
    ...cacheHeaders,
    'content-type': file.mime,
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
  };
  // Ranges are defined for GET alone (RFC 9110 §14.2).
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...fileHeaders, 'content-length': String(size) } });

  const asked = request.headers.get('range');
  const outcome = parseRange(
    asked !== null && rangeStillValid(request.headers.get('if-range'), file) ? asked : undefined,
    size,
  );
  if (outcome.kind === 'unsatisfiable') {
    return errorResponse('request/range-not-satisfiable', undefined, {
      'content-range': `bytes */${size}`,
      'accept-ranges': 'bytes',
    });
  }
  if (outcome.kind === 'whole') {
    const body = size === 0 ? null : read({ start: 0, end: size - 1 });
    return new Response(body, { headers: { ...fileHeaders, 'content-length': String(size) } });
  }
  const { start, end } = outcome.range;
  return new Response(read(outcome.range), {
    status: 206,
    headers: {
      ...fileHeaders,
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${size}`,
    },
  });
}
