/** Attempts of a download before it counts as failed. */
const maxAttempts = 5;

/** Counts the failed attempts of each download, in this tab. */
export function createAttempts() {
  const counts = new Map<string, number>();
  return {
    isLeft: (id: string) => (counts.get(id) ?? 0) < maxAttempts,
    /** @returns milliseconds until the next one; undefined after the last */
    fail(id: string): number | undefined {
      if (!navigator.onLine) {
        counts.delete(id);
        return 0;
      }
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      return count < maxAttempts ? 1000 * 2 ** count : undefined;
    },
    reset: (id: string) => void counts.delete(id),
    resetAll: () => counts.clear(),
  };
}

/** Calls the site whenever the machine comes online, and retries with growing delays. */
export function createRetryWhenOnline(ask: () => Promise<'answered' | 'unanswered'>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;

  async function now(): Promise<void> {
    clearTimeout(timer);
    const outcome = await ask().catch(() => 'answered' as const);
    // The first call after coming online often fails.
    if (outcome === 'unanswered' && navigator.onLine) {
      clearTimeout(timer);
      timer = setTimeout(() => void now(), Math.min(1000 * 2 ** attempts, 60_000));
      attempts += 1;
    } else attempts = 0;
  }

  globalThis.addEventListener?.('online', () => void now());
  return { now: () => void now() };
}
