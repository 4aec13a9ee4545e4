import { t } from '@lingui/core/macro';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type RefObject, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { classNames } from '#web/ui/class-names.ts';
import { followDetails } from '#web/ui/layers/open-layers.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { usePendingSearch } from '../use-pending-search.ts';
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
  const requested = new URLSearchParams(search).get('sort');
  const sorts = Object.keys(labels) as Sort[];
  const current = sorts.find((sort) => sort === requested) ?? defaultSort;
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
  const label = labels[current] ?? '';
  return (
    <details ref={box} className={classNames('relative', className)}>
      <summary
        className={`btn ${look} btn--small cursor-pointer list-none [&::-webkit-details-marker]:hidden`}
        aria-label={t`Sort: ${label}`}
      >
        {label}
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

/** Pixels between the control, the menu and what is beyond. */
const gap = 8;
/** Pixels of a menu that scrolls, where there is no room at all. */
const smallest = 96;

/**
 * For a `<details>` used as a menu: opens upward where the player would cover it, scrolls where it fits nowhere, and closes
 * after a choice, on Escape, and when the focus or a press moves elsewhere.
 */
function useDisclosure(): RefObject<HTMLDetailsElement | null> {
  const { key } = useLocation();
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const details = box.current;
    if (details === null) return;
    // The focused link would be hidden, so the focus returns to the summary.
    if (details.open && details.contains(document.activeElement)) details.querySelector('summary')?.focus();
    details.open = false;
    const place = () => {
      const menu = details.querySelector<HTMLElement>('[data-menu]');
      if (menu === null || !details.open) return;
      menu.style.removeProperty('max-height');
      const player = document.querySelector('[data-player]')?.getBoundingClientRect().top ?? window.innerHeight;
      const header = document.querySelector('[data-site-header]')?.getBoundingClientRect().bottom ?? 0;
      const { top, bottom } = details.getBoundingClientRect();
      const [above, below] = [top - Math.max(0, header) - 2 * gap, player - bottom - 2 * gap];
      const isAbove = below < menu.offsetHeight && above > below;
      details.dataset.opens = isAbove ? 'above' : 'below';
      menu.style.setProperty('max-height', `${Math.max(smallest, isAbove ? above : below)}px`);
    };
    const stop = new AbortController();
    details.addEventListener('toggle', place, stop);
    const stopFollowing = followDetails(details);
    const close = (event: Event) => {
      if (!details.open || (event.type !== 'keydown' && details.contains(event.target as Node))) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        details.querySelector('summary')?.focus();
      }
      details.open = false;
    };
    for (const name of ['pointerdown', 'focusin', 'keydown']) document.addEventListener(name, close, stop);
    return () => {
      stopFollowing();
      stop.abort();
    };
  }, [key]);
  return box;
}
