import { LRUCache } from 'lru-cache';

const staleFor = 10 * 60_000;

/** A response that is the same for every visitor. */
export type CachedResponse = { bytes: number };

type Running = { response: Promise<CachedResponse | undefined> | undefined };

/**
 * Caches visitors' responses for a few seconds, so that a thousand requests cost as much as one. Limited by bytes,
 * evicts the least recently used, and drops what a change affects. Concurrent requests share one response in progress.
 * @param maxAge milliseconds
 */
export function createPublicCache(options: {
  maxBytes: number;
  maxAge: number;
  /** Counted for each response at least, where anybody may ask for many small ones. */
  minBytes?: number;
  now?: () => number;
}) {
  const { maxBytes, maxAge, minBytes = 1, now = Date.now } = options;
  const cached = new LRUCache<string, { response: CachedResponse; until: number }>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 4),
    sizeCalculation: ({ response }) => Math.max(minBytes, response.bytes),
  });
  const inProgress = new Map<string, Running>();

  function peek<Response extends CachedResponse>(key: string, extra = 0): Response | undefined {
    const entry = cached.get(key);
    return entry !== undefined && entry.until + extra > now() ? (entry.response as Response) : undefined;
  }

  return {
    /** The cached response, if still fresh. */
    peek: <Response extends CachedResponse>(key: string) => peek<Response>(key),
    /** A recently expired response with no change since: a fallback before refusing a request. */
    peekStale: <Response extends CachedResponse>(key: string) => peek<Response>(key, staleFor),
    /**
     * @param make resolves to undefined for an uncacheable response; then no other caller shares it, and each
     *   caller makes its own
     */
    async get<Response extends CachedResponse>(
      key: string,
      make: () => Promise<Response | undefined>,
    ): Promise<Response | undefined> {
      const fresh = peek<Response>(key);
      if (fresh !== undefined) return fresh;
      const running = inProgress.get(key);
      if (running !== undefined) return (await running.response) as Response | undefined;
      const until = now() + maxAge;
      const own: Running = { response: undefined };
      inProgress.set(key, own);
      try {
        own.response = make();
        const response = await own.response;
        // A change has removed it meanwhile.
        if (response !== undefined && inProgress.get(key) === own) cached.set(key, { response, until });
        return response as Response | undefined;
      } finally {
        if (inProgress.get(key) === own) inProgress.delete(key);
      }
    },
    /** Drops the responses whose keys match `isConcerned`; responses in progress are sent but not cached. */
    clear(isConcerned: (key: string) => boolean = () => true): void {
      const keys = [...cached.keys(), ...inProgress.keys()];
      for (const key of keys.filter(isConcerned)) {
        cached.delete(key);
        inProgress.delete(key);
      }
    },
    get bytes(): number {
      return cached.calculatedSize;
    },
  };
}

/**
 * A cache of the blocks of suggestions, apart so that they evict no page: they are large, and made with pictures. Changes
 * clear it, and browsers keep a block for a minute, too.
 */
export const createBlockCache = () => createPublicCache({ maxBytes: 32 * 1024 * 1024, maxAge: 60_000, minBytes: 1024 });

export type PublicCache = ReturnType<typeof createPublicCache>;
