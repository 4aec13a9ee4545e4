import { type RefObject, startTransition, useLayoutEffect, useState } from 'react';

/** Distance from the window that counts as near: about two phone screens. */
const margin = '1500px 0px';

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** One shared observer for all rows of a long list. */
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

/** True once the element has come near the window; never false again. */
export function useNear(element: RefObject<Element | null>, isNearAtFirst: boolean): boolean {
  const [isNear, setIsNear] = useState(isNearAtFirst);
  useLayoutEffect(() => {
    if (!isNear && element.current !== null)
      // Rendered in a transition, so that scrolling stays smooth.
      return watch(element.current, () => startTransition(() => setIsNear(true)));
    return undefined;
  }, [element, isNear]);
  return isNear;
}
