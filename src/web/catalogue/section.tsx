import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';

type SectionProps = {
  title: string;
  /** Where the whole of it is. */
  more?: { label: string; to: string } | undefined;
  /** What stands below the first view is laid out when it comes near; as wide as the screen then, for it cuts off what goes beyond it. */
  place?: 'first' | 'below';
  className?: string;
  children: ReactNode;
};

/** A part of a page with a heading of its own, named by it. */
export function Section({ title, more, place = 'first', className, children }: SectionProps) {
  return (
    <section
      className={classNames(
        'sec',
        place === 'below' &&
          'mx-[calc(var(--gutter)*-1)] px-(--gutter) [contain-intrinsic-size:auto_320px] [content-visibility:auto]',
        className,
      )}
      aria-label={title}
    >
      <div className="sec__h">
        <h2>{title}</h2>
        {more && (
          <Link className="more" to={more.to} aria-label={`${more.label}: ${title}`}>
            {more.label}
            <Icon of={ChevronRight} size={16} />
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
