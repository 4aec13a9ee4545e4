import type { Clock } from './clock.ts';
import { callEach } from './listeners.ts';
import { retryDelay } from './network.ts';
import type { Network } from './network.ts';

/** A part whose code may still be loading. */
export type Late<Part> = {
  /** Undefined until the part is loaded. */
  ready(): Part | undefined;
  /** Calls `act` with the part: at once when loaded, otherwise later, in the order of the calls. */
  use(act: (part: Part) => void): void;
};

export function atHand<Part>(part: Part): Late<Part> {
  return { ready: () => part, use: (act) => act(part) };
}

/** One object created by a late part, at its first use. */
export function madeOnce<Part, Made>(part: Late<Part>, make: (part: Part) => Made): Late<Made> {
  let made: Made | undefined;
  return { ready: () => made, use: (act) => part.use((there) => act((made ??= make(there)))) };
}

type LateOptions<Part> = {
  load: () => Promise<Part>;
  clock: Clock;
  network: Network;
  /** Called after each failed load. */
  onFailed?: () => void;
};

/** Loads the part when it is first used. A failed load is retried after growing delays, and when the machine is online. */
export function createLate<Part>({ load, clock, network, onFailed }: LateOptions<Part>) {
  let part: Part | undefined;
  let waiting: ((part: Part) => void)[] = [];
  let isLoading = false;
  let attempts = 0;
  let retryNow: (() => void) | undefined;

  function begin() {
    isLoading = true;
    load().then(arrive, retryLater);
  }

  function arrive(loaded: Part) {
    part = loaded;
    const acts = waiting;
    waiting = [];
    callEach(acts, loaded);
  }

  function retryLater() {
    const again = () => {
      stopDelay();
      stopNetwork();
      retryNow = undefined;
      begin();
    };
    const stopDelay = clock.after(retryDelay(attempts), again);
    attempts += 1;
    const stopNetwork = network.subscribe(again);
    retryNow = again;
    onFailed?.();
  }

  return {
    ready: () => part,
    use(act) {
      if (part !== undefined) return act(part);
      waiting.push(act);
      if (!isLoading) begin();
    },
    /** Retries a failed load without its delay, such as for a press. */
    hurry: () => retryNow?.(),
  } satisfies Late<Part> & { hurry(): void };
}
