import type { HttpBindings } from '@hono/node-server';
import { type DataStore, ERRORS, Metadata, Server } from '@tus/server';
import { type Context, Hono } from 'hono';
import { routePath } from 'hono/route';
import { type ErrorCode, DomainError, errorStatus } from '#domain/kernel/errors.ts';
import { sentenceOf } from '#domain/kernel/input-faults.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import type { UploadTools } from '#domain/studio/uploads/finish-uploads.ts';
import { UploadForm } from '#domain/studio/forms.ts';
import { isOperator } from '#domain/admin/rules.ts';
import { hasStudio, maxArchiveBytes, maxUploadBytes } from '#domain/studio/rules.ts';
import type { ComingUpload, StartRefusal, UploadLimits } from '#domain/studio/uploads/uploads.ts';
import { type Failures, errorResponse } from '../errors.ts';
import type { createRateLimit } from '../limits/rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { createUploadLocker } from './upload-locker.ts';

/** Incoming files, and the tus server's access to them. */
export type UploadStore = UploadTools['incoming'] & {
  datastore: DataStore;
  /** Name of an upload in the datastore. */
  tusId(id: string): string;
};

export type UploadParts = {
  site: Site;
  store: UploadStore;
  tools: UploadTools;
  limits: UploadLimits;
  failures: Failures;
  rateLimit: ReturnType<typeof createRateLimit>;
};

export const uploadsPath = '/uploads';

/** Limits per creator and minute: new uploads, and parts of all of them. */
const maxStartsPerMinute = 60;
const maxPartsPerMinute = 1200;

const refusals: Record<StartRefusal, ErrorCode> = {
  'not-found': 'request/not-found',
  'unknown-category': 'upload/unknown-category',
  'wrong-type': 'upload/wrong-type',
  empty: 'upload/empty',
  'too-large': 'upload/too-large',
  'too-many': 'upload/too-many',
  'daily-limit': 'upload/daily-limit',
};

/** The tus server's own responses, which have no error codes. */
const tusCodes: Record<number, ErrorCode> = {
  404: 'request/not-found',
  409: 'upload/wrong-offset',
  410: 'request/not-found',
  412: 'request/precondition-failed',
  413: 'request/too-large',
  423: 'upload/busy',
  // An extension of the protocol.
  501: 'request/invalid',
};

/** The only headers that the tus server needs; it refuses unknown forms of others, which proxies add. */
const tusHeaders = [
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-defer-length',
  'upload-concat',
  'content-type',
  'content-length',
];

/**
 * Resumable uploads of creators by the tus protocol 1.0 (https://tus.io/protocols/resumable-upload), after
 * `bearerOnly`. Bodies are streamed to the store. GET is refused: nothing is downloaded from here.
 */
