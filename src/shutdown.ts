export type Shutdown = {
  /** Closes the resource when the process stops: in the opposite order of registration, each once. */
  closeAtEnd(name: string, close: () => Promise<void>): void;
  readonly isClosing: boolean;
  /** Closes everything and exits. @param reason one line for the operator */
  stop(code: number, reason?: string): Promise<void>;
};

/** @param onError a resource did not close; @param say tells the reason of a stop */
export function createShutdown(
  onError: (error: unknown, name: string) => void,
  say: (reason: string) => void,
): Shutdown {
  const closers: { name: string; close: () => Promise<void> }[] = [];
  let isClosing = false;
  return {
    closeAtEnd: (name, close) => void closers.push({ name, close }),
    get isClosing() {
      return isClosing;
    },
    async stop(code, reason) {
      if (isClosing) return;
      isClosing = true;
      if (reason !== undefined) say(reason);
      setTimeout(() => process.exit(code || 1), 9000).unref();
      for (const { name, close } of closers.toReversed()) {
        // A hanging query blocks only its own part: the database server must be stopped in any case.
        await withinASecond(name, close()).catch((error: unknown) => onError(error, name));
      }
      process.exit(code);
    },
  };
}

/** At most one second to close; the HTTP server, the database server and the jobs have their own limits. */
async function withinASecond(name: string, closed: Promise<void>): Promise<void> {
  if (name === 'HTTP server' || name === 'database server' || name === 'jobs') return closed;
  return Promise.race([closed, new Promise<void>((resolve) => setTimeout(resolve, 1000))]);
}
