import type { Context } from 'hono';
import type { Logger } from 'pino';
import {
  type ErrorCode,
  type Sentence,
  ChangedMeanwhile,
  DomainError,
  errorRetryAfter,
  errorStatus,
  errorTexts,
  say,
  TooManyTries,
} from '#domain/kernel/errors.ts';
import { oncePer } from '#start/log.ts';

/**
 * `field`: path of the value that is invalid, such as `change.title`. `change`: of somebody else, for an edit whose author
 * has not seen it.
 */
type ErrorFacts = { field?: string | undefined; change?: { by: string | null; at: string } | undefined };
export type ErrorBody = { error: { code: ErrorCode; message: string } & ErrorFacts };

export function errorBody(
  code: ErrorCode,
  sentence: Sentence | string = errorTexts[code],
  { field, change }: ErrorFacts = {},
): ErrorBody {
  // The path of the whole body is empty.
  return { error: { code, message: say(sentence), ...(field && { field }), ...(change && { change }) } };
}

/** The only format of an error answer, with the status of its code, in the language of the request. */
export function errorResponse(
  code: ErrorCode,
  sentence?: Sentence | string,
  headers?: HeadersInit,
  facts?: ErrorFacts,
): Response {
  const later = errorRetryAfter[code];
  return Response.json(errorBody(code, sentence, facts), {
    status: errorStatus[code],
    headers: {
      'cache-control': 'no-store',
      // RFC 9110 §15.5.2 requires this header on a 401.
      ...(errorStatus[code] === 401 && { 'www-authenticate': 'Bearer' }),
      ...(later !== undefined && { 'retry-after': String(later) }),
      ...headers,
    },
  });
}

/** For what is only read: 404 for a read that no route has answered, 405 for other methods. */
export function refuseUnlessRead({ req }: Context): Response {
  if (req.method === 'GET' || req.method === 'HEAD') return errorResponse('request/not-found');
  return errorResponse('request/method-not-allowed', undefined, { allow: 'GET, HEAD' });
}

export type Failures = ReturnType<typeof createFailures>;

/**
 * Maps thrown errors to answers and log lines. During a database outage every request fails, so only one line per 30 s
 * is logged.
 * @param outageOf whether an error means that the database is unreachable, or gave the statement up
 */
export function createFailures(options: {
  log: Logger;
  outageOf: (error: unknown) => 'away' | 'busy' | 'too-slow' | undefined;
}) {
  const { log, outageOf } = options;
  const reportAway = oncePer(30_000, (error: unknown) => log.error({ err: error }, 'The database is away'));
  const reportBusy = oncePer(30_000, (error: unknown, what: string, details: Record<string, string>) =>
    log.warn({ err: error, ...details }, `${what}: the database is busy`),
  );
  /** Logs unexpected errors. @returns the code to answer with */
  function report(error: unknown, what: string, details: Record<string, string> = {}): ErrorCode {
    const outage = outageOf(error);
    if (outage === 'away') {
      reportAway(error);
      return 'server/unavailable';
    }
    if (outage === 'busy') {
      reportBusy(error, what, details);
      return 'server/busy';
    }
    if (outage === 'too-slow') {
      log.error({ err: error, ...details }, `${what}: a statement ran into its time limit`);
      return 'server/too-slow';
    }
    log.error({ err: error, ...details }, what);
    return 'server/failed';
  }
  return {
    /** Whether a statement ran into its time limit. */
    isTooSlow: (error: unknown) => outageOf(error) === 'too-slow',
    report,
    /** The error answer for a call that threw; logs unexpected errors. */
    respond(error: unknown, what: string, details?: Record<string, string>): Response {
      if (!(error instanceof DomainError)) return errorResponse(report(error, what, details));
      const { code, sentence } = error;
      const headers = error instanceof TooManyTries ? { 'retry-after': String(error.retryAfter) } : undefined;
      const change = error instanceof ChangedMeanwhile ? error.change : undefined;
      return errorResponse(code, sentence, headers, {
        change: change && { by: change.by, at: change.at.toISOString() },
      });
    },
  };
}
