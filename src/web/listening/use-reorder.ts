import { useLayoutEffect, useRef, useState } from 'react';
import type { PointerEvent, RefObject } from 'react';
import { placeAt, scrollStep, shiftOf } from './reorder.ts';
import type { RowBox } from './reorder.ts';

type Drag = {
  row: HTMLElement;
  rows: HTMLElement[];
  from: number;
  to: number;
  /** Row positions when the drag began, relative to the window. */
  boxes: RowBox[];
  /** Relative to the page, not the window, because scrolling also drags. */
  startY: number;
  pointerY: number;
};

type Reorder = {
  list: RefObject<HTMLElement | null>;
  /** When the list changes, the drag ends at the original place. */
  items: readonly unknown[];
  onMove: (from: number, to: number) => void;
};

/**
 * Drags rows by a handle, with mouse, pen or finger. Styles move the rows during a drag, because a list of 1,000 cannot
 * re-render per pixel; React gets the new order at the drop.
 * @returns pointer handler for the list; rows are `li[data-id]` and have a `[data-grip]`
 */
export function useReorder({ list, items, onMove }: Reorder): (event: PointerEvent<HTMLElement>) => void {
  const drag = useRef<Drag>(undefined);
  const [letGo] = useState(() => (): { from: number; to: number } | undefined => {
    const held = drag.current;
    drag.current = undefined;
    if (held === undefined) return undefined;
    held.row.closest('[data-sorting]')?.removeAttribute('data-sorting');
    held.row.removeAttribute('data-dragging');
    held.row.style.translate = '';
    for (const row of held.rows) row.removeAttribute('data-shift');
    return held;
  });

  useLayoutEffect(() => () => void letGo(), [letGo, items]);

  function draw(held: Drag): void {
    const dragged = held.pointerY + window.scrollY - held.startY;
    held.row.style.translate = `0 ${dragged}px`;
    const to = placeAt({ from: held.from, dragged, boxes: held.boxes });
    if (to === held.to) return;
    // Only rows whose shift has changed.
    for (let at = Math.min(to, held.to); at <= Math.max(to, held.to); at++) {
      const shift = shiftOf(at, held.from, to);
      if (shift === undefined) held.rows[at]?.removeAttribute('data-shift');
      else held.rows[at]?.setAttribute('data-shift', shift);
    }
    held.to = to;
  }

  function scrollAtEdges(held: Drag): void {
    if (drag.current !== held) return;
    const step = scrollStep(held.pointerY, viewOfList());
    if (step !== 0) {
      window.scrollBy(0, step);
      draw(held);
    }
    requestAnimationFrame(() => scrollAtEdges(held));
  }

  return (event) => {
    const handle = (event.target as HTMLElement).closest<HTMLElement>('[data-grip]');
    const row = handle?.closest('li');
    if (event.button !== 0 || handle === null || !row || list.current === null) return;
    const rows = [...list.current.querySelectorAll<HTMLElement>('li[data-id]')];
    const from = rows.indexOf(row);
    const boxes = rows.map((one) => one.getBoundingClientRect());
    const held: Drag = {
      row,
      rows,
      from,
      to: from,
      boxes,
      startY: event.clientY + window.scrollY,
      pointerY: event.clientY,
    };
    // Prevents text selection and the native drag image; the default focus is lost with them, so it is set here.
    event.preventDefault();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    drag.current = held;
    list.current.style.setProperty('--row-height', `${boxes[from]?.height ?? 0}px`);
    list.current.setAttribute('data-sorting', '');
    row.setAttribute('data-dragging', '');
    requestAnimationFrame(() => scrollAtEdges(held));

    const listening = new AbortController();
    const end = () => {
      listening.abort();
      return drag.current === held ? letGo() : undefined;
    };
    const options = { signal: listening.signal };
    handle.addEventListener(
      'pointermove',
      (moved) => {
        if (drag.current !== held) return;
        held.pointerY = moved.clientY;
        draw(held);
      },
      options,
    );
    handle.addEventListener(
      'pointerup',
      () => {
        const done = end();
        if (done !== undefined && done.to !== done.from) onMove(done.from, done.to);
      },
      options,
    );
    handle.addEventListener('pointercancel', end, options);
    window.addEventListener(
      'keydown',
      (key) => {
        if (key.key !== 'Escape' || drag.current !== held) return;
        key.preventDefault();
        end();
      },
      { ...options, capture: true },
    );
  };
}

/** Visible part of the list, between the header and the player. */
function viewOfList(): { top: number; bottom: number } {
  const header = Math.max(0, document.querySelector('[data-site-header]')?.getBoundingClientRect().bottom ?? 0);
  const player = document.querySelector('[data-player]')?.getBoundingClientRect().top ?? window.innerHeight;
  return { top: header, bottom: player };
}
