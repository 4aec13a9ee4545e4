import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { BlobLinks, Blobs, ByteRange, RemoteBlobs } from '#domain/gateways.ts';
import type { PlayableFile, PlayableFileResult, SoundUse } from '#domain/listening/media.ts';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import { fileBody } from './file-body.ts';
import { evaluatePreconditions, parseRange, rangeStillValid } from './ranges.ts';

export type FileOptions = {
  blobs: Blobs;
  /** Called for a file that the database names but the disk lacks: the client gets 404, and the operator a log line. */
  onMissingFile?(file: PlayableFile): void;
};

/**
 * Restricted files stay out of shared caches, and browsers revalidate each use, so that an ended subscription or a
 * log-out takes effect at once. `no-store` would reload everything on each seek.
 */
const cacheControl = { public: 'public, max-age=3600', private: 'private, no-cache' } as const;

/** Optional after an id: podcast directories recognize sound by its extension. Podcast apps keep what they fetch. */
const extension = /\.(?:mp3|m4a|ogg|opus|flac|wav)$/;

/**
 * `GET` and `HEAD /media/audios/{id}`, optionally with an extension: the audio file, whole or in ranges (RFC 9110 §13,
 * §14), or a redirect to the storage.
 */
export function mediaRoutes({
  findPlayableFile,
  ...options
}: FileOptions & { findPlayableFile(request: Request, id: string, use: SoundUse): Promise<PlayableFileResult> }): Hono {
  const app = new Hono();

  app.get('/media/audios/:id', async (c) => {
    const address = c.req.param('id');
    const id = address.replace(extension, '');
    if (!/^[\w-]{1,200}$/.test(id)) return errorResponse('request/not-found');
    const playable = await findPlayableFile(c.req.raw, id, isDownload(c.req.url) || id !== address ? 'keep' : 'hear');
    if (!playable.ok) {
      const codes = {
        'login-required': 'auth/login-required',
        'subscription-required': 'subscription/required',
        'stream-only': 'audio/stream-only',
        'not-found': 'request/not-found',
      } as const;
      return errorResponse(codes[playable.reason]);
    }
    return answerFile(c, chooseFile(c.req.raw, playable.file), options);
  });

  app.all('/media/audios/:id', refuseUnlessRead);
  return app;
}

/** A page asks for a file to keep. */
const isDownload = (url: string) => new URL(url).searchParams.has('download');

/** The small file, if any, for browsers that save data (Save-Data, WICG). */
function chooseFile(request: Request, { small, ...file }: PlayableFile): PlayableFile {
  const savesData = request.headers.get('save-data')?.trim().toLowerCase() === 'on';
  return savesData && small !== undefined ? { ...file, ...small } : file;
}

/** A file, whole or in ranges, or a redirect to the storage. */
export async function answerFile(
  c: Context,
  file: PlayableFile,
  { blobs, onMissingFile }: FileOptions,
): Promise<Response> {
  // Undefined when the app is called without a server, as `app.request()` does. Its closing stops the reading.
  const outgoing = (c.env as Partial<HttpBindings> | undefined)?.outgoing;
  const answer =
    blobs.remote === undefined
      ? await answerFromDisk(c.req.raw, file, blobs, outgoing)
      : await answerFromStorage(c.req.raw, file, blobs.remote, outgoing);
  if (answer === undefined) onMissingFile?.(file);
  return answer ?? errorResponse('request/not-found');
}

/** @returns undefined for a missing file */
async function answerFromDisk(
  request: Request,
  file: PlayableFile,
  blobs: Blobs,
  outgoing: unknown,
): Promise<Response | undefined> {
  // Content-Length comes from the file, not the row: a wrong length would break every connection.
  const blob = await blobs.stat(file.key);
  if (blob === undefined) return undefined;
  return answerWithFile(request, file, blob.bytes, async (range) => fileBody(blobs.read(file.key, range), outgoing));
}

/** Also without a small file, because one may be created later. */
const vary = 'Save-Data';

