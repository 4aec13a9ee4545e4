export type Listeners<A extends unknown[]> = {
  /** The answer takes the listener off again. */
  subscribe(listener: (...args: A) => void): () => void;
  emit(...args: A): void;
};

export function createListeners<A extends unknown[] = []>(): Listeners<A> {
  const listeners = new Set<(...args: A) => void>();
  return {
    subscribe(listener) {
      // Wrapped, so that one function subscribed twice is two subscriptions.
      const entry = (...args: A) => listener(...args);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    emit(...args) {
      // A copy: a listener may come or go while the news is told.
      for (const listener of new Set(listeners)) listener(...args);
    },
  };
}

/** True when both have the same fields with the same values; used to keep a snapshot's identity. */
export function sameFields<T extends object>(a: T, b: T): boolean {
  const keys = Object.keys(a) as (keyof T)[];
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]));
}
