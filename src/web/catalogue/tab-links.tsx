import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { formatCount } from '#formats/numbers.ts';
import { classNames } from '#web/ui/class-names.ts';

type TabLinksProps = {
  label: string;
  className?: string;
  tabs: { label: string; count?: number | undefined; to: string; isCurrent?: boolean }[];
};

/**
 * Parts of a page with their own addresses. They look like tabs but are links, so they can be shared, work with Back,
 * and need no JavaScript.
 */
export function TabLinks({ label, tabs, className = 'mt-12' }: TabLinksProps) {
  const nav = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.label;
  // On a phone the current tab may be outside the scrolled strip.
  useEffect(() => {
    const tab = nav.current?.querySelector('[aria-current]');
    if (!nav.current || !tab) return;
    const [all, one] = [nav.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (one.left < all.left || one.right > all.right) nav.current.scrollLeft += one.left - all.left;
  }, [current]);
  return (
    <nav ref={nav} className={classNames('tabs', className)} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          to={tab.to}
          aria-current={tab.isCurrent ? 'page' : undefined}
          preventScrollReset
          className="group relative -mx-1.5 inline-flex min-h-12 items-center gap-2 rounded-tag px-1.5 text-15 font-semibold whitespace-nowrap text-muted aria-[current]:text-text"
        >
          {tab.label}
          {tab.count !== undefined && (
            <span className="tabular-nums text-13 font-medium">{formatCount(tab.count)}</span>
          )}
          <span className="absolute inset-x-1.5 -bottom-px hidden h-0.5 rounded-full bg-accent group-aria-[current]:block" />
        </Link>
      ))}
    </nav>
  );
}
