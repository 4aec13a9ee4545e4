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
import '../styles/library.css';

type LongRowProps = {
  audio: Audio;
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
      className={classNames('row', !isNear && 'row--far')}
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
      <span className="row__n tabular-nums">{number}</span>
      <span className="cov" />
      <div className="row__tt">
        <span className="row__t truncate">{audio.title}</span>
        <span className="row__v truncate">{audio.voice.name}</span>
        <span className="row__mm tabular-nums">
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
      play={<PlayButton audios={[audio]} index={0} within={get} source={source} variant="pill" listName={name} />}
      onMove={onMove && ((by) => onMove(audio.id, by))}
      onRemove={onRemove && (() => onRemove(audio.id))}
    />
  );
}

function Grip({ title }: { title: string }) {
  return (
    <button type="button" className="grip" data-grip aria-label={`Reorder ${title}`} aria-describedby={gripHintId}>
      <Icon of={GripVertical} />
    </button>
  );
}

/** Id of the hint on how to use a grip; rendered once in the page. */
export const gripHintId = 'grip-hint';
