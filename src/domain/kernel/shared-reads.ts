import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';

export type SharedReads = {
  /**
   * The result of `make`, or of an earlier call with this key. Must not depend on the viewer, and must not be modified.
   * Concurrent calls share one run; errors are not cached. A result equal to the previous one is the same object, so
   * that what was derived from it, such as HTML, stays valid.
   * @param maxAgeMs two seconds unless told
   */
  read<Result>(key: string, make: () => Promise<Result>, maxAgeMs?: number): Promise<Result>;
  /** After a change: a read in progress still answers its callers, but is not cached. */
  clear(): void;
};

/** Short, so that pages of visitors, which are kept for 8 s more, are hardly older than 10 s (decision 003). */
const usualMaxAgeMs = 2000;
/** Beyond these, the results that were not asked for the longest are dropped. An audio takes 2 KB. */
const max = { results: 2000, items: 20_000 };

/**
 * Caches reads that are the same for all viewers for about two seconds, in this process.
 * @param options.scope separates caches: a reader of the primary gets no result from a replica
 */
export function createSharedReads(options: { now?: () => number; scope?: () => string } = {}): SharedReads {
  const { now = Date.now, scope = () => '' } = options;
  const kept = new LRUCache<string, Entry>({ max: max.results, maxSize: max.items });
  return {
    read<Result>(name: string, make: () => Promise<Result>, maxAgeMs = usualMaxAgeMs): Promise<Result> {
      const key = `${scope()} ${name}`;
      const known = kept.get(key);
      if (known !== undefined && known.until > now()) return known.result as Promise<Result>;
      const entry: Entry = { result: make(), until: now() + maxAgeMs, value: known?.value };
      entry.result = entry.result.then((value) => {
        if (!isDeepStrictEqual(value, entry.value)) entry.value = value;
        if (kept.peek(key) === entry) {
          // Otherwise the same entry would keep its size.
          kept.delete(key);
          kept.set(key, entry, { size: countItems(value) });
        }
        return entry.value;
      });
      kept.set(key, entry, { size: countItems(entry.value) });
      entry.result.catch(() => kept.peek(key) === entry && kept.delete(key));
      return entry.result as Promise<Result>;
    },
    clear() {
      for (const entry of kept.values()) entry.until = 0;
    },
  };
}

/** 1 for anything but a list, or a page of one. */
function countItems(value: unknown): number {
  const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : value;
  return Array.isArray(items) ? Math.max(1, items.length) : 1;
}

/** `value`: the newest result that was read, if any. */
type Entry = { result: Promise<unknown>; until: number; value: unknown };

/** The same functions, cached by name and arguments. Their results must not depend on the viewer. */
export function share<Functions extends { [name: string]: (...args: never[]) => Promise<unknown> }>(
  shared: SharedReads,
  functions: Functions,
): Functions {
  const cached = Object.entries(functions).map(([name, read]) => [
    name,
    (...args: never[]) => shared.read(`${name} ${JSON.stringify(args)}`, () => read(...args)),
  ]);
  return Object.fromEntries(cached) as Functions;
}

/** Caches nothing: for commands and tests, which read what they have just written. */
export const unshared: SharedReads = { read: (_key, make) => make(), clear: () => {} };
