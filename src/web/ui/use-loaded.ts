import { useEffect, useEffectEvent, useState } from 'react';

const firstWait = 2000;
const longestWait = 60_000;

/**
 * Code that the first view does not need, fetched when it is first wanted. A load that failed is tried again, ever more seldom, for
 * as long as it is wanted.
 * @param load stands outside the component: it must stay the same function
 * @param onFailed called after each try that failed
 */
export function useLoaded<Part>(load: () => Promise<Part>, isWanted: boolean, onFailed?: () => void): Part | undefined {
  const [part, setPart] = useState<Part>();
  const failed = useEffectEvent(() => onFailed?.());
  useEffect(() => {
    if (!isWanted || part !== undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const attempt = (wait: number) => {
      load().then(
        (loaded) => isCurrent && setPart(loaded),
        () => {
          if (!isCurrent) return;
          timer = setTimeout(() => attempt(Math.min(wait * 2, longestWait)), wait);
          failed();
        },
      );
    };
    attempt(firstWait);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [load, isWanted, part]);
  return part;
}
