import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { ChangedMeanwhile, DomainError, errorSentences, TooManyTries } from '#domain/kernel/errors.ts';
import { oncePer } from '#start/log.ts';

export const errorStatus: Record<ErrorCode, ContentfulStatusCode> = {
  'request/invalid': 400,
  'request/not-found': 404,
  'request/method-not-allowed': 405,
  'request/too-large': 413,
  'request/unsupported-type': 415,
  'request/bad-cursor': 400,
  'request/range-not-satisfiable': 416,
  'request/precondition-failed': 412,
  'request/precondition-required': 428,
  'request/too-many': 429,
  'request/in-progress': 409,
  'request/key-of-another': 422,
  'request/timeout': 408,
  'request/wrong-host': 421,
  'auth/login-required': 401,
  'auth/invalid-id-token': 401,
  'auth/account-exists-with-different-credential': 409,
  'auth/wrong-password': 403,
  'auth/user-not-found': 403,
  'auth/too-many-requests': 429,
  'auth/user-disabled': 403,
  'auth/email-already-in-use': 409,
  'auth/invalid-email': 400,
  'auth/username-already-in-use': 409,
  'auth/invalid-username': 400,
  'auth/weak-password': 400,
  'auth/common-password': 400,
  'auth/under-age': 400,
  'auth/terms-not-accepted': 400,
  'auth/invalid-link': 400,
  'auth/wrong-code': 403,
  'auth/second-factor-required': 403,
  'auth/second-factor-exists': 409,
  'auth/last-second-factor': 409,
  'auth/fresh-login-required': 403,
  'subscription/required': 402,
  'subscription/already-subscribed': 409,
  'subscription/none': 409,
  'subscription/payment-due': 409,
  'subscription/trial-used': 409,
  'subscription/price-changed': 409,
  'payment/card-declined': 402,
  'payment/insufficient-funds': 402,
  'payment/expired-card': 402,
  'payment/incorrect-cvc': 402,
  'payment/incorrect-number': 402,
  'payment/processing-error': 402,
  'payment/authentication-failed': 402,
  'payment/unknown-method': 400,
  'payment/in-progress': 409,
  'payment/unavailable': 503,
  'promo-code/unknown': 400,
  'promo-code/disabled': 400,
  'promo-code/expired': 400,
  'promo-code/used-up': 400,
  'promo-code/not-for-you': 400,
  'promo-code/ends-too-soon': 400,
  'gift-card/unknown': 404,
  'gift-card/already-redeemed': 409,
  'gift-card/refunded': 409,
  'promo-code/above-price': 400,
  'promo-code/exists': 409,
  'promo-code/changed': 409,
  'refund/changed': 409,
  'refund/too-much': 400,
  'refund/not-possible': 409,
  'subscription/changed': 409,
  'reconciliation/running': 409,
  'payout/changed': 409,
  'payout/locked': 409,
  'payout/too-early': 409,
  'payout/no-pool': 409,
  'queue/newer-version': 412,
  'library/full': 409,
  'offline/too-many-devices': 409,
  'playlist/changed': 409,
  'comments/disabled': 403,
  'comments/subscribers-only': 403,
  'comments/blocked': 403,
  'comment/empty': 400,
  'comment/too-many': 429,
  'comment/too-long': 400,
  'upload/unknown-category': 400,
  'upload/wrong-type': 415,
  'upload/empty': 400,
  'upload/too-large': 413,
  'upload/too-many': 409,
  'upload/daily-limit': 429,
  'upload/no-space': 503,
  'upload/wrong-offset': 409,
  'upload/busy': 423,
  'upload/too-late': 409,
  'list/changed': 409,
  'list/other-name': 400,
  'look/changed': 409,
  'look/contrast': 400,
  'look/bad-svg': 400,
  'look/svg-too-large': 413,
  'look/unknown-content': 400,
  'look/bad-file': 400,
  'look/newer-file': 400,
  'look/nothing-to-undo': 409,
  'preview/changed': 409,
  'preview/not-published': 409,
  'picture/changed': 409,
  'bulk-act/nothing': 409,
  'bulk-act/too-many': 409,
  'bulk-act/gone': 409,
  'bulk-act/finished': 409,
  'tag/exists': 409,
  'voice/no-user': 404,
  'report/decided': 409,
  'report/undone': 409,
  'report/of-admin': 409,
  'admin/last-admin': 409,
  'admin/not-yourself': 409,
  'admin/no-email': 409,
  'admin/suspended': 409,
  'audio/changed-meanwhile': 409,
  'audio/slug-taken': 409,
  'audio/unknown-category': 409,
  'audio/unknown-series': 409,
  'audio/mistimed-transcript': 409,
  'audio/is-preview': 409,
  'audio/not-a-picture': 400,
  'audio/bad-area': 400,
  'audio/in-the-past': 400,
  'studio/no-creator': 403,
  'studio/owners-only': 403,
  'voice/address-taken': 409,
  'voice/no-such-user': 404,
  'voice/last-owner': 409,
  'voice/is-member': 409,
  'series/audio-in-another': 409,
  'picture/unreadable': 400,
  'picture/too-costly': 400,
  'admin/nothing-given': 409,
  'admin/gift-used': 409,
  'article/changed-meanwhile': 409,
  'article/slug-taken': 409,
  'article/unknown-topic': 409,
  'article/unknown-audio': 409,
  'article/empty': 409,
  'article/topic-in-use': 409,
  'article/topic-twice': 400,
  'text/changed-meanwhile': 409,
  'text/unusable': 400,
  'text/too-complex': 400,
  'site/feature-off': 403,
  'site/sign-up-closed': 403,
  'system/job-state': 409,
  'system/mail-failed': 409,
  'system/mail-not-kept': 409,
  'system/no-backup-folder': 409,
  'system/backup-running': 409,
  'search/rebuild-running': 409,
  'settings/changed': 409,
  'settings/currency-in-use': 409,
  'server/unavailable': 503,
  'server/busy': 503,
  'server/too-slow': 504,
  'server/failed': 500,
};

