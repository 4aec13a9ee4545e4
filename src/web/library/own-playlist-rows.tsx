import { Trans } from '@lingui/react/macro';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { RowsHead } from '#web/catalogue/audio-list.tsx';
import { LoadMore } from '#web/catalogue/load-more.tsx';
import { rowOf, useRowOrder } from '#web/listening/use-reorder.ts';
import { gripHintId, LongRows, useRowList } from './long-rows.tsx';
import type { usePlaylistItems } from './use-playlist-items.ts';
import '../styles/library.css';
import '#web/styles/queue.css';

type OwnPlaylistRowsProps = {
  name: string;
  list: RefObject<HTMLDivElement | null>;
  items: ReturnType<typeof usePlaylistItems>;
};

/** Rows of the user’s own playlist: moved by grip (pointer or keys) and by menu, which also removes. */
export function OwnPlaylistRows({ name, list, items: { items, move, remove, pages } }: OwnPlaylistRowsProps) {
  const { announcement, moveBy, ...handlers } = useRowOrder({ list, items, onMove: move });

  function removeOne(id: string): void {
    const at = items.findIndex((audio) => audio.id === id);
    const next = items[at + 1] ?? items[at - 1];
    remove(id);
    // The removed row contained the menu’s button, which would get the focus back, so it moves to the next row, or to
    // the one before.
    setTimeout(() => {
      const more = next && rowOf(list, next.id)?.querySelector<HTMLElement>('[data-more-button]');
      (more ?? document.querySelector<HTMLElement>('#main h1'))?.focus({ preventScroll: true });
    });
  }
  const latest = useRef(removeOne);
  useEffect(() => {
    latest.current = removeOne;
  });
  const removeNow = useCallback((id: string) => latest.current(id), []);
  const rows = useRowList(items, { source: 'userPlaylist', name, onMove: moveBy, onRemove: removeNow });

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- for the grips in it, of which there may be 5,000 */}
      <div ref={list} className="rows rows--long rows--own" {...handlers}>
        <ul aria-hidden="true">
          <RowsHead />
        </ul>
        <LongRows items={items} list={rows} isNumbered={false} />
      </div>
      <LoadMore {...pages} shown={items.length} />
      <p id={gripHintId} hidden>
        <Trans>Arrow keys move it up and down, Home and End to the ends.</Trans>
      </p>
      <p className="sr-only" aria-live="assertive">
        {announcement}
      </p>
    </>
  );
}
