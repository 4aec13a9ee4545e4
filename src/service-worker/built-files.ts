import { browserLimits } from '#player/browser-limits.ts';
import { timedFetch } from '#player/timed-fetch.ts';

/** Files at once, because these matter less than what the page is loading. */
const maxAtOnce = 4;

const cachePrefix = 'sotto-shell-';

/** Stored files of one build, which has a cache of its own. */
export function builtFilesOf(build: string) {
  const cacheName = cachePrefix + build;
  return {
    /** @returns whether all of them are stored now */
    async addMissing(paths: readonly string[]): Promise<boolean> {
      const cache = await caches.open(cacheName);
      const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
      const missing = paths.filter((path) => !stored.has(path)).values();
      const failed: string[] = [];
      async function addNext(): Promise<void> {
        for (const path of missing) {
          const answer = await timedFetch(path, { limitMs: browserLimits.asset }).catch(() => undefined);
          const isStored =
            answer?.ok === true &&
            (await cache.put(path, answer).then(
              () => true,
              () => false,
            ));
          if (!isStored) failed.push(path);
        }
      }
      await Promise.all(Array.from({ length: maxAtOnce }, addNext));
      return failed.length === 0;
    },

    /** Stores those that the browser still has, without a request. */
    async addFromBrowserCache(paths: readonly string[]): Promise<void> {
      const cache = await caches.open(cacheName);
      for (const path of paths) {
        const answer = await timedFetch(path, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => undefined);
        if (answer?.ok === true) await cache.put(path, answer).catch(() => undefined);
      }
    },

    async answer(request: Request): Promise<Response> {
      const cache = await caches.open(cacheName);
      const cached = await cache.match(request.url);
      if (cached !== undefined) return cached;
      const answer = await timedFetch(request, { signal: request.signal, limitMs: browserLimits.asset });
      // Respond even if the disk is full.
      if (answer.status === 200) void cache.put(request.url, answer.clone()).catch(() => undefined);
      return answer;
    },

    async removeOtherBuilds(): Promise<void> {
      const names = await caches.keys();
      const others = names.filter((name) => name.startsWith(cachePrefix) && name !== cacheName);
      await Promise.all(others.map((name) => caches.delete(name)));
    },
  };
}
