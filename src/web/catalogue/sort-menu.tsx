import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import { withQuery } from './list-links.ts';

type SortMenuProps<Sort extends string> = {
  /** What each order is called, in the order of the menu. */
  labels: Partial<Record<Sort, string>>;
  defaultSort: Sort;
  className?: string;
};

/** A disclosure of links, which opens and works without script too. */
export function SortMenu<Sort extends string>({ labels, defaultSort, className }: SortMenuProps<Sort>) {
  const { key, search } = useLocation();
  const asked = new URLSearchParams(search).get('sort');
  const sorts = Object.keys(labels) as Sort[];
  const current = sorts.find((sort) => sort === asked) ?? defaultSort;
  const box = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    const details = box.current;
    if (details === null) return;
    // What was chosen goes out of sight; the focus stays where it came from.
    if (details.open && details.contains(document.activeElement)) details.querySelector('summary')?.focus();
    details.open = false;
    const close = (event: Event) => {
      if (!details.open || (event.type !== 'keydown' && details.contains(event.target as Node))) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        details.querySelector('summary')?.focus();
      }
      details.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
      document.removeEventListener('keydown', close);
    };
  }, [key]);

  return (
    <details ref={box} className={classNames('relative', className)}>
      <summary
        className="btn btn--g btn--sm cursor-pointer list-none [&::-webkit-details-marker]:hidden"
        aria-label={`Sort: ${labels[current]}`}
      >
        {labels[current]}
        <Icon of={ChevronDown} size={16} />
      </summary>
      <ul className="menu absolute top-full right-0 z-10 mt-2 w-44!">
        {sorts.map((sort) => (
          <li key={sort}>
            <Link
              className="menu__i"
              aria-current={sort === current ? 'true' : undefined}
              to={withQuery(search, { sort: sort === defaultSort ? undefined : sort })}
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