export function uploadRoutes({ site, store, tools, limits, failures, rateLimit }: UploadParts): Hono<ViewerEnv> {
  const { studio } = site;
  // No bytes with the first request, because limits are checked before they arrive, and no unknown lengths.
  store.datastore.extensions = ['creation', 'termination'];
  const prefix = store.tusId('00000000-0000-0000-0000-000000000000').slice(0, -36);
  const tus = new Server({
    path: uploadsPath,
    datastore: store.datastore,
    locker: createUploadLocker({ takeLock: studio.takeUploadLock, idOf: (name) => name.slice(prefix.length) }),
    maxSize: maxArchiveBytes,
    // When another request waits, the current one has this long to write the received bytes.
    lockDrainTimeout: 500,
    namingFunction: (request) => store.tusId(idIn(request)),
    generateUrl: (_request, { id }) => `${uploadsPath}/${id.slice(prefix.length)}`,
    getFileIdFromRequest: (request) => store.tusId(idIn(request)),
    // The body is the only text that reaches `handle`.
    onResponseError: (_request, error) =>
      error instanceof DomainError ? { status_code: errorStatus[error.code], body: error.code } : undefined,
  });

  const app = new Hono<ViewerEnv>();

  // In each response (protocol, "Tus-Resumable"), so that clients can tell a refusal from a proxy's error page.
  for (const path of [uploadsPath, `${uploadsPath}/*`])
    app.use(path, async (context, next) => {
      await next();
      context.header('tus-resumable', '1.0.0');
    });

  app.on('OPTIONS', [uploadsPath, `${uploadsPath}/:id`], (context) => handle(context, tus));

  app.post(uploadsPath, async (context) => {
    const user = loggedIn(context);
    if (!hasStudio(user) && !isOperator(user)) return errorResponse('studio/no-creator');
    if (!rateLimit(context, { kind: 'uploads', perMinute: maxStartsPerMinute, account: user.id }))
      return errorResponse('request/too-many');
    if (bringsBody(context.req.raw.headers))
      return errorResponse('request/invalid', 'Create the upload without a body, then send the bytes by PATCH.');
    const length = context.req.header('upload-length') ?? '';
    // Also refuses a deferred length, because limits could not be checked.
    if (!/^\d{1,15}$/.test(length)) return errorResponse('request/invalid', 'Upload-Length is missing.');
    const metadata = metadataOf(context.req.header('upload-metadata'));
    if (metadata === undefined) return errorResponse('request/invalid', 'Upload-Metadata is missing or not readable.');
    const form = UploadForm.safeParse(metadata);
    if (!form.success) return errorResponse('request/invalid', form.error.issues.map(sentenceOf)[0]);
    const bytes = Number(length);
    // Before the check of disk space, because an oversized file is the client's error.
    if (bytes > (form.data.isArchive ? maxArchiveBytes : maxUploadBytes)) return errorResponse('upload/too-large');
    await refuseWithoutRoom(bytes);
    const started = await studio.startUpload(user, form.data, bytes, limits);
    if (!started.ok) return errorResponse(refusals[started.reason]);
    let answer: Response | undefined;
    try {
      answer = await handle(context, tus, started.id);
    } finally {
      if (answer?.ok !== true) await studio.forgetUpload(started.id);
    }
    return answer.ok ? afterBytes(context, answer, { id: started.id, bytes, state: 'uploading' }) : answer;
  });

  // Hono routes HEAD to handlers of GET.
  app.get(`${uploadsPath}/:id`, async (context) => {
    if (context.req.method !== 'HEAD') return refuseMethod();
    let upload = await comingUpload(context);
    if (upload.state === 'uploading' && (await store.received(upload.id)) === upload.bytes) {
      // Its process died before storing the file, or its client missed the answer.
      if (!(await studio.finishUpload(upload.id, tools))) return errorResponse('upload/busy');
      upload = await comingUpload(context);
    }
    if (upload.state === 'uploading') {
      const answer = await handle(context, tus, upload.id);
      if (answer.status !== 404) return answer;
      // Finished while this request waited.
      upload = await comingUpload(context);
      if (upload.state === 'uploading') return answer;
    }
    return storedResponse(upload);
  });

  app.patch(`${uploadsPath}/:id`, async (context) => {
    const upload = await comingUpload(context);
    if (upload.state !== 'uploading') return errorResponse('upload/wrong-offset');
    // The only type of a part (protocol, "PATCH").
    if (context.req.header('content-type') !== 'application/offset+octet-stream')
      return errorResponse('request/unsupported-type');
    const account = loggedIn(context).id;
    if (!rateLimit(context, { kind: 'parts of uploads', perMinute: maxPartsPerMinute, account }))
      return errorResponse('request/too-many');
    await refuseWithoutRoom(Number(context.req.header('content-length') ?? 0));
    const answer = await handle(context, tus, upload.id);
    if (answer.ok) return afterBytes(context, answer, upload);
    // Finished while this request waited.
    if (answer.status === 404 && (await comingUpload(context)).state !== 'uploading')
      return errorResponse('upload/wrong-offset');
    // Part of it may have arrived before the connection broke.
    await studio.noteReceived(upload.id, (await store.received(upload.id)) ?? 0);
    return answer;
  });

  app.delete(`${uploadsPath}/:id`, async (context) => {
    const { id } = await comingUpload(context);
    const removed = await studio.removeUpload(loggedIn(context), id);
    if (!removed.ok) return errorResponse(removed.reason === 'too-late' ? 'upload/too-late' : 'request/not-found');
    // Stops a request that is still writing. A job deletes what remains.
    const answer = await handle(context, tus, id);
    return answer.ok || answer.status === 404 ? answerOf(new Response(null, { status: 204 })) : answer;
  });

  for (const path of [uploadsPath, `${uploadsPath}/*`]) app.all(path, refuseMethod);
  return app;

  /** @throws DomainError for uploads of others, as for unknown ones */
  async function comingUpload(context: Context<ViewerEnv>): Promise<ComingUpload> {
    const upload = await studio.findComingUpload(loggedIn(context), context.req.param('id') ?? '');
    if (upload === undefined) throw new DomainError('request/not-found');
    return upload;
  }

  async function refuseWithoutRoom(bytes: number): Promise<void> {
    const room = await store.room();
    if (room !== undefined && bytes > room) throw new DomainError('upload/no-space');
  }

  /** After bytes were stored: stores the file as a blob when it is complete. */
  async function afterBytes(context: Context, answer: Response, { id, bytes }: ComingUpload): Promise<Response> {
    const offset = Number(answer.headers.get('upload-offset') ?? 0);
    await studio.noteReceived(id, offset);
    // When another request is doing it, or this fails, HEAD and a job finish it.
    if (offset === bytes)
      await studio
        .finishUpload(id, tools)
        .catch((error: unknown) =>
          failures.report(error, 'An upload could not be kept', { route: routePath(context) }),
        );
    return answer;
  }

  async function handle(context: Context<ViewerEnv>, server: Server, id?: string): Promise<Response> {
    const { raw } = context.req;
    const { incoming } = (context.env ?? {}) as Partial<HttpBindings>;
    const body = raw.method !== 'PATCH' ? null : incoming === undefined ? raw.body : bodyOf(incoming);
    const headers = new Headers();
    for (const name of tusHeaders) {
      const value = raw.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const request = new Request(new URL(`${uploadsPath}/${id ?? ''}`, site.facts.url), {
      method: raw.method,
      headers,
      ...(body !== null && { body, duplex: 'half' as const }),
    });
    const answer = await server.handleWeb(request);
    if (answer.status < 400) return answerOf(answer);
    const answerText = await answer.text();
    if (isErrorCode(answerText)) return errorResponse(answerText);
    if (answerText.includes(ERRORS.ERR_LOCK_TIMEOUT.body)) return errorResponse('upload/busy');
    const code = tusCodes[answer.status] ?? (answer.status < 500 ? 'request/invalid' : undefined);
    if (code !== undefined) return errorResponse(code);
    // The client disconnected; received bytes are kept.
    if (incoming?.complete === false || answerText.includes(ERRORS.ABORTED.body))
      return errorResponse('request/invalid');
    const room = await store.room();
    if (room !== undefined && room === 0) return errorResponse('upload/no-space');
    throw new Error(`The upload server failed: ${answerText.slice(0, 200)}`);
  }
}

/** The response to HEAD for an upload whose file is already stored. */
function storedResponse({ bytes }: ComingUpload): Response {
  return new Response(null, {
    headers: {
      'upload-offset': String(bytes),
      'upload-length': String(bytes),
      'cache-control': 'no-store',
    },
  });
}

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errorStatus, text);

