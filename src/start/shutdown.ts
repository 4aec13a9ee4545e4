export type Shutdown = ReturnType<typeof createShutdown>;

/** The closers that run after the HTTP server's. */
const othersMs = 2500;

/** @param onError a resource failed to close; @param logReason reports the reason of a stop */
export function createShutdown(onError: (error: unknown, name: string) => void, logReason: (reason: string) => void) {
  const closers: { name: string; close: () => Promise<void> }[] = [];
  let reasonGiven: string | undefined;
  let [isDraining, isClosing] = [false, false];
  let limits = { drainMs: 0, closeMs: 6500 };

  /** Closes everything and exits. @param reason one line for the operator */
  async function stop(code: number, reason?: string): Promise<void> {
    if (isClosing) return;
    isClosing = true;
    reasonGiven = reason;
    if (reason !== undefined) logReason(reason);
    setTimeout(() => process.exit(code || 1), limits.closeMs + othersMs).unref();
    for (const { name, close } of closers.toReversed()) {
      // A hanging query delays only its own part: the database server must be stopped in any case.
      await withinASecond(name, close()).catch((error: unknown) => onError(error, name));
    }
    process.exit(code);
  }

  return {
    /** Closes the resource at shutdown: in reverse order of registration, each once. */
    closeAtEnd(name: string, close: () => Promise<void>): void {
      closers.push({ name, close });
    },
    /** From now on `drain` waits this long, and the HTTP server may take `closeMs` to close. */
    allow(newLimits: typeof limits): void {
      limits = newLimits;
    },
    /** Still serves requests, but wants no new ones. */
    get isDraining() {
      return isDraining || isClosing;
    },
    /** Reason for an unexpected stop; undefined: the stop was requested. */
    get reason() {
      return reasonGiven;
    },
    get isClosing() {
      return isClosing;
    },
    /** Keeps serving until a load balancer has noticed, then stops. A second call stops at once. */
    async drain() {
      if (!isDraining) {
        isDraining = true;
        await new Promise((resolve) => setTimeout(resolve, limits.drainMs));
      }
      await stop(0);
    },
    stop,
  };
}

/** At most one second to close; the HTTP server, the database server and the jobs have their own limits. */
async function withinASecond(name: string, closed: Promise<void>): Promise<void> {
  if (name === 'HTTP server' || name === 'database server' || name === 'jobs') return closed;
  return Promise.race([closed, new Promise<void>((resolve) => setTimeout(resolve, 1000))]);
}
