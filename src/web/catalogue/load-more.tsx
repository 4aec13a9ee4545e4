import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { onPlainPress } from '#web/ui/plain-press.ts';

type LoadMoreProps = {
  nextCursor: string | undefined;
  state: 'idle' | 'loading' | 'failed';
  loadMore: () => void;
  shown: number;
  /** For lists whose parts have addresses without a cursor. */
  parts?: {
    /** The list began behind its first item. */
    isPart: boolean;
    /** Address of the part at this cursor; without one, of the beginning. */
    to: (cursor: string | undefined) => string;
  };
  label?: string;
  variant?: 'secondary' | 'outline';
  className?: string;
};

/** End of a list: loads more when it comes near the window, or by a link without JavaScript. */
export function LoadMore({ nextCursor, state, loadMore, shown, parts, ...look }: LoadMoreProps) {
  const { label = t`Show more`, variant, className = 'mt-8' } = look;
  const { pathname, search } = useLocation();
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(loadMore);
  const hasCursor = useIsPart();
  const toCursor = (cursor: string | undefined) => pathname + withCursor(search, cursor);
  const { isPart, to } = parts ?? { isPart: hasCursor, to: toCursor };
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
      <output className="sr-only">{state === 'loading' ? t`Loading more` : shown > 0 && t`${shown} shown`}</output>
      {(nextCursor !== undefined || isPart) && (
        <div ref={end} className={`${className} flex flex-wrap justify-center gap-3`}>
          {isPart && (
            <Button variant="ghost" render={<Link to={to(undefined)} />}>
              {t`Back to the beginning`}
            </Button>
          )}
          {state === 'failed' ? (
            <div role="alert" className="flex flex-wrap items-center justify-center gap-3 text-14 text-muted">
              {t`The rest of the list could not be loaded.`}
              <Button onClick={loadMore}>{t`Try again`}</Button>
            </div>
          ) : (
            nextCursor !== undefined && (
              <Button
                variant={variant}
                busy={state === 'loading' ? t`Loading` : undefined}
                render={<Link to={to(nextCursor)} rel="next" />}
                onClick={onPlainPress(loadMore)}
              >
                {label}
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
