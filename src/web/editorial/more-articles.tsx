import { useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router';
import { blogAddress } from '#domain/editorial/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { onPlainPress } from '#web/ui/plain-press.ts';
import type { BlogState } from './blog-state.ts';

/** End of the list: loads more when it comes near the window, by the button, or by a link without JavaScript. */
export function MoreArticles({ state, nextPage }: { state: BlogState; nextPage: () => void }) {
  const { query, page, hasMore, status, blogItems } = state;
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(nextPage);
  const waits = status === 'idle' && hasMore;
  const shown = blogItems.length;

  useEffect(() => {
    if (!waits || end.current === null) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: '400px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [waits, shown]);

  return (
    <>
      <output className="sr-only">{status === 'loading' ? 'Loading more' : shown > 0 && `${shown} shown`}</output>
      {(hasMore || query.page > 0) && (
        <div ref={end} className="mt-12 flex flex-wrap justify-center gap-3">
          {query.page > 0 && (
            <Button variant="ghost" render={<Link to={blogAddress({ ...query, page: 0 })} />}>
              Back to the beginning
            </Button>
          )}
          {status === 'failed' ? (
            <div role="alert" className="flex flex-wrap items-center justify-center gap-3 text-14 text-muted">
              The rest of the list could not be loaded.
              <Button onClick={nextPage}>Try again</Button>
            </div>
          ) : (
            hasMore && (
              <Button
                variant="outline"
                busy={status === 'loading' ? 'Loading' : undefined}
                render={<Link to={blogAddress({ ...query, page: page + 1 })} rel="next" />}
                onClick={onPlainPress(nextPage)}
              >
                Load more
              </Button>
            )
          )}
        </div>
      )}
    </>
  );
}
