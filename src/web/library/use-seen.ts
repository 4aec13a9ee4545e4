import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

/** True once the element has been in or close to the view; never false again. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (isSeen || element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsSeen(true),
      {
        rootMargin: '200px',
      },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isSeen]);
  return isSeen;
}
