import { LRUCache } from 'lru-cache';

/** Notes a text and returns since when it has been the same, in whole seconds as HTTP has them. */
export type ChangeTimes = (key: string, etag: string) => Date;

/**
 * For clients that compare dates only, as many feed readers do. Nothing stores when the content of a feed changed, so each
 * process counts from the moment at which it first saw it: later than the change, never earlier.
 */
export function createChangeTimes(now: () => number = Date.now): ChangeTimes {
  const seen = new LRUCache<string, { etag: string; at: Date }>({ max: 20_000 });
  return (key, etag) => {
    const before = seen.get(key);
    if (before?.etag === etag) return before.at;
    const at = new Date(Math.floor(now() / 1000) * 1000);
    seen.set(key, { etag, at });
    return at;
  };
}
