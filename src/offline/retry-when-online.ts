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
