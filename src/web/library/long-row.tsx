import { memo } from 'react';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import { countOf } from '#formats/numbers.ts';
import { formatTime } from '#formats/durations.ts';
import { isCurrent as isCurrentOf } from '#web/listening/playback.ts';
import { usePlayerState } from '#web/listening/player-provider.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { RowList } from './row-list.ts';
import { WholeRow } from './whole-row.tsx';
import '../styles/library.css';

type LongRowProps = {
  audio: AudioRowItem;
  /** Only in lists without manual order. */
  number: number | undefined;
  list: RowList;
  isNear: boolean;
};

/** Row of a possibly very long list. Far from the window it renders only its text, for find in page. */
export const LongRow = memo(function LongRow({ audio, number, list, isNear }: LongRowProps) {
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
  return (
    <>
      <span className="row__number tabular-nums">{number}</span>
      <span className="cover" />
      <div className="row__titles">
        <span className="row__title truncate">{audio.title}</span>
        <span className="row__voice truncate">{audio.voice.name}</span>
        <span className="row__meta tabular-nums">
          {formatTime(audio.numberDuration)}
          <span className="dot">{countOf(audio.plays, 'play')}</span>
        </span>
      </div>
    </>
  );
}
