import { t } from '@lingui/core/macro';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '#web/ui/images/icon.tsx';

type SectionProps = {
  title: string;
  more?: { label: string; to: string } | undefined;
  /** `below` the first view: laid out only when near. */
  place?: 'first' | 'below';
  className?: string;
  children: ReactNode;
};

export function Section({ title, more, place = 'first', className, children }: SectionProps) {
  const label = more?.label ?? '';
  return (
    <section className={classNames('section', place === 'below' && 'section--below', className)} aria-label={title}>
      <div className="flex items-baseline justify-between gap-4 mb-5 max-md:mb-4">
        <h2 className="text-26 max-md:text-[1.5rem]">{title}</h2>
        {more && (
          <Link className="more" to={more.to} aria-label={t`${label}: ${title}`}>
            {label}
            <Icon of={ChevronRight} size={16} />
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
