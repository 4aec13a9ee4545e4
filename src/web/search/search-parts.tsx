import { t } from '@lingui/core/macro';
import { Link, useLocation } from 'react-router';
import { deepestHit } from '#domain/search/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { withQuery } from '../catalogue/list-links.ts';
import { Button } from '../ui/button.tsx';

export { FilteredList } from '../catalogue/filters/filtered-list.tsx';

/** Links, so that a page can be shared, works with Back, and needs no JavaScript. */
export function Pages({ page, total, size }: { page: number; total: number; size: number }) {
  const { search } = useLocation();
  const pages = Math.max(1, Math.ceil(Math.min(total, deepestHit) / size));
  if (pages < 2 && page === 0) return null;
  const [number, last] = [formatCount(page + 1), formatCount(pages)];
  const to = (number: number) => withQuery(search, { page: number === 0 ? undefined : String(number + 1) });
  return (
    <nav className="mt-10 flex items-center justify-center gap-4" aria-label={t`Pages`}>
      {page > 0 && (
        <Button render={<Link to={to(Math.min(page, pages) - 1)} rel="prev" />}>
          {t({ message: 'Previous', context: 'page' })}
        </Button>
      )}
      {page < pages && <span className="tabular-nums text-14 text-muted">{t`Page ${number} of ${last}`}</span>}
      {page + 1 < pages && (
        <Button render={<Link to={to(page + 1)} rel="next" />}>{t({ message: 'Next', context: 'page' })}</Button>
      )}
    </nav>
  );
}
