/** PostgreSQL answered too late, or lacks the site's schema. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/**
 * SQLSTATEs that are not the query's fault (appendix A): connection lost or refused, a full disk or memory, too many
 * connections, shutdown or startup, and a dropped database, schema or table.
 */
const awayStates = /^(?:08[0-9A-Z]{3}|28[0-9A-Z]{3}|53[0-9A-Z]{3}|57P\d\d|3D000|3F000|42P01)$/;

/** Lock timeout, a canceled statement, deadlock, and a serialization that failed again. */
const busyStates = new Set(['55P03', '57014', '40P01', '40001']);

/**
 * Canceled statements have 57014 too, and only the message differs. A statement on a server that writes messages in another
 * language counts as canceled.
 */
const tooSlow = /statement timeout/;

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Messages of pg and its pool that have no code. */
const messages =
  /^(?:timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client .* is not queryable|Cannot use a pool after)/;

/**
 * Whether an error, or its cause, means that the database gave no answer. It is away, or others are in the way of the
 * statement: a retry may succeed. Or the statement ran into its time limit, as the next one would.
 */
export function outageOf(error: unknown): 'away' | 'busy' | 'too-slow' | undefined {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const { code, syscall } = at as NodeJS.ErrnoException;
    if (at instanceof UnavailableError || syscall === 'connect' || messages.test(at.message)) return 'away';
    if (typeof code === 'string') {
      if (awayStates.test(code) || networkCodes.has(code)) return 'away';
      if (code === '57014' && tooSlow.test(at.message)) return 'too-slow';
      if (busyStates.has(code)) return 'busy';
    }
    at = at.cause;
  }
  return undefined;
}
