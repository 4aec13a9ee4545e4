import { type ReactNode, useId } from 'react';
import { classNames } from '../ui/class-names.ts';

type PaneProps = {
  title: ReactNode;
  /** Below the title. */
  gap?: 'mb-1.5' | 'mb-2' | 'mb-3';
  /** At the end of the title's line. */
  end?: ReactNode;
  className?: string;
  children?: ReactNode;
};

/** A section of a page, set apart, with a title. */
export function Pane({ title, gap = 'mb-3', end, className, children }: PaneProps) {
  const id = useId();
  const heading = (
    <h2 className={classNames('pane-title', end === undefined ? gap : 'min-w-0')} id={id}>
      {title}
    </h2>
  );
  return (
    <section className={classNames('pane', className)} aria-labelledby={id}>
      {end === undefined ? (
        heading
      ) : (
        <div className="pane__head">
          {heading}
          {end}
        </div>
      )}
      {children}
    </section>
  );
}
