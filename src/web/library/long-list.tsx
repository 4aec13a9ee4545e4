import type { RefObject } from 'react';
import { useLocation } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { RowsHead } from '#web/catalogue/audio-list.tsx';
import { LoadMore } from '#web/catalogue/load-more.tsx';
import { LongRows, useRowList } from './long-rows.tsx';
import type { useWholeList } from './use-whole-list.ts';

type LongListProps = {
  list: RefObject<HTMLDivElement | null>;
  pages: ReturnType<typeof useWholeList<Audio>>;
  source: ContentSource;
  /** What it is called, for "Playing from". */
  name: string;
};

/** Audios of a list that may be long and is wanted whole. Playing one plays on through the others. */
export function LongList({ list, pages: { items, ...rest }, source, name }: LongListProps) {
  const rows = useRowList(items, { source, name });
  // What stands before a page that was opened by its own address is not known, so neither are the numbers.
  const isPart = new URLSearchParams(useLocation().search).has('cursor');
  return (
    <>
      <div ref={list} className="rows rows--long">
        <ul aria-hidden="true">
          <RowsHead />
        </ul>
        <LongRows items={items} list={rows} isNumbered={!isPart} />
      </div>
      <LoadMore {...rest} shown={items.length} />
    </>
  );
}
