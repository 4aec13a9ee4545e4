import { Link, useLocation } from 'react-router';
import { withQuery } from '#web/catalogue/list-links.ts';
import { Button } from '../ui/button.tsx';
import { onPlainPress } from '../ui/plain-press.ts';

type MoreCommentsProps = {
  nextCursor: string | undefined;
  state: 'idle' | 'loading' | 'failed';
  loadMore: () => Promise<void>;
  shown: number;
};

/** Loads more on a press, not on scroll, because content follows below; a link without JavaScript. */
export function MoreComments({ nextCursor, state, loadMore, shown }: MoreCommentsProps) {
  const { search, pathname } = useLocation();
  const isPart = new URLSearchParams(search).has('cursor');
  return (
    <>
      <output className="sr-only">{state === 'loading' ? 'Loading more' : shown > 0 && `${shown} shown`}</output>
      {(nextCursor !== undefined || isPart) && (
        <div className="mt-6 flex flex-wrap items-center gap-3">
          {isPart && (
            <Button variant="ghost" size="sm" render={<Link to={pathname + withQuery(search, {})} />}>
              Newest comments
            </Button>
          )}
          {state === 'failed' && (
            <span role="alert" className="text-14 text-muted">
              The rest of the comments could not be loaded.
            </span>
          )}
          {nextCursor !== undefined && (
            <Button
              variant="outline"
              size="sm"
              busy={state === 'loading' ? 'Loading' : undefined}
              render={<Link to={pathname + withQuery(search, { cursor: nextCursor })} rel="next" />}
              onClick={onPlainPress(() => void loadMore())}
            >
              {state === 'failed' ? 'Try again' : 'Show more comments'}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
