import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { type ReactNode, Children, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '#web/ui/images/icon.tsx';

/** Pixels; fractional widths can leave a remainder below one pixel at the end. */
const almost = 2;

/**
 * One row of cards that scrolls sideways: by touch, wheel, or moving the focus through its links. With JavaScript there
 * are arrows for the mouse.
 */
export function Rail({
  width = '6',
  children,
}: {
  /** Cards in sight on a wide screen. */ width?: '4' | '5' | '6';
  children: ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [more, setMore] = useState({ before: false, after: false });

  function look(): void {
    if (list.current === null) return;
    const { scrollLeft, clientWidth, scrollWidth } = list.current;
    // From right to left it is negative.
    const scrolled = Math.abs(scrollLeft);
    const before = scrolled > almost;
    const after = scrolled + clientWidth < scrollWidth - almost;
    setMore((shown) => (shown.before === before && shown.after === after ? shown : { before, after }));
  }

  // By 80 % of the visible width, so that the last visible card stays in view.
  const scroll = (direction: 1 | -1) =>
    list.current?.scrollBy({
      left: (document.dir === 'rtl' ? -direction : direction) * list.current.clientWidth * 0.8,
      behavior: 'smooth',
    });

  return (
    // The arrows show only while a pointer is over the row.
    <div className="rail-box" onPointerEnter={({ pointerType }) => pointerType !== 'touch' && look()}>
      <ul
        ref={list}
        className={classNames('rail', width === '4' && 'rail--4', width === '5' && 'rail--5 rail--user-playlists')}
        onScroll={look}
      >
        {Children.map(children, (child) => (
          <li>{child}</li>
        ))}
      </ul>
      {more.before && <RailArrow direction="before" onClick={() => scroll(-1)} />}
      {more.after && <RailArrow direction="after" onClick={() => scroll(1)} />}
    </div>
  );
}

/** For the mouse only: keyboard and screen-reader users move through the links. */
function RailArrow({ direction, onClick }: { direction: 'before' | 'after'; onClick: () => void }) {
  return (
    <button
      type="button"
      className={`icon-button rail-arrow rail-arrow--${direction}`}
      tabIndex={-1}
      aria-hidden="true"
      onClick={onClick}
    >
      <Icon of={direction === 'before' ? ChevronLeft : ChevronRight} />
    </button>
  );
}

/** `sizes` of a card in a rail. */
export const railSizes = '(max-width: 767px) 148px, (max-width: 1023px) 22vw, 193px';

/** `sizes` of a card in a grid of five columns. */
export const gridSizes = '(max-width: 767px) 44vw, 237px';
