import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorCode } from '#domain/errors.ts';
import { errorSentences } from '#domain/errors.ts';

export const errorStatus: Record<ErrorCode, ContentfulStatusCode> = {
  'request/invalid': 400,
  'request/not-found': 404,
  'request/method-not-allowed': 405,
  'request/too-large': 413,
  'request/unsupported-type': 415,
  'request/bad-cursor': 400,
  'request/range-not-satisfiable': 416,
  'request/precondition-failed': 412,
  'request/too-many': 429,
  'auth/login-required': 401,
  'subscription/required': 402,
  'server/unavailable': 503,
  'server/failed': 500,
};

export type ErrorBody = { error: { code: ErrorCode; message: string } };

/** The one shape of an error answer: `{ error: { code, message } }` with the status of its code. */
export function errorResponse(
  code: ErrorCode,
  message: string = errorSentences[code],
  headers?: HeadersInit,
): Response {
  const body: ErrorBody = { error: { code, message } };
  return Response.json(body, { status: errorStatus[code], headers: { 'cache-control': 'no-store', ...headers } });
}
