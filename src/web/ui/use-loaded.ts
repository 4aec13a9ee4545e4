import { useEffect, useState } from 'react';

/**
 * Code that the first view does not need, fetched when it is first wanted. A load that failed is tried again when it is wanted again.
 * @param load stands outside the component: it must stay the same function
 */
export function useLoaded<Part>(load: () => Promise<Part>, isWanted: boolean): Part | undefined {
  const [part, setPart] = useState<Part>();
  useEffect(() => {
    if (!isWanted || part !== undefined) return;
    let isCurrent = true;
    load().then(
      (loaded) => isCurrent && setPart(loaded),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [load, isWanted, part]);
  return part;
}
