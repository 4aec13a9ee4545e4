import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Glyph } from './images/glyph.tsx';

type EmptyStateProps = {
  title: string;
  text?: ReactNode;
  /** `page` when the page has no other content: the title becomes its heading. */
  of?: 'page' | 'section';
  /** One button; two at most. */
  children?: ReactNode;
};

export function EmptyState({ title, text, of = 'section', children }: EmptyStateProps) {
  const Heading = of === 'page' ? 'h1' : 'h2';
  return (
    <div className={classNames('empty', of === 'page' && 'empty--page')}>
      <Glyph />
      <Heading tabIndex={of === 'page' ? -1 : undefined}>{title}</Heading>
      {text !== undefined && <p>{text}</p>}
      {children !== undefined && <div className="empty__acts">{children}</div>}
    </div>
  );
}
