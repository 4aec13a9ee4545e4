import type { CSSProperties } from 'react';
import { memo, useEffect, useRef, useState } from 'react';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { useNear } from '#web/ui/use-near.ts';
import { LongRow } from './long-row.tsx';

/** What the rows of one list share; stays the same object, so that a list that grows draws none of them anew. */
export type RowList = {
  source: ContentSource;
  name: string;
  /** All of it, as far as it is here. */
  get: () => Audio[];
  /** Of one's own list: moves it by so many places. */
  onMove?: (id: string, by: 1 | -1) => void;
  onRemove?: (id: string) => void;
};

/** Rows that are laid out, painted and made whole together: watching each of 5,000 for itself would slow down scrolling. */
const chunkSize = 20;
/** In sight when the page is opened. */
const firstChunks = 2;

type LongRowsProps = {
  items: Audio[];
  list: RowList;
  /** Not in a list that can be put in order, nor where what stands before it is not known. */
  isNumbered: boolean;
};

/** The rows of a list that may have 5,000 of them. */
export function LongRows({ items, list, isNumbered }: LongRowsProps) {
  const chunks = Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) => index * chunkSize);
  return chunks.map((from, index) => (
    <RowChunk
      key={from}
      rows={items.slice(from, from + chunkSize)}
      from={isNumbered ? from : undefined}
      list={list}
      isFirst={index < firstChunks}
    />
  ));
}

type RowChunkProps = { rows: Audio[]; from: number | undefined; list: RowList; isFirst: boolean };

const RowChunk = memo(
  function RowChunk({ rows, from, list, isFirst }: RowChunkProps) {
    const box = useRef<HTMLUListElement>(null);
    const isNear = useNear(box, isFirst);
    return (
      <ul ref={box} className="rows__c" style={{ '--rows': rows.length } as CSSProperties}>
        {rows.map((audio, index) => (
          <LongRow
            key={audio.id}
            audio={audio}
            number={from === undefined ? undefined : from + index + 1}
            list={list}
            isNear={isNear}
          />
        ))}
      </ul>
    );
  },
  // Only what it was at first counts of `isFirst`.
  (a, b) =>
    a.list === b.list &&
    a.from === b.from &&
    a.rows.length === b.rows.length &&
    a.rows.every((audio, index) => audio === b.rows[index]),
);

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
