import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** For a `<details>` that is a menu: closes when something of it was chosen, on Escape, and when one turns to something else. */
export function useDisclosure(): RefObject<HTMLDetailsElement | null> {
  const { key } = useLocation();
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const details = box.current;
    if (details === null) return;
    // What was chosen goes out of sight; the focus stays where it came from.
    if (details.open && details.contains(document.activeElement)) details.querySelector('summary')?.focus();
    details.open = false;
    const close = (event: Event) => {
      if (!details.open || (event.type !== 'keydown' && details.contains(event.target as Node))) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        details.querySelector('summary')?.focus();
      }
      details.open = false;
    };
    const events = ['pointerdown', 'focusin', 'keydown'];
    for (const name of events) document.addEventListener(name, close);
    return () => {
      for (const name of events) document.removeEventListener(name, close);
    };
  }, [key]);
  return box;
}
