import { DrizzleQueryError } from 'drizzle-orm';
import { type DestinationStream, type Logger, pino } from 'pino';

/** @param level as in `LOG_LEVEL` */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Throttles a frequent log line: writes the first, then one line for the rest of each period of `milliseconds`. */
export function oncePer<Line extends unknown[]>(
  milliseconds: number,
  write: (...line: Line) => void,
  now: () => number = Date.now,
): (...line: Line) => void {
  let quietUntil = -Infinity;
  return (...line) => {
    if (now() < quietUntil) return;
    quietUntil = now() + milliseconds;
    write(...line);
  };
}

type LoggedError = { type: string; message: string; code?: string; stack?: string; cause?: LoggedError };

/**
 * The error and its place without visitors' input: database errors quote the query's values in message and details,
 * others have the requested URL in extra fields.
 */
function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' };
  const { name, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  const frames = stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  return {
    type: name,
    message: plainMessage(error, code),
    ...(typeof code === 'string' && { code }),
    ...(frames && { stack: frames }),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

function plainMessage(error: Error, code: unknown): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  // Class 22 errors quote the value (PostgreSQL, appendix A).
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) return 'a value that the database does not take';
  return error.message;
}
