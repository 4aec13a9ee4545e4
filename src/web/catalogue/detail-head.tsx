import type { CSSProperties, ReactNode } from 'react';
import { classNames } from '#web/ui/class-names.ts';

/** Lets one artwork's colour light the page. @param props.color `#RRGGBB`; the house's own where there is none */
export function Glow({ color, children }: { color: string | null; children: ReactNode }) {
  return (
    <div className="glow" style={{ '--tone': color ?? '#5b4b8a' } as CSSProperties}>
      {children}
    </div>
  );
}

type DetailHeadProps = {
  /** `wide` is for one audio, `small` for what holds several. */
  look: 'wide' | 'small';
  /** A cover of any shape. */
  cover: ReactNode;
  children: ReactNode;
};

export function DetailHead({ look, cover, children }: DetailHeadProps) {
  return (
    <article className={classNames('dh', look === 'small' && 'dh--s')}>
      {cover}
      <div>{children}</div>
    </article>
  );
}

/** The sizes of a cover in a `DetailHead`. */
export const headSizes = '(max-width: 767px) min(64vw, 260px), (max-width: 1023px) 260px, 360px';
