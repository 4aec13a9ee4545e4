import type { ReactNode } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { classNames } from '../ui/class-names.ts';

/** Spec §9, page fade: 200 ms out, then 200 ms in. */
const fadeOut = 200;

/** The page's own part. Fades out while the next page loads and in when it is there; what stands around it stays as it is. */
export function PageFade({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  const isLeaving = next !== undefined && next.pathname !== pathname;
  return (
    // A ring round the whole page, after the skip link, would say nothing.
    <main id="main" tabIndex={-1} className={classNames('fade focus-visible:[--ring:none]', isLeaving && 'is-leaving')}>
      {children}
    </main>
  );
}

/**
 * Client middleware of the root route. Lets the fade out end before the next page is shown. Loading has begun by then: only a page that
 * came faster than 200 ms waits for the rest of it.
 */
export async function holdForFade({ request }: { request: Request }, next: () => Promise<unknown>): Promise<unknown> {
  const isSamePage = new URL(request.url).pathname.replace(/\.data$/, '') === window.location.pathname;
  if (isSamePage || request.method !== 'GET' || window.matchMedia('(prefers-reduced-motion: reduce)').matches)
    return next();
  const [result] = await Promise.all([next(), new Promise((resolve) => setTimeout(resolve, fadeOut))]);
  return result;
}
