import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Link, useLocation } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';

/** Link to the next page of a list read by cursor, and back to the first page. */
export function ListPager({ shown, nextCursor }: { shown: string; nextCursor: string | undefined }) {
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  const continues = params.has('cursor');
  params.delete('cursor');
  const first = pathname + (params.size === 0 ? '' : `?${params}`);
  if (nextCursor !== undefined) params.set('cursor', nextCursor);
  if (nextCursor === undefined && !continues) return null;
  return (
    <div className="pager">
      <span>{shown}</span>
      <nav aria-label={t`Pages`}>
        {continues && (
          <Button
            render={
              <Link to={first}>
                <Icon of={ChevronLeft} size={16} />
                <Trans>First page</Trans>
              </Link>
            }
          />
        )}
        {nextCursor !== undefined && (
          <Button
            render={
              <Link to={`${pathname}?${params}`}>
                <Trans>Next page</Trans>
                <Icon of={ChevronRight} size={16} />
              </Link>
            }
          />
        )}
      </nav>
    </div>
  );
}
