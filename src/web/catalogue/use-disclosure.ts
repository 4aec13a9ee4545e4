import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { followDetails } from '../ui/follow-details.ts';

/** Pixels between the control, the menu and what is beyond. */
const gap = 8;
/** Pixels of a menu that scrolls, where there is no room at all. */
const smallest = 96;

/**
 * For a `<details>` used as a menu: opens upward where the player would cover it, scrolls where it fits nowhere, and closes
 * after a choice, on Escape, and when the focus or a press moves elsewhere.
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
      menu.style.removeProperty('max-height');
      const player = document.querySelector('[data-player]')?.getBoundingClientRect().top ?? window.innerHeight;
      const header = document.querySelector('[data-site-header]')?.getBoundingClientRect().bottom ?? 0;
      const { top, bottom } = details.getBoundingClientRect();
      const [above, below] = [top - Math.max(0, header) - 2 * gap, player - bottom - 2 * gap];
      const isAbove = below < menu.offsetHeight && above > below;
      details.dataset.opens = isAbove ? 'above' : 'below';
      menu.style.setProperty('max-height', `${Math.max(smallest, isAbove ? above : below)}px`);
    };
    details.addEventListener('toggle', place);
    const stopFollowing = followDetails(details);
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
      stopFollowing();
      details.removeEventListener('toggle', place);
      for (const name of events) document.removeEventListener(name, close);
    };
  }, [key]);
  return box;
}