function refuseMethod(): Response {
  return errorResponse('request/method-not-allowed', undefined, { allow: 'POST, HEAD, PATCH, DELETE, OPTIONS' });
}

function bringsBody(headers: Headers): boolean {
  return Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding');
}

function idIn(request: Request): string {
  return request.url.slice(request.url.lastIndexOf('/') + 1);
}

/** Avoids `Readable.toWeb`, which copies each chunk: collecting the copies costs more than everything else. */
function bodyOf(incoming: HttpBindings['incoming']): ReadableStream<Uint8Array> {
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 4 },
  );
}

/** Without CORS headers, because only this site's pages use it. */
function answerOf(answer: Response): Response {
  const headers = new Headers([...answer.headers].filter(([name]) => !name.startsWith('access-control-')));
  headers.set('cache-control', 'no-store');
  return new Response(answer.body, { status: answer.status, headers });
}

/** @throws DomainError without a session */
function loggedIn(context: Context<ViewerEnv>): User {
  const session = context.get('loggedIn');
  if (session === undefined) throw new DomainError('auth/login-required');
  return session.viewer;
}

/** @returns undefined for a missing or invalid header */
function metadataOf(header: string | undefined): Record<string, string> | undefined {
  if (header === undefined || header.length > 8000) return undefined;
  try {
    const given = Metadata.parse(header);
    return Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
  } catch {
    return undefined;
  }
}
