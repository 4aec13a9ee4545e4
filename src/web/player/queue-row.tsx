import { plural, t } from '@lingui/core/macro';
import GripVertical from 'lucide-react/icons/grip-vertical';
import Lock from 'lucide-react/icons/lock';
import Play from 'lucide-react/icons/play';
import { memo, useRef } from 'react';
import { canPlay } from '#domain/listening/rules.ts';
import type { Track } from '#player/track.ts';
import { AudioMenu } from '#web/catalogue/audio-menu.tsx';
import { RowProgress, RowTitles } from '#web/catalogue/audio-row.tsx';
import { audioFavorite, FavoriteButton } from '#web/catalogue/favorite-button.tsx';
import { formatTime } from '#formats/durations.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { useNear } from '#web/ui/use-near.ts';
import { useListener, usePlayback, usePlayerCommands } from '../listening/player-provider.tsx';
import { foreign } from '../catalogue/foreign-language.tsx';
import '#web/styles/queue.css';

type QueueRowProps = {
  track: Track;
  /** In view when the list opens: rendered in full at once. */
  isFirst: boolean;
  onMove: (id: string, by: 1 | -1) => void;
};

/**
 * Memoized, so that moving one of 1,000 rows renders one. Off screen it renders only its text, for find in page. The
 * list handles dragging.
 */
export const QueueRow = memo(function QueueRow({ track, isFirst, onMove }: QueueRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const isNear = useNear(row, isFirst);
  return (
    <li ref={row} className="row" data-id={track.id}>
      {isNear ? <WholeRow track={track} onMove={onMove} /> : <FarRow track={track} />}
    </li>
  );
  // `isFirst` only matters for the first render.
}, isSameRow);

function isSameRow(a: QueueRowProps, b: QueueRowProps): boolean {
  return a.track === b.track && a.onMove === b.onMove;
}

function FarRow({ track }: { track: Track }) {
  return (
    <>
      <span />
      <span />
      <div className="row__titles">
        <span className="row__title truncate" lang={foreign(track.language)}>
          {track.title}
        </span>
        <span className="row__voice truncate">{track.voice.name}</span>
        <span className="row__meta tabular-nums">{formatTime(track.numberDuration)}</span>
      </div>
    </>
  );
}

function WholeRow({ track, onMove }: Pick<QueueRowProps, 'track' | 'onMove'>) {
  const { knownAudio, playFromQueue } = usePlayerCommands();
  const { inProgress } = usePlayback(track.id);
  const isLocked = !canPlay(useListener(), track);
  const plays = knownAudio(track.id)?.plays;
  const { title } = track;
  const name = isLocked ? t`${title}. Locked` : title;
  const icon = isLocked ? Lock : Play;
  return (
    <>
      <button
        type="button"
        className="grip"
        data-grip
        aria-label={t`Reorder ${title}`}
        aria-describedby={reorderHintId}
      >
        <Icon of={GripVertical} />
      </button>
      <Cover imageUrl={track.imageUrl} size={56}>
        <button
          type="button"
          className="row__cover-play"
          aria-label={inProgress ? t`Resume ${name}` : t`Play ${name}`}
          onClick={() => playFromQueue(track.id)}
        >
          <Icon of={icon} size={18} filled={!isLocked} />
        </button>
      </Cover>
      <RowTitles audio={track} source="queue">
        {formatTime(track.numberDuration)}
        {plays !== undefined && <span className="dot">{plural(plays, { one: '# play', other: '# plays' })}</span>}
      </RowTitles>
      <span className="row__menu tabular-nums">{formatTime(track.numberDuration)}</span>
      <Pill
        icon={icon}
        tone={inProgress ? 'tinted' : 'quiet'}
        className={isLocked ? '[&_.icon]:fill-none' : undefined}
        onClick={() => playFromQueue(track.id)}
      >
        {inProgress ? t`Resume` : t`Play`}
        <span className="sr-only"> {name}</span>
      </Pill>
      <FavoriteButton {...audioFavorite(track, 'queue')} />
      <AudioMenu audio={track} place="row" source="queue" onMove={(by) => onMove(track.id, by)} />
      {inProgress && <RowProgress audio={track} />}
    </>
  );
}

/** Id of the hint on how to use a grip; rendered once in the view. */
export const reorderHintId = 'reorder-hint';
