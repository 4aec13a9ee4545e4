/** PostgreSQL answered too late, or lacks the site's schema. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/**
 * SQLSTATEs that are not the query's fault (appendix A): connection lost or refused, a full disk or memory, too many
 * connections, shutdown or startup, statement or lock timeout, deadlock, and a dropped database, schema or table.
 */
const sqlStates = /^(?:08[0-9A-Z]{3}|28[0-9A-Z]{3}|53[0-9A-Z]{3}|55P03|57014|57P\d\d|40P01|3D000|3F000|42P01)$/;

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Messages of pg and its pool that have no code. */
const messages =
  /^(?:timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client .* is not queryable|Cannot use a pool after)/;

/** Whether an error, or its cause, means that the database is unavailable, so that a retry may succeed. */
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
