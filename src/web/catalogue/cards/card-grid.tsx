import { type ReactNode, Children } from 'react';
import { classNames } from '../../ui/class-names.ts';

const looks = {
  '4': 'gap-4 md:grid-cols-4',
  '5': 'gap-x-6 gap-y-10 md:grid-cols-4 lg:grid-cols-5',
  '6': 'gap-x-4 gap-y-6 md:grid-cols-4 md:gap-x-6 md:gap-y-8 lg:grid-cols-6',
};

/** Cards in `columns` columns on a wide screen; two on a phone. */
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
    <ul className={classNames('grid grid-cols-2', looks[columns], className)}>
      {Children.map(children, (child) => (
        <li className="min-w-0">{child}</li>
      ))}
    </ul>
  );
}
