import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { onPlainPress } from '#web/ui/plain-press.ts';

type LoadMoreProps = {
  nextCursor: string | undefined;
  state: 'idle' | 'loading' | 'failed';
  loadMore: () => void;
  /** Number of items shown, announced to screen readers. */
  shown: number;
};

/** End of a list: loads more when it comes near the window, or by a link without JavaScript. */
export function LoadMore({ nextCursor, state, loadMore, shown }: LoadMoreProps) {
  const { pathname, search } = useLocation();
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(loadMore);
  const continues = useIsPart();
  const waits = state === 'idle' && nextCursor !== undefined;

  useEffect(() => {
    if (!waits || end.current === null) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [waits, shown]);

  return (
    <>
      <output className="sr-only">{state === 'loading' ? 'Loading more' : `${shown} shown`}</output>
      {(nextCursor !== undefined || continues) && (
        <div ref={end} className="mt-8 flex flex-wrap justify-center gap-3">
          {continues && (
            <Button variant="ghost" render={<Link to={pathname + withCursor(search, undefined)} />}>
              Back to the beginning
            </Button>
          )}
          {state === 'failed' ? (
            <div role="alert" className="flex flex-wrap items-center justify-center gap-3 text-14 text-muted">
              The rest of the list could not be loaded.
              <Button onClick={loadMore}>Try again</Button>
            </div>
          ) : (
            nextCursor !== undefined && (
              <Button
                busy={state === 'loading' ? 'Loading' : undefined}
                render={<Link to={pathname + withCursor(search, nextCursor)} rel="next" />}
                onClick={onPlainPress(loadMore)}
              >
                Show more
              </Button>
            )
          )}
        </div>
      )}
    </>
  );
}

/** Whether the page was opened by its own cursor, as without JavaScript: nobody knows how many items come before it. */
export function useIsPart(): boolean {
  return new URLSearchParams(useLocation().search).has('cursor');
}

function withCursor(search: string, cursor: string | undefined): string {
  const parameters = new URLSearchParams(search);
  if (cursor === undefined) parameters.delete('cursor');
  else parameters.set('cursor', cursor);
  return parameters.size === 0 ? '' : `?${parameters}`;
}
