import type { Clock } from './clock.ts';
import { callEach } from './listeners.ts';
import { type Network, afterOrOnline, retryDelay } from './network.ts';

/** A part whose code may still be loading. */
export type Lazy<Part> = {
  /** Undefined until the part is loaded. */
  ready(): Part | undefined;
  /** Calls `act` with the part: at once when loaded, otherwise later, in the order of the calls. */
  use(act: (part: Part) => void): void;
};

export function alreadyLoaded<Part>(part: Part): Lazy<Part> {
  return { ready: () => part, use: (act) => act(part) };
}

/** One object created by a late part, at its first use. */
export function createOnce<Part, Created>(part: Lazy<Part>, create: (part: Part) => Created): Lazy<Created> {
  let created: Created | undefined;
  return { ready: () => created, use: (act) => part.use((loaded) => act((created ??= create(loaded)))) };
}

type LazyOptions<Part> = {
  load: () => Promise<Part>;
  clock: Clock;
  network: Network;
  onFailed?: () => void;
};

/** Loads the part at its first use. A failed load is retried with growing delays, and when the machine comes online. */
export function createLazy<Part>({ load, clock, network, onFailed }: LazyOptions<Part>) {
  let part: Part | undefined;
  let waiting: ((part: Part) => void)[] = [];
  let isLoading = false;
  let attempts = 0;
  let retryPending: (() => void) | undefined;

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
      cancel();
      retryPending = undefined;
      begin();
    };
    const cancel = afterOrOnline(clock, network, retryDelay(attempts), again);
    attempts += 1;
    retryPending = again;
    onFailed?.();
  }

  return {
    ready: () => part,
    use(act) {
      if (part !== undefined) return act(part);
      waiting.push(act);
      if (!isLoading) begin();
    },
    /** Retries a failed load at once, as after a press. */
    retryNow: () => retryPending?.(),
  } satisfies Lazy<Part> & { retryNow(): void };
}
