import { plural, t } from '@lingui/core/macro';
import GripVertical from 'lucide-react/icons/grip-vertical';
import { type CSSProperties, memo, useEffect, useRef, useState } from 'react';
import type { ContentSource } from '#domain/analytics/forms.ts';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import { formatTime } from '#formats/durations.ts';
import { AudioRowParts, RowNumber } from '#web/catalogue/audio-row.tsx';
import { foreign } from '#web/catalogue/foreign-language.tsx';
import { PlayButton } from '#web/listening/play-button.tsx';
import { isCurrent as isCurrentOf } from '#web/listening/playback.ts';
import { usePlayerState } from '#web/listening/player-provider.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { useNear } from '#web/ui/use-near.ts';
import '../styles/library.css';
import '#web/styles/queue.css';

/** Data shared by the rows of one list; a stable object, so that loading more re-renders no existing row. */
export type RowList = {
  source: ContentSource;
  name: string;
  /** All items loaded so far. */
  get: () => AudioRowItem[];
  /** In an own list: moves the audio by this many places. */
  onMove?: (id: string, by: 1 | -1) => void;
  onRemove?: (id: string) => void;
};

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
  const latest = useRef(items);
  useEffect(() => {
    latest.current = items;
  });
  const [current, setCurrent] = useState<RowList>(() => ({ ...facts, get: () => latest.current }));
  if (Object.entries(facts).every(([key, value]) => current[key as keyof RowList] === value)) return current;
  const renewed = { ...facts, get: current.get };
  setCurrent(renewed);
  return renewed;
}

type LongRowProps = {
  audio: AudioRowItem;
  /** Only in lists without manual order. */
  number: number | undefined;
  list: RowList;
  isNear: boolean;
};

/** Row of a possibly very long list. Far from the window it renders only its text, for find in page. */
const LongRow = memo(function LongRow({ audio, number, list, isNear }: LongRowProps) {
  const isCurrent = usePlayerState((snapshot) => isCurrentOf(snapshot, audio.id));
  return (
    <li
      className={classNames('row', !isNear && 'min-h-(--row)')}
      aria-current={isCurrent ? 'true' : undefined}
      data-id={audio.id}
    >
      {isNear ? <WholeRow audio={audio} number={number} list={list} /> : <FarRow audio={audio} number={number} />}
    </li>
  );
});

function FarRow({ audio, number }: Pick<LongRowProps, 'audio' | 'number'>) {
  const { plays } = audio;
  return (
    <>
      <span className="row__number tabular-nums">{number}</span>
      <span className="cover" />
      <div className="row__titles">
        <span className="row__title truncate" lang={foreign(audio.language)}>
          {audio.title}
        </span>
        <span className="row__voice truncate">{audio.voice.name}</span>
        <span className="row__meta tabular-nums">
          {formatTime(audio.numberDuration)}
          <span className="dot">{plural(plays, { one: '# play', other: '# plays' })}</span>
        </span>
      </div>
    </>
  );
}

/** The parts of a row that is near the window. */
function WholeRow({ audio, number, list }: Omit<LongRowProps, 'isNear'>) {
  return (
    <>
      {list.onMove ? <Grip title={audio.title} /> : <RowNumber audio={audio} number={number} />}
      <RowBody audio={audio} list={list} />
    </>
  );
}

function Grip({ title }: { title: string }) {
  return (
    <button type="button" className="grip" data-grip aria-label={t`Reorder ${title}`} aria-describedby={gripHintId}>
      <Icon of={GripVertical} />
    </button>
  );
}

/** Id of the hint on how to use a grip; rendered once in the page. */
export const gripHintId = 'grip-hint';

/**
 * A row without its first cell. A separate component, because the server caches its HTML, which does not depend on the
 * position.
 */
export function RowBody({ audio, list }: { audio: AudioRowItem; list: RowList }) {
  const { source, name, get, onMove, onRemove } = list;
  return (
    <AudioRowParts
      audio={audio}
      source={source}
      play={<PlayButton audios={[audio]} index={0} within={get} source={source} variant="pill" listName={name} />}
      onMove={onMove && ((by) => onMove(audio.id, by))}
      onRemove={onRemove && (() => onRemove(audio.id))}
    />
  );
}
