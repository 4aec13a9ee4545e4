import type { ReactNode } from 'react';
import { Children } from 'react';
import { classNames } from '#web/ui/class-names.ts';

/** One line of cards that scrolls sideways: by touch, by wheel, and by keyboard as its links are walked through. */
export function Rail({
  width = '6',
  children,
}: {
  /** Cards in sight on a wide screen. */ width?: '4' | '5' | '6';
  children: ReactNode;
}) {
  return (
    <ul className={classNames('rail', width === '4' && 'rail--4', width === '5' && 'rail--5 rail--upl')}>
      {Children.map(children, (child) => (
        <li>{child}</li>
      ))}
    </ul>
  );
}

/** What a card of a rail is as wide as, for the choice of a picture. */
export const railSizes = '(max-width: 767px) 148px, (max-width: 1023px) 22vw, 193px';

/** The same for a card of a grid of five. */
export const gridSizes = '(max-width: 767px) 44vw, 237px';
