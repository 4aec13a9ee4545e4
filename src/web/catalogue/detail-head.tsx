import type { CSSProperties, ReactNode } from 'react';
import { classNames } from '#web/ui/class-names.ts';

/** Background glow in the artwork’s color. @param props.color `#RRGGBB`; null uses the site’s own color */
export function Glow({ color, children }: { color: string | null; children: ReactNode }) {
  return (
    <div
      className="relative isolate before:absolute before:top-[calc(var(--header)*-1)] before:left-1/2 before:-z-1 before:w-screen before:h-190 before:-ml-[50vw] before:[background:radial-gradient(_62%_92%_at_24%_0,color-mix(in_srgb,var(--tone)_calc(var(--glow-strength)*170%),transparent),transparent_72%_)] before:pointer-events-none"
      style={{ '--tone': color ?? '#5b4b8a' } as CSSProperties}
    >
      {children}
    </div>
  );
}

type DetailHeadProps = {
  /** `wide` for one audio, `small` for collections. */
  variant: 'wide' | 'small';
  /** Cover of any shape. */
  cover: ReactNode;
  children: ReactNode;
};

export function DetailHead({ variant, cover, children }: DetailHeadProps) {
  return (
    <article className={classNames('dh', variant === 'small' && 'dh--s')}>
      {cover}
      <div>{children}</div>
    </article>
  );
}

/** `sizes` of a cover in a `DetailHead`. */
export const headSizes = '(max-width: 767px) min(64vw, 260px), (max-width: 1023px) 260px, 360px';
