import type { Clock } from '../clock.ts';
import { type Network, afterOrOnline } from '../network.ts';

/** Two minutes in total: enough for a lift, a tunnel, a changed network. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000];

/** Attempts that wait for their delay, or for the network. */
export function createRetry(clock: Clock, network: Network) {
  let attempts = 0;
  let stop: (() => void) | null = null;
  function cancel() {
    stop?.();
    stop = null;
  }
  return {
    get attempts() {
      return attempts;
    },
    isScheduled: () => stop !== null,
    /** @returns false when no attempt is left */
    schedule(again: () => void): boolean {
      cancel();
      const delay = RETRY_DELAYS_MS[attempts];
      if (delay === undefined) return false;
      attempts += 1;
      stop = afterOrOnline(clock, network, delay, () => {
        stop = null;
        again();
      });
      return true;
    },
    /** The attempts stay counted. */
    cancel,
    /** Cancels, and counts from the beginning. */
    reset() {
      cancel();
      attempts = 0;
    },
  };
}
