import type { RefObject } from 'react';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { RowsHead } from '#web/catalogue/audio-list.tsx';
import { LoadMore, useIsPart } from '#web/catalogue/load-more.tsx';
import { LongRows, useRowList } from './long-rows.tsx';
import type { useWholeList } from './use-whole-list.ts';
import '../styles/library.css';

type LongListProps = {
  list: RefObject<HTMLDivElement | null>;
  pages: ReturnType<typeof useWholeList<AudioRowItem>>;
  source: ContentSource;
  name: string;
};

/** Audio list that loads completely, even when long. Playback continues through the whole list. */
export function LongList({ list, pages: { items, ...rest }, source, name }: LongListProps) {
  const rows = useRowList(items, { source, name });
  // The rows of a part have no numbers.
  const isPart = useIsPart();
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
