import type { HonoRequest } from 'hono';
import { errorResponse } from '../errors.ts';
import { evaluatePreconditions } from './ranges.ts';

type Picture = {
  /** Without quotes. */
  etag: string;
  cacheControl: string;
  mime: string;
  /** Bytes; undefined: unknown, for HEAD. */
  length: number | undefined;
  body: () => Uint8Array | ReadableStream<Uint8Array>;
  headers?: Record<string, string> | undefined;
};

/** Answers GET and HEAD for a picture, with their preconditions. */
export function pictureResponse(
  { method, raw }: HonoRequest,
  { etag, cacheControl, mime, length, body, headers: more }: Picture,
): Response {
  const headers = {
    etag: `"${etag}"`,
    'cache-control': cacheControl,
    // Feeds, podcast apps and link previews embed pictures on other sites.
    'cross-origin-resource-policy': 'cross-origin',
  };
  const precondition = evaluatePreconditions(raw.headers, { etag });
  if (precondition === 'not-modified') return new Response(null, { status: 304, headers });
  if (precondition === 'failed') return errorResponse('request/precondition-failed');
  return new Response(method === 'HEAD' ? null : (body() as Uint8Array<ArrayBuffer> | ReadableStream), {
    headers: {
      ...headers,
      'content-type': mime,
      ...(length !== undefined && { 'content-length': String(length) }),
      'x-content-type-options': 'nosniff',
      ...more,
    },
  });
}
