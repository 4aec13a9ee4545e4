import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * After a navigation, moves the focus to the page’s heading, so that screen readers announce it; after an in-page link,
 * to its target, so that Tab continues there. Not on the first page, and not when only the query changed.
 */
export function FocusHeading() {
  const { pathname, hash, key } = useLocation();
  const shown = useRef({ pathname, key });
  useEffect(() => {
    const from = shown.current;
    shown.current = { pathname, key };
    if (from.key === key || (from.pathname === pathname && hash === '')) return;
    const main = document.getElementById('main');
    const place = hash === '' ? main?.querySelector<HTMLElement>('h1') : document.getElementById(hash.slice(1));
    const target = place ?? main;
    if (target === null) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [pathname, hash, key]);
  return null;
}
