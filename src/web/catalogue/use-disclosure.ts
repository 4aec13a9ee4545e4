import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * For a `<details>` used as a menu: opens upward where the player would cover it, and closes after a choice, on Escape,
 * and when the focus or a press moves elsewhere.
 */
export function useDisclosure(): RefObject<HTMLDetailsElement | null> {
  const { key } = useLocation();
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const details = box.current;
    if (details === null) return;
    // The focused link would be hidden, so the focus returns to the summary.
    if (details.open && details.contains(document.activeElement)) details.querySelector('summary')?.focus();
    details.open = false;
    const place = () => {
      const menu = details.querySelector<HTMLElement>('[data-menu]');
      if (menu === null || !details.open) return;
      delete details.dataset.opens;
      const { bottom } = menu.getBoundingClientRect();
      const player = document.querySelector('[data-player]')?.getBoundingClientRect().top ?? window.innerHeight;
      const isAbove = bottom > player && details.getBoundingClientRect().top > menu.offsetHeight;
      if (isAbove) details.dataset.opens = 'above';
    };
    details.addEventListener('toggle', place);
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
      details.removeEventListener('toggle', place);
      for (const name of events) document.removeEventListener(name, close);
    };
  }, [key]);
  return box;
}
