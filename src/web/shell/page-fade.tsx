import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useNextLocation } from '../use-pending-search.ts';

/** Spec §9, page fade: 200 ms out, then 200 ms in. */
const fadeOut = 200;

/** Content of the page. Fades out while the next page loads and in when it has loaded; the shell does not fade. */
export function PageFade({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const next = useNextLocation();
  const isLeaving = next !== undefined && next.pathname !== pathname;
  return (
    // No focus ring: the skip link focuses all of `<main>`, and a ring around the whole page would not help.
    <main id="main" tabIndex={-1} className="fade focus-visible:[--ring:none]" data-leaving={isLeaving || undefined}>
      {children}
    </main>
  );
}

/**
 * Client middleware of the root route: delays the next page until the fade-out has ended. It runs while the page loads,
 * so only loads faster than 200 ms are delayed.
 */
export async function holdForFade({ request }: { request: Request }, next: () => Promise<unknown>): Promise<unknown> {
  const isSamePage = new URL(request.url).pathname.replace(/\.data$/, '') === window.location.pathname;
  if (isSamePage || request.method !== 'GET' || window.matchMedia('(prefers-reduced-motion: reduce)').matches)
    return next();
  const [result] = await Promise.all([next(), new Promise((resolve) => setTimeout(resolve, fadeOut))]);
  return result;
}
