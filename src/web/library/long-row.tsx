import GripVertical from 'lucide-react/icons/grip-vertical';
import { memo } from 'react';
import type { Audio } from '#domain/catalogue/audios.ts';
import { AudioRowParts, RowNumber } from '#web/catalogue/audio-row.tsx';
import { formatCountOf, formatTime } from '#web/format.ts';
import { isCurrent as isCurrentOf } from '#web/listening/playback.ts';
import { PlayButton } from '#web/listening/play-button.tsx';
import { usePlayerState } from '#web/listening/player-provider.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import type { RowList } from './long-rows.tsx';

type LongRowProps = {
  audio: Audio;
  /** In a list that cannot be put in order. */
  number: number | undefined;
  list: RowList;
  isNear: boolean;
};

/** A row of a list that may be very long. Far from the window it is its words alone, by which it is found. */
export const LongRow = memo(function LongRow({ audio, number, list, isNear }: LongRowProps) {
  const isCurrent = usePlayerState((snapshot) => isCurrentOf(snapshot, audio.id));
  return (
    <li
      className={classNames('row', isCurrent && 'is-current', !isNear && 'row--far')}
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
      <span className="row__n num">{number}</span>
      <span className="cov" />
      <div className="row__tt">
        <span className="row__t trunc">{audio.title}</span>
        <span className="row__v trunc">{audio.voice.name}</span>
        <span className="row__mm num">
          {formatTime(audio.numberDuration)}
          <span className="dot">{formatCountOf(audio.plays, 'play')}</span>
        </span>
      </div>
    </>
  );
}

function WholeRow({ audio, number, list }: Pick<LongRowProps, 'audio' | 'number' | 'list'>) {
  const { source, name, get, onMove, onRemove } = list;
  return (
    <AudioRowParts
      audio={audio}
      source={source}
      lead={onMove ? <Grip title={audio.title} /> : <RowNumber audio={audio} number={number} />}
      play={<PlayButton audios={[audio]} index={0} within={get} source={source} look="pill" listName={name} />}
      onMove={onMove && ((by) => onMove(audio.id, by))}
      onRemove={onRemove && (() => onRemove(audio.id))}
    />
  );
}

function Grip({ title }: { title: string }) {
  return (
    <button type="button" className="grip" aria-label={`Reorder ${title}`} aria-describedby={gripHintId}>
      <Icon of={GripVertical} />
    </button>
  );
}

/** Of the line that says how a grip is used, which stands once in the page. */
export const gripHintId = 'grip-hint';
