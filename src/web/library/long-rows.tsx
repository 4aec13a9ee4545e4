import type { CSSProperties } from 'react';
import { memo, useEffect, useRef, useState } from 'react';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import { useNear } from '#web/ui/use-near.ts';
import { LongRow } from './long-row.tsx';
import type { RowList } from './row-list.ts';

/**
 * Rows that share one observer entry and are laid out and painted together: observing each of 5,000 rows would slow
 * down scrolling.
 */
const chunkSize = 20;
/** Chunks in view when the page opens. */
const firstChunks = 2;

type LongRowsProps = {
  items: AudioRowItem[];
  list: RowList;
  /** False for lists with manual order, and when the number of items before the first is unknown. */
  isNumbered: boolean;
};

/** Rows of a list with up to 5,000 items. */
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

type RowChunkProps = { rows: AudioRowItem[]; from: number | undefined; list: RowList; isFirst: boolean };

const RowChunk = memo(
  function RowChunk({ rows, from, list, isFirst }: RowChunkProps) {
    const box = useRef<HTMLUListElement>(null);
    const isNear = useNear(box, isFirst);
    return (
      <ul ref={box} className="rows__chunk" style={{ '--rows': rows.length } as CSSProperties}>
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
  // `isFirst` only matters for the first render.
  (a, b) =>
    a.list === b.list &&
    a.from === b.from &&
    a.rows.length === b.rows.length &&
    a.rows.every((audio, index) => audio === b.rows[index]),
);

/** The same object while the list is the same; `get` returns its current items. */
export function useRowList(items: AudioRowItem[], facts: Omit<RowList, 'get'>): RowList {
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
