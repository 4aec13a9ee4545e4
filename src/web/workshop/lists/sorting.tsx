import { t } from '@lingui/core/macro';
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as cards on a phone, table elements lose their roles */
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Icon } from '../../ui/images/icon.tsx';
import { withParameters } from './list-address.ts';
import { ListLink } from './list-link.tsx';
import { useReadPendingSearch } from '../../use-pending-search.ts';

export type SortOption<Value extends string> = { value: Value; label: string; direction: 'ascending' | 'descending' };

type SortHeadProps<Value extends string> = {
  option: SortOption<Value>;
  current: Value;
  className?: string;
  children: ReactNode;
};

/** Header of a sortable column, in its one useful direction. */
export function SortHead<Value extends string>({ option, current, className, children }: SortHeadProps<Value>) {
  const isCurrent = option.value === current;
  return (
    <th scope="col" role="columnheader" className={className} {...(isCurrent && { 'aria-sort': option.direction })}>
      <ListLink className="sort" changes={{ sort: option.value }}>
        {children}
        {isCurrent && <Icon of={option.direction === 'ascending' ? ArrowUp : ArrowDown} size={16} />}
      </ListLink>
    </th>
  );
}

type SortFieldProps<Value extends string> = { options: SortOption<Value>[]; current: Value };

/** The column headers as one field, where a table is shown as cards. */
export function SortField<Value extends string>({ options, current }: SortFieldProps<Value>) {
  const readSearch = useReadPendingSearch();
  const navigate = useNavigate();
  return (
    <select
      className="input input--dense max-md:flex-1 max-md:min-w-45 max-md:rounded-full w-auto md:hidden noscript:hidden"
      aria-label={t`Sort`}
      value={current}
      onChange={({ target }) => {
        const pending = readSearch();
        if (pending === undefined) return;
        void navigate(withParameters(pending, { sort: target.value }), { preventScrollReset: true, replace: true });
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
