import type { ReactNode } from 'react';
import { Children } from 'react';
import { classNames } from '#web/ui/class-names.ts';

/** Cards in as many columns on a wide screen; two on a phone. */
export function CardGrid({
  columns,
  className,
  children,
}: {
  columns: '4' | '5' | '6';
  className?: string;
  children: ReactNode;
}) {
  return (
    <ul
      className={classNames(
        `grid grid--${columns}`,
        columns === '4' && 'gap-4!',
        columns === '5' && 'gap-x-6! gap-y-10!',
        className,
      )}
    >
      {Children.map(children, (child) => (
        <li className="min-w-0">{child}</li>
      ))}
    </ul>
  );
}
