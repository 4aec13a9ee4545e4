import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { RowsHead } from '#web/catalogue/audio-list.tsx';
import { LoadMore } from '#web/catalogue/load-more.tsx';
import { LongRow } from './long-row.tsx';
import type { RowList } from './long-row.tsx';
import type { useWholeList } from './use-whole-list.ts';

/** Rows that are whole at once. */
export const firstRows = 24;

type LongListProps = {
  list: RefObject<HTMLUListElement | null>;
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
      <ul ref={list} className="rows rows--long">
        <RowsHead />
        {items.map((audio, index) => (
          <LongRow
            key={audio.id}
            audio={audio}
            number={isPart ? undefined : index + 1}
            list={rows}
            isFirst={index < firstRows}
          />
        ))}
      </ul>
      <LoadMore {...rest} shown={items.length} />
    </>
  );
}

/** The same object for as long as the list is the same, with whatever it holds by now. */
export function useRowList(items: Audio[], facts: Omit<RowList, 'get'>): RowList {
  const held = useRef(items);
  useEffect(() => {
    held.current = items;
  });
  const [made, setMade] = useState<RowList>(() => ({ ...facts, get: () => held.current }));
  if (Object.entries(facts).every(([key, value]) => made[key as keyof RowList] === value)) return made;
  const renewed = { ...facts, get: made.get };
  setMade(renewed);
  return renewed;
}
