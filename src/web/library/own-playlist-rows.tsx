import type { KeyboardEvent, RefObject } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { RowsHead } from '#web/catalogue/audio-list.tsx';
import { LoadMore } from '#web/catalogue/load-more.tsx';
import { placeByKey } from '#web/listening/reorder.ts';
import { useReorder } from '#web/listening/use-reorder.ts';
import { firstRows, useRowList } from './long-list.tsx';
import { gripHintId, LongRow } from './long-row.tsx';
import type { usePlaylistItems } from './use-playlist-items.ts';

type OwnPlaylistRowsProps = {
  name: string;
  list: RefObject<HTMLUListElement | null>;
  items: ReturnType<typeof usePlaylistItems>;
};

/** Rows of one's own playlist: moved by their grips, with hand or keys, and by their menus, which also remove. */
export function OwnPlaylistRows({ name, list, items: { items, move: moveTo, remove, pages } }: OwnPlaylistRowsProps) {
  const [said, setSaid] = useState('');

  function move(from: number, to: number): void {
    const audio = items[from];
    if (audio === undefined) return;
    moveTo(from, to);
    setSaid(`${audio.title}, place ${to + 1} of ${items.length}`);
  }

  function removeOne(id: string): void {
    const rows = list.current?.children;
    const at = items.findIndex((audio) => audio.id === id);
    // The row goes with its menu's button, which would have the focus again: the next one gets it, or the one before.
    const next = rows?.[at + 1] ?? rows?.[at - 1];
    remove(id);
    const focused = next?.querySelector<HTMLElement>('.ib--more') ?? document.querySelector<HTMLElement>('#main h1');
    setTimeout(() => focused?.focus({ preventScroll: true }));
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

  /** Arrows, Home and End on a grip; anywhere in a row together with Alt. */
  function onKeyDown(event: KeyboardEvent<HTMLUListElement>): void {
    const target = event.target as HTMLElement;
    const row = target.closest('li');
    if (row === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!event.altKey && target.closest('.grip') === null) return;
    const from = [...event.currentTarget.children].indexOf(row);
    const to = placeByKey(event.key, from, items.length);
    if (to === undefined) return;
    event.preventDefault();
    flushSync(() => move(from, to));
    // A row that is moved in the page loses the focus.
    target.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  }

  return (
    <>
      <ul className="rows">
        <RowsHead />
      </ul>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for the grips in it, of which there may be 5,000 */}
      <ul ref={list} className="rows rows--long rows--own" onPointerDown={startDrag} onKeyDown={onKeyDown}>
        {items.map((audio, index) => (
          <LongRow key={audio.id} audio={audio} number={undefined} list={rows} isFirst={index < firstRows} />
        ))}
      </ul>
      <LoadMore {...pages} shown={items.length} />
      <p id={gripHintId} hidden>
        Arrow keys move it up and down, Home and End to the ends.
      </p>
      <p className="vh" aria-live="assertive">
        {said}
      </p>
    </>
  );
}
