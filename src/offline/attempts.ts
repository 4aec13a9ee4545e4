/** Attempts of a download before it counts as failed. */
const maxAttempts = 5;

/** Counts the failed attempts of each download, in this tab. */
export function createAttempts() {
  const counts = new Map<string, number>();
  return {
    isLeft: (id: string) => (counts.get(id) ?? 0) < maxAttempts,
    /** @returns milliseconds until the next one; undefined after the last */
    fail(id: string): number | undefined {
      if (!navigator.onLine) {
        counts.delete(id);
        return 0;
      }
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      return count < maxAttempts ? 1000 * 2 ** count : undefined;
    },
    reset: (id: string) => void counts.delete(id),
    resetAll: () => counts.clear(),
  };
}
