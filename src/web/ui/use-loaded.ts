import { useEffect, useEffectEvent, useState } from 'react';

const firstWait = 2000;
const longestWait = 60_000;

/**
 * Loads code that the first view does not need. A failed load is retried with growing delays while it is wanted, and at
 * once when it is wanted `now`, after a press.
 * @param load must be a stable function, defined outside the component
 * @param onFailed called after the first failed try since it is wanted, or wanted now
 */
export function useLoaded<Part>(
  load: () => Promise<Part>,
  wanted: boolean | 'now',
  onFailed?: () => void,
): Part | undefined {
  const [part, setPart] = useState<Part>();
  const failed = useEffectEvent(() => onFailed?.());
  useEffect(() => {
    if (wanted === false || part !== undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const attempt = (wait: number) => {
      load().then(
        (loaded) => isCurrent && setPart(loaded),
        () => {
          if (!isCurrent) return;
          timer = setTimeout(() => attempt(Math.min(wait * 2, longestWait)), wait);
          if (wait === firstWait) failed();
        },
      );
    };
    attempt(firstWait);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [load, wanted, part]);
  return part;
}
