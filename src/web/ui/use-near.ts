import { startTransition, useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

/** So far beyond the window something counts as near: about two screens of a phone. */
const margin = '1500px 0px';

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** One observer for all of a long list. */
function watch(element: Element, onNear: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
    },
    { rootMargin: margin },
  );
  waiting.set(element, onNear);
  observer.observe(element);
  return () => {
    waiting.delete(element);
    observer?.unobserve(element);
  };
}

/** Whether the element has come near the window; from then on for good. */
export function useNear(element: RefObject<Element | null>, isNearAtFirst: boolean): boolean {
  const [isNear, setIsNear] = useState(isNearAtFirst);
  useLayoutEffect(() => {
    if (!isNear && element.current !== null)
      // Made whole between frames: whoever scrolls is not held up.
      return watch(element.current, () => startTransition(() => setIsNear(true)));
    return undefined;
  }, [element, isNear]);
  return isNear;
}
