import { LRUCache } from 'lru-cache';

/**
 * Notes a text and returns since when it has been the same, in whole seconds as HTTP has them; undefined where that would
 * lie in the future, which HTTP does not allow (RFC 9110, 8.8.2.1).
 */
export type ChangeTimes = (key: string, etag: string) => Date | undefined;

/**
 * For clients that compare dates only, as many feed readers do. Nothing stores when the content of a feed changed, so each
 * process counts from the moment at which it first saw it: later than the change, never earlier.
 */
export function createChangeTimes(now: () => number = Date.now): ChangeTimes {
  const seen = new LRUCache<string, { etag: string; at: number }>({ max: 20_000 });
  return (key, etag) => {
    const before = seen.get(key);
    const seconds = Math.floor(now() / 1000);
    let at = before?.at ?? seconds;
    if (before?.etag !== etag) {
      // Two texts never have the same second: not when both are new in it, nor when the clock was set back.
      at = before === undefined ? seconds : Math.max(seconds, before.at + 1);
      seen.set(key, { etag, at });
    }
    return at > seconds ? undefined : new Date(at * 1000);
  };
}
