import { pino } from 'pino';
import { createLog } from './log.ts';

export type Announce = {
  /** Writes one line to stdout. */
  info(line: string): void;
  /** Writes one line to stderr. */
  failure(line: string): void;
};

/** Reports start and stop at any `LOG_LEVEL`: as text on a terminal, otherwise as log lines. */
export function createAnnounce(): Announce {
  const { stdout, stderr } = process;
  if (stdout.isTTY)
    return {
      info: (line) => void stdout.write(`${line}\n`),
      failure: (line) => void stderr.write(`${line}\n`),
    };
  // Synchronous, so that nothing is lost when the process exits.
  const [out, err] = [1, 2].map((fd) => createLog('info', pino.destination({ fd, sync: true })));
  return { info: (line) => out?.info(line), failure: (line) => err?.fatal(line) };
}
