const staleFor = 10 * 60_000;

/** An answer that is the same for every visitor, ready to be sent again. */
export type CachedAnswer = { bytes: number };

/**
 * Keeps what was made for visitors for a few seconds, so that a thousand of them cost as much as one. Bounded by bytes,
 * oldest out first; emptied when the catalogue changes. Requests for what is being made wait for it.
 * @param maxAge milliseconds
 */
export function createPublicCache(options: { maxBytes: number; maxAge: number; now?: () => number }) {
  const now = options.now ?? Date.now;
  const kept = new Map<string, { answer: CachedAnswer; until: number }>();
  const making = new Map<string, Promise<CachedAnswer | undefined>>();
  let bytes = 0;
  let version = 0;

  function drop(key: string): void {
    const entry = kept.get(key);
    if (entry === undefined) return;
    bytes -= entry.answer.bytes;
    kept.delete(key);
  }

  function peek<Answer extends CachedAnswer>(key: string): Answer | undefined {
    const entry = kept.get(key);
    if (entry === undefined) return undefined;
    return entry.until > now() ? (entry.answer as Answer) : undefined;
  }

  function peekStale<Answer extends CachedAnswer>(key: string): Answer | undefined {
    const entry = kept.get(key);
    return entry !== undefined && entry.until + staleFor > now() ? (entry.answer as Answer) : undefined;
  }

  return {
    /** What is kept and still fresh. */
    peek,
    /** What was kept in the last minutes, and nothing has changed since: better than to turn somebody away. */
    peekStale,
    /**
     * @param make resolves to undefined for what must not be kept; then nobody else is served from it, and each
     *   caller makes its own
     */
    async get<Answer extends CachedAnswer>(
      key: string,
      make: () => Promise<Answer | undefined>,
    ): Promise<Answer | undefined> {
      const fresh = peek<Answer>(key);
      if (fresh !== undefined) return fresh;
      const running = making.get(key);
      if (running !== undefined) return (await running) as Answer | undefined;
      const madeFor = version;
      const until = now() + options.maxAge;
      const promise = make();
      making.set(key, promise);
      try {
        const answer = await promise;
        if (answer === undefined || madeFor !== version || answer.bytes > options.maxBytes / 4) return answer;
        drop(key);
        kept.set(key, { answer, until });
        bytes += answer.bytes;
        for (const oldest of kept.keys()) {
          if (bytes <= options.maxBytes) break;
          drop(oldest);
        }
        return answer;
      } finally {
        if (making.get(key) === promise) making.delete(key);
      }
    },
    clear(): void {
      version += 1;
      kept.clear();
      making.clear();
      bytes = 0;
    },
    get bytes(): number {
      return bytes;
    },
  };
}

export type PublicCache = ReturnType<typeof createPublicCache>;
