export type Listeners<A extends unknown[]> = {
  /** The returned function unsubscribes. */
  subscribe(listener: (...args: A) => void): () => void;
  emit(...args: A): void;
};

export function createListeners<A extends unknown[] = []>(): Listeners<A> {
  const listeners = new Set<(...args: A) => void>();
  return {
    subscribe(listener) {
      // Wrapped, so that subscribing one function twice gives two subscriptions.
      const entry = (...args: A) => listener(...args);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    emit(...args) {
      // A copy: listeners may be added or removed while it runs.
      callEach(new Set(listeners), ...args);
    },
  };
}

/** One that throws is reported, and must not block the others, nor the start of the next audio. */
export function callEach<A extends unknown[]>(callbacks: Iterable<(...args: A) => unknown>, ...args: A): void {
  for (const callback of callbacks) {
    try {
      callback(...args);
    } catch (error) {
      reportFailure(error);
    }
  }
}

/** Reports it as an uncaught error. Node has no `reportError`, so there it throws. */
function reportFailure(error: unknown): void {
  if (typeof globalThis.reportError !== 'function') throw error;
  globalThis.reportError(error);
}

/** True when both have the same fields with the same values; lets a snapshot keep its identity. */
export function sameFields<T extends object>(a: T, b: T): boolean {
  const keys = Object.keys(a) as (keyof T)[];
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]));
}
