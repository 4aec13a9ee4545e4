import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import GripVertical from 'lucide-react/icons/grip-vertical';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { placeByKey } from '#web/listening/reorder.ts';
import { useReorder } from '#web/listening/use-reorder.ts';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

type OrderedRowsProps<Item> = {
  label: string;
  items: Item[];
  nameOf: (item: Item) => string;
  /** Picture, texts and facts. */
  renderItem: (item: Item) => ReactNode;
  /** Buttons at the end of the row. */
  renderActs?: (item: Item, index: number) => ReactNode;
  onOrder: (items: Item[]) => void;
};

/**
 * Rows in manual order: moved by dragging, by the arrow buttons, and by keys on the grip (Space, arrows, Space or Esc).
 */
export function OrderedRows<Item extends { id: string }>(props: OrderedRowsProps<Item>) {
  const { label, items, nameOf, renderItem, renderActs, onOrder } = props;
  const hintId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [held, setHeld] = useState<{ id: string; order: Item[] }>();
  const [announcement, setAnnouncement] = useState('');

  function move(from: number, to: number): void {
    const item = items[from];
    if (item === undefined || items[to] === undefined || from === to) return;
    onOrder(items.toSpliced(from, 1).toSpliced(to, 0, item));
    setAnnouncement(`${nameOf(item)}, place ${to + 1} of ${items.length}`);
  }

  function focusGrip(id: string): void {
    list.current?.querySelector<HTMLElement>(`li[data-id="${id}"] [data-grip]`)?.focus({ preventScroll: true });
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>, item: Item, index: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      setHeld(held === undefined ? { id: item.id, order: items } : undefined);
      setAnnouncement(
        held === undefined
          ? `${nameOf(item)} picked up, place ${index + 1} of ${items.length}`
          : `${nameOf(item)} put down, place ${index + 1} of ${items.length}`,
      );
    } else if (held !== undefined && event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      flushSync(() => onOrder(held.order));
      setHeld(undefined);
      setAnnouncement(`${nameOf(item)} put back`);
      focusGrip(item.id);
    } else if (held !== undefined) {
      const to = placeByKey(event.key, index, items.length);
      if (to === undefined) return;
      event.preventDefault();
      // Moving a row in the DOM drops the focus.
      flushSync(() => move(index, to));
      focusGrip(item.id);
    }
  }

  const startDrag = useReorder({ list, items, onMove: move });
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for the grips in it */}
      <ul ref={list} className="hand" aria-label={label} onPointerDown={startDrag}>
        {items.map((item, index) => (
          <li key={item.id} className="hrow" data-id={item.id} data-dragging={held?.id === item.id ? '' : undefined}>
            <button
              type="button"
              className="grip"
              data-grip
              aria-label={`Move ${nameOf(item)}`}
              aria-describedby={hintId}
              aria-pressed={held?.id === item.id}
              onKeyDown={(event) => onKeyDown(event, item, index)}
              onBlur={() => held?.id === item.id && setHeld(undefined)}
            >
              <Icon of={GripVertical} size={18} />
            </button>
            <span className="n text-muted">{index + 1}</span>
            {renderItem(item)}
            <span className="hrow__b">
              <IconButton
                label={`Move ${nameOf(item)} up`}
                icon={ArrowUp}
                iconSize={18}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                label={`Move ${nameOf(item)} down`}
                icon={ArrowDown}
                iconSize={18}
                disabled={index === items.length - 1}
                onClick={() => move(index, index + 1)}
              />
              {renderActs?.(item, index)}
            </span>
          </li>
        ))}
      </ul>
      <p className="t13 mt-3 flex flex-wrap items-center gap-2 text-muted max-md:hidden" id={hintId}>
        <kbd className="kbd">Space</kbd> pick up or put down <kbd className="kbd">↑</kbd>
        <kbd className="kbd">↓</kbd> move <kbd className="kbd">Esc</kbd> put back
      </p>
      <p className="sr-only" aria-live="assertive">
        {announcement}
      </p>
    </>
  );
}
