import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ErrorCode } from '#domain/errors.ts';
import { errorResponse } from './errors.ts';

/**
 * Refuses bodies of more bytes. Where the length is told, Node holds the client to it, and the body is left alone: Hono's
 * own check would turn it into a stream first, which costs a small call more than all the rest of it.
 */
export function limitBody(mostBytes: number, code: ErrorCode = 'request/too-large'): MiddlewareHandler {
  const refuse = () => errorResponse(code);
  const readAndLimit = bodyLimit({ maxSize: mostBytes, onError: refuse });
  return async (context, next) => {
    const length = context.req.header('content-length');
    if (length === undefined || context.req.header('transfer-encoding') !== undefined)
      return readAndLimit(context, next);
    return Number(length) > mostBytes ? refuse() : next();
  };
}
