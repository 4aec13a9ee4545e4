import ChevronDown from 'lucide-react/icons/chevron-down';
import { Link, useLocation } from 'react-router';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { usePendingSearch } from '../use-pending-search.ts';
import { useDisclosure } from './use-disclosure.ts';
import { withQuery } from './list-links.ts';

type SortMenuProps<Sort extends string> = {
  /** Label of each order, in menu order. */
  labels: Partial<Record<Sort, string>>;
  defaultSort: Sort;
  className?: string;
};

/** A `<details>` with links, which also works without JavaScript. */
export function SortMenu<Sort extends string>({ labels, defaultSort, className }: SortMenuProps<Sort>) {
  const { search } = useLocation();
  const pending = usePendingSearch();
  const asked = new URLSearchParams(search).get('sort');
  const sorts = Object.keys(labels) as Sort[];
  const current = sorts.find((sort) => sort === asked) ?? defaultSort;
  const to = (sort: Sort) => withQuery(pending, { sort: sort === defaultSort ? undefined : sort });
  return <SortLinks labels={labels} current={current} to={to} look="btn--ghost" className={className} menu="w-44" />;
}

type SortLinksProps<Sort extends string> = Pick<SortMenuProps<Sort>, 'labels' | 'className'> & {
  current: Sort;
  to: (sort: Sort) => string;
  /** Classes of the control and of its menu. */
  look: string;
  menu: string;
};

/** The menu itself, for lists whose order has another place in the address. */
export function SortLinks<Sort extends string>({ labels, current, to, look, className, menu }: SortLinksProps<Sort>) {
  const box = useDisclosure();
  return (
    <details ref={box} className={classNames('relative', className)}>
      <summary
        className={`btn ${look} btn--small cursor-pointer list-none [&::-webkit-details-marker]:hidden`}
        aria-label={`Sort: ${labels[current]}`}
      >
        {labels[current]}
        <Icon of={ChevronDown} size={16} />
      </summary>
      <ul data-menu className={`menu absolute end-0 z-10 ${menu}`}>
        {(Object.keys(labels) as Sort[]).map((sort) => (
          <li key={sort}>
            <Link
              className="menu__item"
              aria-current={sort === current ? 'true' : undefined}
              to={to(sort)}
              rel="nofollow"
              preventScrollReset
            >
              {labels[sort]}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
