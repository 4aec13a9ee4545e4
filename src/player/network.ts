/** Notifies when the machine comes back online. */
export type Network = {
  subscribe(onOnline: () => void): () => void;
};

export const browserNetwork: Network = {
  subscribe(onOnline) {
    globalThis.addEventListener('online', onOnline);
    return () => globalThis.removeEventListener('online', onOnline);
  },
};

/** Delay before the next request after this many failed attempts; at most a minute, without a limit on attempts. */
export function retryDelay(attempts: number): number {
  return Math.min(1000 * 2 ** attempts, 60_000);
}
