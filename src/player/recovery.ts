import type { Clock } from './clock.ts';

/** Whether and when the machine comes back online. */
export type Network = {
  subscribe(onOnline: () => void): () => void;
};

export const browserNetwork: Network = {
  subscribe(onOnline) {
    globalThis.addEventListener('online', onOnline);
    return () => globalThis.removeEventListener('online', onOnline);
  },
};

/** Two minutes in all: a lift, a tunnel, a changed network. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000];

/** How long to wait before asking a server again that did not answer so many times; a minute at most, without an end. */
export function retryDelay(attempts: number): number {
  return Math.min(1000 * 2 ** attempts, 60_000);
}

export type Recovery = {
  readonly attempts: number;
  isScheduled(): boolean;
  /** Runs `again` after the next delay, or as soon as the machine is online. False when no attempt is left. */
  schedule(again: () => void): boolean;
  /** Calls off what is scheduled; the attempts stay counted. */
  cancel(): void;
  /** Calls off, and counts from nothing again. */
  reset(): void;
};

export function createRecovery(clock: Clock, network: Network): Recovery {
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
