import type { Clock } from '../clock.ts';
import type { Network } from '../network.ts';

/** Two minutes in total: enough for a lift, a tunnel, a changed network. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000];

export type Retry = {
  readonly attempts: number;
  isScheduled(): boolean;
  /** Runs `again` after the next delay, or as soon as the machine is online. Returns false when no attempt is left. */
  schedule(again: () => void): boolean;
  /** Cancels the scheduled attempt; the attempts stay counted. */
  cancel(): void;
  /** Cancels and resets the count. */
  reset(): void;
};

export function createRetry(clock: Clock, network: Network): Retry {
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
    schedule(again) {
      cancel();
      const delay = RETRY_DELAYS_MS[attempts];
      if (delay === undefined) return false;
      attempts += 1;
      const run = () => {
        cancel();
        again();
      };
      const stopTimer = clock.after(delay, run);
      const stopNetwork = network.subscribe(run);
      stop = () => {
        stopTimer();
        stopNetwork();
      };
      return true;
    },
    cancel,
    reset() {
      cancel();
      attempts = 0;
    },
  };
}
