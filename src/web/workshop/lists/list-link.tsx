import type { ComponentProps } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { withParameters } from './list-address.ts';
import { usePendingSearch, useReadPendingSearch } from '../../use-pending-search.ts';

type ListLinkProps = Omit<ComponentProps<typeof Link>, 'to' | 'onClick' | 'preventScrollReset'> & {
  /** Changed parameters of the list's address; undefined removes one. */
  changes: Record<string, string | undefined>;
};

/**
 * Link to the same list with other parameters. A press adds them to the address at that time: the one that was rendered
 * can lack words that were just typed into the search.
 */
export function ListLink({ changes, ...link }: ListLinkProps) {
  const navigate = useNavigate();
  const { search: shown } = useLocation();
  const pending = usePendingSearch();
  const readSearch = useReadPendingSearch();
  return (
    <Link
      {...link}
      to={withParameters(pending, changes)}
      preventScrollReset
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        const to = withParameters(readSearch() ?? pending, changes);
        void navigate(to, { preventScrollReset: true, replace: to === shown });
      }}
    />
  );
}
