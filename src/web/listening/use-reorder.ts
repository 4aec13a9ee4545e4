import { t } from '@lingui/core/macro';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { type RowBox, targetIndex, targetIndexForKey, scrollStep, shiftOf } from './reorder.ts';

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
  const [endDrag] = useState(() => (): { from: number; to: number } | undefined => {
    const active = drag.current;
    drag.current = undefined;
    if (active === undefined) return undefined;
    active.row.closest('[data-sorting]')?.removeAttribute('data-sorting');
    active.row.removeAttribute('data-dragging');
    active.row.style.translate = '';
    for (const row of active.rows) row.removeAttribute('data-shift');
    return active;
  });

  useLayoutEffect(() => () => void endDrag(), [endDrag, items]);

  function draw(active: Drag): void {
    const dragged = active.pointerY + window.scrollY - active.startY;
    active.row.style.translate = `0 ${dragged}px`;
    const to = targetIndex({ from: active.from, dragged, boxes: active.boxes });
    if (to === active.to) return;
    // Only rows whose shift has changed.
    for (let at = Math.min(to, active.to); at <= Math.max(to, active.to); at++) {
      const shift = shiftOf(at, active.from, to);
      if (shift === undefined) active.rows[at]?.removeAttribute('data-shift');
      else active.rows[at]?.setAttribute('data-shift', shift);
    }
    active.to = to;
  }

  function scrollAtEdges(active: Drag): void {
    if (drag.current !== active) return;
    const step = scrollStep(active.pointerY, viewOfList());
    if (step !== 0) {
      window.scrollBy(0, step);
      draw(active);
    }
    requestAnimationFrame(() => scrollAtEdges(active));
  }

  return (event) => {
    const handle = (event.target as HTMLElement).closest<HTMLElement>('[data-grip]');
    const row = handle?.closest('li');
    if (event.button !== 0 || handle === null || !row || list.current === null) return;
    const rows = [...list.current.querySelectorAll<HTMLElement>('li[data-id]')];
    const from = rows.indexOf(row);
    const boxes = rows.map((one) => one.getBoundingClientRect());
    const active: Drag = {
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
    drag.current = active;
    list.current.style.setProperty('--row-height', `${boxes[from]?.height ?? 0}px`);
    list.current.setAttribute('data-sorting', '');
    row.setAttribute('data-dragging', '');
    requestAnimationFrame(() => scrollAtEdges(active));

    const listening = new AbortController();
    const end = () => {
      listening.abort();
      return drag.current === active ? endDrag() : undefined;
    };
    const onMoved = (moved: globalThis.PointerEvent) => {
      if (drag.current !== active) return;
      active.pointerY = moved.clientY;
      draw(active);
    };
    const onDropped = () => {
      const done = end();
      if (done !== undefined && done.to !== done.from) onMove(done.from, done.to);
    };
    const onKey = (key: globalThis.KeyboardEvent) => {
      if (key.key !== 'Escape' || drag.current !== active) return;
      key.preventDefault();
      end();
    };
    handle.addEventListener('pointermove', onMoved, listening);
    handle.addEventListener('pointerup', onDropped, listening);
    handle.addEventListener('pointercancel', end, listening);
    window.addEventListener('keydown', onKey, { signal: listening.signal, capture: true });
  };
}

/** Visible part of the list, between the header and the player. */
function viewOfList(): { top: number; bottom: number } {
  const header = Math.max(0, document.querySelector('[data-site-header]')?.getBoundingClientRect().bottom ?? 0);
  const player = document.querySelector('[data-player]')?.getBoundingClientRect().top ?? window.innerHeight;
  return { top: header, bottom: player };
}

type RowOrder<Item> = Omit<Reorder, 'items'> & { items: readonly Item[] };

/**
 * The order of a list by hand: by dragging a grip, by keys on it, and one place up or down from a row's menu.
 * @returns `moveBy`, which stays the same, and what a live region says of the last move
 */
export function useRowOrder<Item extends { id: string; title: string }>({ list, items, onMove }: RowOrder<Item>) {
  const [announcement, setAnnouncement] = useState('');

  function move(from: number, to: number): void {
    const item = items[from];
    if (item === undefined) return;
    onMove(from, to);
    const { title } = item;
    setAnnouncement(t`${title}, place ${{ place: to + 1 }} of ${{ count: items.length }}`);
  }
  const latest = useRef({ items, move });
  useEffect(() => {
    latest.current = { items, move };
  });
  const moveBy = useCallback((id: string, by: 1 | -1) => {
    const { items: now, move: moveNow } = latest.current;
    const from = now.findIndex((item) => item.id === id);
    if (now[from + by] !== undefined) moveNow(from, from + by);
  }, []);
  const onPointerDown = useReorder({ list, items, onMove: move });

  /** Arrows, Home and End move a row: on its grip, or anywhere in the row with Alt. */
  function onKeyDown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const id = target.closest('li')?.dataset['id'];
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!event.altKey && target.closest('[data-grip]') === null) return;
    const from = items.findIndex((item) => item.id === id);
    const to = targetIndexForKey(event.key, from, items.length);
    if (to === undefined) return;
    event.preventDefault();
    flushSync(() => move(from, to));
    // Moving a row in the DOM drops the focus; a row far from the window has no grip until it is scrolled near.
    rowOf(list, id)?.scrollIntoView({ block: 'nearest' });
    if (target.isConnected) target.focus({ preventScroll: true });
    else focusGrip(list, id);
  }
  return { announcement, moveBy, onPointerDown, onKeyDown };
}

export function rowOf(list: RefObject<HTMLElement | null>, id: string): HTMLElement | null | undefined {
  return list.current?.querySelector<HTMLElement>(`li[data-id="${id}"]`);
}

function focusGrip(list: RefObject<HTMLElement | null>, id: string, tries = 30): void {
  const grip = rowOf(list, id)?.querySelector<HTMLElement>('[data-grip]');
  if (grip) grip.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusGrip(list, id, tries - 1));
}
