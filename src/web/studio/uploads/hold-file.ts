import { withResolvers } from '#player/with-resolvers.ts';

/** Files locked by this tab, with the function that unlocks each. */
const held = new Map<number, () => void>();

/** @returns false when another tab uploads this file. Browsers have locks on https and loopback only. */
export async function holdFile(key: number, fingerprint: string): Promise<boolean> {
  if (held.has(key) || navigator.locks === undefined) return true;
  const { promise: isOver, resolve: release } = withResolvers<void>();
  return new Promise((resolve) => {
    navigator.locks
      .request(`sotto upload ${fingerprint}`, { ifAvailable: true }, (lock) => {
        if (lock !== null) held.set(key, release);
        resolve(lock !== null);
        return lock === null ? undefined : isOver;
      })
      .catch(() => resolve(true));
  });
}

export function releaseFile(key: number): void {
  held.get(key)?.();
  held.delete(key);
}
