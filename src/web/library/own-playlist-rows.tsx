import type { KeyboardEvent, RefObject } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { RowsHead } from '#web/catalogue/audio-list.tsx';
import { LoadMore } from '#web/catalogue/load-more.tsx';
import { targetIndexForKey } from '#web/listening/reorder.ts';
import { useReorder } from '#web/listening/use-reorder.ts';
import { gripHintId } from './whole-row.tsx';
import { LongRows, useRowList } from './long-rows.tsx';
import type { usePlaylistItems } from './use-playlist-items.ts';
import '../styles/library.css';
import '#web/styles/queue.css';

type OwnPlaylistRowsProps = {
  name: string;
  list: RefObject<HTMLDivElement | null>;
  items: ReturnType<typeof usePlaylistItems>;
};

/** Rows of the user’s own playlist: moved by grip (pointer or keys) and by menu, which also removes. */
export function OwnPlaylistRows({ name, list, items: { items, move: moveTo, remove, pages } }: OwnPlaylistRowsProps) {
  const [announcement, setAnnouncement] = useState('');

  function move(from: number, to: number): void {
    const audio = items[from];
    if (audio === undefined) return;
    moveTo(from, to);
    setAnnouncement(`${audio.title}, place ${to + 1} of ${items.length}`);
  }

  function removeOne(id: string): void {
    const at = items.findIndex((audio) => audio.id === id);
    const next = items[at + 1] ?? items[at - 1];
    remove(id);
    // The removed row contained the menu’s button, which would get the focus back, so it moves to the next row, or to
    // the one before.
    setTimeout(() => {
      const more = next && rowOf(next.id)?.querySelector<HTMLElement>('[data-more-button]');
      (more ?? document.querySelector<HTMLElement>('#main h1'))?.focus({ preventScroll: true });
    });
  }

  function rowOf(id: string): HTMLElement | undefined {
    return list.current?.querySelector<HTMLElement>(`li[data-id="${id}"]`) ?? undefined;
  }

  const latest = useRef({ items, move, removeOne });
  useEffect(() => {
    latest.current = { items, move, removeOne };
  });
  const moveBy = useCallback((id: string, by: 1 | -1) => {
    const { items: now, move: moveNow } = latest.current;
    const from = now.findIndex((audio) => audio.id === id);
    if (now[from + by] !== undefined) moveNow(from, from + by);
  }, []);
  const removeNow = useCallback((id: string) => latest.current.removeOne(id), []);
  const rows = useRowList(items, { source: 'userPlaylist', name, onMove: moveBy, onRemove: removeNow });
  const startDrag = useReorder({ list, items, onMove: move });

  function focusGrip(id: string, tries = 30): void {
    const grip = rowOf(id)?.querySelector<HTMLElement>('[data-grip]');
    if (grip) grip.focus({ preventScroll: true });
    else if (tries > 0) requestAnimationFrame(() => focusGrip(id, tries - 1));
  }

  /** Arrows, Home and End move a row: on its grip, or anywhere in the row with Alt. */
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const target = event.target as HTMLElement;
    const row = target.closest('li');
    const id = row?.dataset['id'];
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!event.altKey && target.closest('[data-grip]') === null) return;
    const from = items.findIndex((audio) => audio.id === id);
    const to = targetIndexForKey(event.key, from, items.length);
    if (to === undefined) return;
    event.preventDefault();
    flushSync(() => move(from, to));
    // Moving a row in the DOM drops the focus; a row far from the window has no grip until it is scrolled near.
    rowOf(id)?.scrollIntoView({ block: 'nearest' });
    focusGrip(id);
  }

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- for the grips in it, of which there may be 5,000 */}
      <div ref={list} className="rows rows--long rows--own" onPointerDown={startDrag} onKeyDown={onKeyDown}>
        <ul aria-hidden="true">
          <RowsHead />
        </ul>
        <LongRows items={items} list={rows} isNumbered={false} />
      </div>
      <LoadMore {...pages} shown={items.length} />
      <p id={gripHintId} hidden>
        Arrow keys move it up and down, Home and End to the ends.
      </p>
      <p className="sr-only" aria-live="assertive">
        {announcement}
      </p>
    </>
  );
}
