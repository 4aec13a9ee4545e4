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
  /** `public` for audios that anyone may hear (free, preview); otherwise `private`. */
  cache: 'public' | 'private';
};

export type PlayableFileOutcome =
  | { ok: true; file: PlayableFile }
  | { ok: false; reason: 'not-found' | 'login-required' | 'subscription-required' };

export type MediaRoutesOptions = {
  findPlayableFile(request: Request, id: string): Promise<PlayableFileOutcome>;
  blobs: Blobs;
  /** The database names a file missing on disk: the client gets 404, and the operator should be told. */
  onMissingFile?(file: PlayableFile): void;
};

/**
 * Restricted files stay out of shared caches, and browsers revalidate each use, so that an ended subscription or a
 * log-out takes effect at once. `no-store` would reload everything on each seek.
 */
const cacheControl = { public: 'public, max-age=3600', private: 'private, no-cache' } as const;

/** Optional behind an id: podcast directories recognize sound by its extension. */
const extension = /\.(?:mp3|m4a|ogg|opus|flac|wav)$/;

/** `GET` and `HEAD /media/audios/{id}`, also with an extension: the audio file, whole or in parts (RFC 9110 §13, §14). */
export function mediaRoutes({ findPlayableFile, blobs, onMissingFile }: MediaRoutesOptions): Hono {
  const app = new Hono();

  app.get('/media/audios/:id', async (c) => {
    const id = c.req.param('id').replace(extension, '');
    if (!/^[\w-]{1,200}$/.test(id)) return errorResponse('request/not-found');
    const found = await findPlayableFile(c.req.raw, id);
    if (!found.ok) {
      const codes = {
        'login-required': 'auth/login-required',
        'subscription-required': 'subscription/required',
        'not-found': 'request/not-found',
      } as const;
      return errorResponse(codes[found.reason]);
    }
    const { file } = found;
    // Content-Length comes from the file, not the row: a wrong length would break every connection.
    const blob = await blobs.stat(file.key);
    if (!blob) {
      onMissingFile?.(file);
      return errorResponse('request/not-found');
    }
    // Undefined when the app is called without a server, as `app.request()` does.
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
    // Public audios are in feeds, which other sites load.
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
