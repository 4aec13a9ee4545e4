import type { Clock } from './clock.ts';

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

/** Runs once: after the delay or, if that is earlier, when the machine comes online. @returns cancels it */
export function afterOrOnline(clock: Clock, network: Network, delayMs: number, run: () => void): () => void {
  const act = () => {
    cancel();
    run();
  };
  const stopDelay = clock.after(delayMs, act);
  const stopNetwork = network.subscribe(act);
  const cancel = () => {
    stopDelay();
    stopNetwork();
  };
  return cancel;
}

/** Whether the browser’s data saver (Save-Data) is on. */
export function savesData(): boolean {
  return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
