import type { CSSProperties, ReactNode } from 'react';
import { classNames } from '#web/ui/class-names.ts';
import './detail-head.css';

/** Background glow in the artwork’s color. @param props.color `#RRGGBB`; null uses the site’s own color */
export function Glow({ color, children }: { color: string | null; children: ReactNode }) {
  return (
    <div className="glow" style={{ '--tone': color ?? '#5b4b8a' } as CSSProperties}>
      {children}
    </div>
  );
}

type DetailHeadProps = {
  /** `wide` for one audio, `small` for collections. */
  variant: 'wide' | 'small';
  cover: ReactNode;
  children: ReactNode;
};

export function DetailHead({ variant, cover, children }: DetailHeadProps) {
  return (
    <article className={classNames('detail-head', variant === 'small' && 'detail-head--small')}>
      {cover}
      <div>{children}</div>
    </article>
  );
}

/** `sizes` of a cover in a `DetailHead`. */
export const headSizes = '(max-width: 767px) min(64vw, 260px), (max-width: 1023px) 260px, 360px';