/** `Retry-After` in seconds; a shorter delay would cause the next burst. */
export const retryAfter: Partial<Record<ErrorCode, string>> = {
  'request/too-many': '5',
  'request/in-progress': '5',
  'server/unavailable': '5',
  'server/busy': '10',
  'payment/unavailable': '5',
  'upload/daily-limit': '3600',
  'upload/no-space': '60',
};

/**
 * `field`: path of the value that is invalid, such as `change.title`. `change`: of somebody else, for an edit whose author
 * has not seen it.
 */
type ErrorFacts = { field?: string | undefined; change?: { by: string | null; at: string } | undefined };
export type ErrorBody = { error: { code: ErrorCode; message: string } & ErrorFacts };

export function errorBody(
  code: ErrorCode,
  message: string = errorSentences[code],
  { field, change }: ErrorFacts = {},
): ErrorBody {
  // The path of the whole body is empty.
  return { error: { code, message, ...(field && { field }), ...(change && { change }) } };
}

/** The only format of an error answer, with the status of its code. */
export function errorResponse(
  code: ErrorCode,
  message: string = errorSentences[code],
  headers?: HeadersInit,
  facts?: ErrorFacts,
): Response {
  const later = retryAfter[code];
  return Response.json(errorBody(code, message, facts), {
    status: errorStatus[code],
    headers: {
      'cache-control': 'no-store',
      // RFC 9110 §15.5.2 requires this header on a 401.
      ...(errorStatus[code] === 401 && { 'www-authenticate': 'Bearer' }),
      ...(later !== undefined && { 'retry-after': later }),
      ...headers,
    },
  });
}

export type Failures = {
  /** Whether a statement ran into its time limit. */
  isTooSlow(error: unknown): boolean;
  /** Logs unexpected errors. @returns the code to answer with */
  report(error: unknown, what: string, details?: Record<string, string>): ErrorCode;
  /** The error answer for a call that threw; logs unexpected errors. */
  respond(error: unknown, what: string, details?: Record<string, string>): Response;
};

/**
 * Maps thrown errors to answers and log lines. During a database outage every request fails, so only one line per 30 s
 * is logged.
 * @param outageOf whether an error means that the database is unreachable, or gave the statement up
 */
export function createFailures(options: {
  log: Logger;
  outageOf: (error: unknown) => 'away' | 'busy' | 'too-slow' | undefined;
}): Failures {
  const { log, outageOf } = options;
  const reportAway = oncePer(30_000, (error: unknown) => log.error({ err: error }, 'The database is away'));
  const reportBusy = oncePer(30_000, (error: unknown, what: string, details: Record<string, string>) =>
    log.warn({ err: error, ...details }, `${what}: the database is busy`),
  );
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
    isTooSlow: (error) => outageOf(error) === 'too-slow',
    report,
    respond(error, what, details) {
      if (!(error instanceof DomainError)) return errorResponse(report(error, what, details));
      const { code, message } = error;
      const headers = error instanceof TooManyTries ? { 'retry-after': String(error.retryAfter) } : undefined;
      const change = error instanceof ChangedMeanwhile ? error.change : undefined;
      return errorResponse(code, message, headers, {
        change: change && { by: change.by, at: change.at.toISOString() },
      });
    },
  };
}
