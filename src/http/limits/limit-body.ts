import type { Context, Env, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { errorResponse } from '../errors.ts';
import { findMark } from '../route-marks.ts';

/** A slow phone sends more in a second. */
const minBytesPerSecond = 50_000;

/**
 * Milliseconds until the whole body must have arrived: at least ten seconds, and less than the server gives to a whole
 * request (`limitConnections`).
 */
function patienceFor(bytes: number): number {
  return Math.min(55_000, Math.max(10_000, (bytes / minBytesPerSecond) * 1000));
}

type Limit = { maxBytes: number; code: ErrorCode };

/** Limit of each `limitBody` middleware, for `readBodyFirst`. */
const limits = new WeakMap<object, Limit>();

/** Reads the body; refuses larger ones, and those that arrive too slowly. */
export function limitBody(maxBytes: number, code: ErrorCode = 'request/too-large'): MiddlewareHandler<Env> {
  const limit = { maxBytes, code };
  const middleware: MiddlewareHandler<Env> = async (context, next) => (await readBody(context, limit)) ?? next();
  limits.set(middleware, limit);
  return middleware;
}

/**
 * Reads the body under the matched route's limit, before the call takes a database place, so that a stalled body holds
 * none.
 * @param isEncrypted the limit is for the plain text
 */
export function readBodyFirst({ isEncrypted }: { isEncrypted: boolean }): MiddlewareHandler {
  return async (context, next) => {
    if (!bringsBody(context)) return next();
    const limit = findMark(context, limits);
    if (limit === undefined) return next();
    const sent: Limit = isEncrypted ? { maxBytes: encryptedBytes(limit.maxBytes), code: 'request/too-large' } : limit;
    // Content-Length is over the limit: skip reading, so that the route can answer 401 first.
    if (!isEncrypted && isDeclaredTooLong(context, limit.maxBytes)) return next();
    return (await readBody(context, sent)) ?? next();
  };
}

/** Bytes that an encrypted body may have: base64 makes it a third longer. */
export function encryptedBytes(plainBytes: number): number {
  return Math.ceil(plainBytes * 1.4) + 200;
}

/** Whether `readBodyFirst` has limited the body. */
export function hasBodyLimit(context: Context): boolean {
  return findMark(context, limits) !== undefined;
}

function bringsBody({ req }: Context): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return false;
  return (req.header('content-length') ?? '0') !== '0' || req.header('transfer-encoding') !== undefined;
}

function isDeclaredTooLong({ req }: Context, maxBytes: number): boolean {
  return req.header('transfer-encoding') === undefined && Number(req.header('content-length')) > maxBytes;
}

/**
 * Stores the body in the context's body cache. Hono's own check is used only without Content-Length, because its stream
 * costs a small call more than all the rest.
 * @returns the refusal
 */
async function readBody(context: Context, { maxBytes, code }: Limit): Promise<Response | undefined> {
  if (!bringsBody(context)) return undefined;
  const { req } = context;
  const refuse = () => errorResponse(code);
  const hasDeclaredLength = req.header('transfer-encoding') === undefined;
  if (isDeclaredTooLong(context, maxBytes)) return refuse();
  const read = async () => {
    if (hasDeclaredLength) await req.text();
    else return (await bodyLimit({ maxSize: maxBytes, onError: refuse })(context, async () => {})) ?? undefined;
    return undefined;
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Response>((resolve) => {
    const patience = patienceFor(hasDeclaredLength ? Number(req.header('content-length')) : maxBytes);
    timer = setTimeout(() => resolve(errorResponse('request/timeout', undefined, { connection: 'close' })), patience);
  });
  try {
    // A client that disconnects while sending is not an error and gets no answer.
    return await Promise.race([read().catch(() => errorResponse('request/invalid')), late]);
  } finally {
    clearTimeout(timer);
  }
}
