/** PostgreSQL answers, but not as the site needs it: too late, or without its schema. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/**
 * What PostgreSQL says when nothing is wrong with the query (appendix A): connection lost, not let in, all places taken,
 * shutting down or starting, and a database, schema or table that somebody has taken away.
 */
const sqlStates = /^(?:08[0-9A-Z]{3}|28[0-9A-Z]{3}|53300|57P\d\d|3D000|3F000|42P01)$/;

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** What pg and its pool say without a code. */
const messages =
  /^(?:timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client .* is not queryable|Cannot use a pool after)/;

/** Whether an error, or what it wraps, means that the database is away, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const { code, syscall } = at as NodeJS.ErrnoException;
    if (at instanceof UnavailableError || syscall === 'connect' || messages.test(at.message)) return true;
    if (typeof code === 'string' && (sqlStates.test(code) || networkCodes.has(code))) return true;
    at = at.cause;
  }
  return false;
}
