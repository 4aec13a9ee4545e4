import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import GripVertical from 'lucide-react/icons/grip-vertical';
import X from 'lucide-react/icons/x';
import {
  Fragment,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { type RowBox, targetIndex, targetIndexForKey, scrollStep } from '../../listening/reorder.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

type HandOrderProps<Item extends { id: string }> = {
  items: Item[];
  /** Accessible name, such as `Order of the series`. */
  label: string;
  nameOf: (item: Item) => string;
  /** Three cells: a picture, a text, and for example a length. */
  renderItem: (item: Item) => ReactNode;
  /** More buttons at the end of the row. */
  renderActs?: (item: Item) => ReactNode;
  onMove: (from: number, to: number) => void;
  /** Without it, rows cannot be removed. */
  onRemove?: (item: Item) => void;
  canRemove?: boolean;
};

/** A held row: by pointer with its dragged distance, or by keyboard. */
type Held = { id: string; from: number; to: number; dragged: number | undefined };

/**
 * A list in manual order: rows are dragged by their grip to a drop line, or picked up with Space, moved with the arrow
 * keys and dropped with Space; Escape cancels. Moves are announced.
 */
export function HandOrder<Item extends { id: string }>(props: HandOrderProps<Item>) {
  const { items, label, nameOf, canRemove = true } = props;
  const list = useRef<HTMLOListElement>(null);
  const hintId = useId();
  const [held, setHeld] = useState<Held>();
  const [announcement, setAnnouncement] = useState('');

  // The list may have changed while a row was held.
  const active = held !== undefined && items[held.from]?.id === held.id ? held : undefined;
  // A pointer may be let go after the list has changed.
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const isDragged = active?.dragged !== undefined;
  const shown = active !== undefined && !isDragged ? moved(items, active.from, active.to) : items;
  const count = items.length;

  function announcePlace(item: Item, at: number, ending = ''): void {
    const name = nameOf(item);
    const place = at + 1;
    const text = t`${name}, place ${place} of ${count}`;
    setAnnouncement(ending === '' ? text : `${text}. ${ending}`);
  }

  function drop(row: Held): void {
    setHeld(undefined);
    const item = latest.current.items[row.from];
    if (item?.id !== row.id) return;
    announcePlace(item, row.to, t`Put down.`);
    if (row.to !== row.from) latest.current.onMove(row.from, row.to);
  }

  function cancelMove(row: Held): void {
    flushSync(() => setHeld(undefined));
    const item = items[row.from];
    if (item !== undefined) announcePlace(item, row.from, t`Put back.`);
    focusGrip(row.id);
  }

  function focusGrip(id: string): void {
    const grip = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] [data-grip]`);
    grip?.focus({ preventScroll: true });
    grip?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }

  function onGripKey(event: KeyboardEvent, item: Item, index: number): void {
    if (event.altKey || event.ctrlKey || event.metaKey || isDragged) return;
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (active !== undefined) return drop(active);
      setHeld({ id: item.id, from: index, to: index, dragged: undefined });
      return announcePlace(item, index, t`Picked up. Arrow keys move it, Space puts it down, Escape puts it back.`);
    }
    if (active === undefined) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      return cancelMove(active);
    }
    if (event.key === 'Tab') return cancelMove(active);
    const to = targetIndexForKey(event.key, active.to, count);
    if (to === undefined) return;
    event.preventDefault();
    flushSync(() => setHeld({ ...active, to }));
    // Moving a row in the document drops the focus.
    focusGrip(active.id);
    announcePlace(item, to);
  }

  function onGripPress(event: PointerEvent<HTMLElement>, item: Item, from: number): void {
    if (event.button !== 0 || list.current === null) return;
    const grip = event.currentTarget;
    const rows = [...list.current.querySelectorAll<HTMLElement>('li[data-id]')];
    const boxes = rows.map((row) => row.getBoundingClientRect());
    // Prevents text selection; the focus is lost with it, so it is set here.
    event.preventDefault();
    grip.focus({ preventScroll: true });
    grip.setPointerCapture(event.pointerId);
    followPointer(grip, event, {
      boxes,
      from,
      onDrag: (dragged, to) => setHeld({ id: item.id, from, to, dragged }),
      onDrop: (to) => drop({ id: item.id, from, to, dragged: 0 }),
      onCancel: () => setHeld(undefined),
    });
  }

  return (
    <>
      <ol ref={list} className="hand-order border-t border-line" aria-label={label}>
        {shown.map((item, index) => {
          const isHeld = active?.id === item.id;
          const name = nameOf(item);
          const place = index + 1;
          const lineBefore = isDragged && active.to < active.from && active.to === index;
          const lineAfter = isDragged && active.to > active.from && active.to === index;
          return (
            <Fragment key={item.id}>
              {lineBefore && <li className="drop-line" aria-hidden="true" />}
              <li
                className="order-row"
                data-id={item.id}
                data-dragging={isHeld ? '' : undefined}
                style={isHeld && isDragged ? { translate: `0 ${active.dragged}px` } : undefined}
              >
                <button
                  type="button"
                  className="grip"
                  data-grip=""
                  aria-label={t`Move ${name}, ${place} of ${count}`}
                  aria-describedby={hintId}
                  aria-pressed={isHeld}
                  onKeyDown={(event) => onGripKey(event, item, index)}
                  onPointerDown={(event) => onGripPress(event, item, index)}
                  onBlur={() => isHeld && !isDragged && document.hasFocus() && setHeld(undefined)}
                >
                  <Icon of={GripVertical} />
                </button>
                <span className="position text-muted">{place}</span>
                {props.renderItem(item)}
                <span className="flex max-md:col-[3/-1] max-md:row-[2] max-md:justify-self-end">
                  <IconButton
                    label={t`Move up: ${name}`}
                    icon={ArrowUp}
                    disabled={index === 0}
                    onClick={() => drop({ id: item.id, from: index, to: index - 1, dragged: undefined })}
                  />
                  <IconButton
                    label={t`Move down: ${name}`}
                    icon={ArrowDown}
                    disabled={index === count - 1}
                    onClick={() => drop({ id: item.id, from: index, to: index + 1, dragged: undefined })}
                  />
                  {props.onRemove !== undefined && (
                    <IconButton
                      label={t`Remove: ${name}`}
                      icon={X}
                      disabled={!canRemove}
                      onClick={() => props.onRemove?.(item)}
                    />
                  )}
                  {props.renderActs?.(item)}
                </span>
              </li>
              {lineAfter && <li className="drop-line" aria-hidden="true" />}
            </Fragment>
          );
        })}
      </ol>
      <p id={hintId} hidden>
        <Trans>Drag, or press Space and then the arrow keys.</Trans>
      </p>
      {count > 1 && (
        <p className="hint flex justify-start gap-y-1.5 gap-x-4.5 mt-3 max-md:hidden" aria-hidden="true">
          <span>
            <Trans>
              <kbd className="kbd">Space</kbd> pick up or put down
            </Trans>
          </span>
          <span>
            <Trans>
              <kbd className="kbd">↑</kbd> <kbd className="kbd">↓</kbd> move
            </Trans>
          </span>
          <span>
            <Trans>
              <kbd className="kbd">Esc</kbd> put back
            </Trans>
          </span>
        </p>
      )}
      <p className="sr-only" aria-live="assertive">
        {announcement}
      </p>
    </>
  );
}

/** The items, with one moved to another position. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const item = items[from];
  return item === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item);
}

type Drag = {
  boxes: readonly RowBox[];
  from: number;
  onDrag: (dragged: number, to: number) => void;
  onDrop: (to: number) => void;
  onCancel: () => void;
};

/** Until the pointer is released; Escape cancels. The page scrolls while the pointer is near its edges. */
function followPointer(grip: HTMLElement, start: PointerEvent, { boxes, from, onDrag, onDrop, onCancel }: Drag): void {
  const listening = new AbortController();
  const { signal } = listening;
  const startY = start.clientY + window.scrollY;
  let pointerY = start.clientY;
  let to = from;
  let hasMoved = false;

  function draw(): void {
    const dragged = pointerY + window.scrollY - startY;
    hasMoved ||= Math.abs(dragged) > 3;
    if (!hasMoved) return;
    to = targetIndex({ from, dragged, boxes });
    onDrag(dragged, to);
  }
  function scrollAtEdges(): void {
    if (signal.aborted) return;
    const bottom = document.querySelector('[data-player]')?.getBoundingClientRect().top ?? window.innerHeight;
    const step = hasMoved ? scrollStep(pointerY, { top: 0, bottom }) : 0;
    if (step !== 0) {
      window.scrollBy(0, step);
      draw();
    }
    requestAnimationFrame(scrollAtEdges);
  }
  function end(then: () => void): void {
    listening.abort();
    if (hasMoved) then();
  }
  grip.addEventListener(
    'pointermove',
    ({ clientY }) => {
      pointerY = clientY;
      draw();
    },
    { signal },
  );
  grip.addEventListener('pointerup', () => end(() => onDrop(to)), { signal });
  grip.addEventListener('pointercancel', () => end(onCancel), { signal });
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      end(onCancel);
    },
    { signal, capture: true },
  );
  requestAnimationFrame(scrollAtEdges);
}