/** Only the first byte: the player's request for the cause of a failed file (`player/recovery/failure.ts`). */
const probe = /^bytes=0-0$/;

/**
 * Redirects to the storage, or forwards the bytes. The size comes from the row, which saves a call per range; if the
 * storage reports another size, the answer is built again with it.
 * @returns undefined for a missing file
 */
async function answerFromStorage(
  request: Request,
  file: PlayableFile,
  { open, links }: RemoteBlobs,
  outgoing: unknown,
): Promise<Response | undefined> {
  // A redirect reveals nothing about the storage, so this site calls it for the probe. A page that stores the file on
  // the device cannot read another host's response.
  const isPassedOn =
    probe.test(request.headers.get('range') ?? '') ||
    isDownload(request.url) ||
    new URL(request.url).searchParams.has('whole');
  if (links !== undefined && !isPassedOn) return redirectToStorage(request, file, links);
  let isMissing = false;
  let size = file.bytes;
  for (;;) {
    let actual = size;
    const answer = await answerWithFile(request, file, size, async (range) => {
      const opened = await open(file.key, range);
      if (opened === undefined) isMissing = true;
      else if (opened.size !== size) {
        actual = opened.size;
        await opened.body.cancel();
      } else return fileBody(opened.body, outgoing);
      return null;
    });
    if (isMissing) return undefined;
    if (actual === size) return answer;
    size = actual;
  }
}

async function redirectToStorage(request: Request, file: PlayableFile, links: BlobLinks): Promise<Response> {
  const precondition = evaluatePreconditions(request.headers, file);
  if (precondition === 'not-modified') return new Response(null, { status: 304, headers: cacheHeaders(file) });
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  return new Response(null, {
    status: 302,
    headers: {
      location: await links.sign(file.key, { method, mime: file.mime }),
      // The address expires, and belongs to a listener with access.
      'cache-control': 'no-store',
      vary,
      ...(file.cache === 'public' && { 'cross-origin-resource-policy': 'cross-origin' }),
    },
  });
}

function cacheHeaders(file: PlayableFile): Record<string, string> {
  return {
    'cache-control': cacheControl[file.cache],
    etag: `"${file.etag}"`,
    'last-modified': file.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    vary,
    // Public audios are in feeds, which other sites load.
    ...(file.cache === 'public' && { 'cross-origin-resource-policy': 'cross-origin' }),
  };
}

/** A file, whole or in ranges. @param read returns null for a missing file */
export async function answerWithFile(
  request: Request,
  file: PlayableFile,
  size: number,
  read: (range: ByteRange) => Promise<ReadableStream<Uint8Array> | null>,
): Promise<Response> {
  const precondition = evaluatePreconditions(request.headers, file);
  if (precondition === 'not-modified') return new Response(null, { status: 304, headers: cacheHeaders(file) });
  if (precondition === 'failed') return errorResponse('request/precondition-failed');

  const fileHeaders = {
    ...cacheHeaders(file),
    'content-type': file.mime,
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
  };
  // Ranges are defined for GET alone (RFC 9110 §14.2).
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...fileHeaders, 'content-length': String(size) } });

  const rangeHeader = request.headers.get('range');
  const outcome = parseRange(
    rangeHeader !== null && rangeStillValid(request.headers.get('if-range'), file) ? rangeHeader : undefined,
    size,
  );
  if (outcome.kind === 'unsatisfiable') {
    return errorResponse('request/range-not-satisfiable', undefined, {
      'content-range': `bytes */${size}`,
      'accept-ranges': 'bytes',
    });
  }
  if (outcome.kind === 'whole') {
    const body = size === 0 ? null : await read({ start: 0, end: size - 1 });
    return new Response(body, { headers: { ...fileHeaders, 'content-length': String(size) } });
  }
  const { start, end } = outcome.range;
  return new Response(await read(outcome.range), {
    status: 206,
    headers: {
      ...fileHeaders,
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${size}`,
    },
  });
}
