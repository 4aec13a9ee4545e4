import { t } from '@lingui/core/macro';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactElement, ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { formatCount } from '#formats/numbers.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { withParameters } from './list-address.ts';

type PagerProps = {
  shown: number;
  total: number;
  /** There are more than `total`. */
  isMore?: boolean;
  newerCursor: string | undefined;
  olderCursor: string | undefined;
  /** Default: Newer and Older. */
  labels?: readonly [string, string];
};

/** Keyset pages: they stay correct while rows are added and removed, so there are no page numbers. */
export function Pager({
  shown,
  total,
  isMore = false,
  newerCursor,
  olderCursor,
  labels = [t`Newer`, t`Older`],
}: PagerProps) {
  const { search } = useLocation();
  const [here, all] = [formatCount(shown), formatCount(total)];
  const hasPages = newerCursor !== undefined || olderCursor !== undefined;
  return (
    <div className="pager">
      <span className="tabular-nums">{isMore ? t`${here} of over ${all} shown` : t`${here} of ${all} shown`}</span>
      {hasPages && (
        <nav aria-label={t`Pages`}>
          <Turn to={newerCursor && withParameters(search, { before: newerCursor })}>
            <Icon of={ChevronLeft} size={16} />
            {labels[0]}
          </Turn>
          <Turn to={olderCursor && withParameters(search, { after: olderCursor })}>
            {labels[1]}
            <Icon of={ChevronRight} size={16} />
          </Turn>
        </nav>
      )}
    </div>
  );
}

function Turn({ to, children }: { to: string | undefined; children: ReactNode }): ReactElement {
  if (to === undefined)
    return (
      <span className="btn btn--secondary opacity-60" aria-hidden="true">
        {children}
      </span>
    );
  return (
    <Link className="btn btn--secondary" to={to}>
      {children}
    </Link>
  );
}
