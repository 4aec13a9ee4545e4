import RotateCcw from 'lucide-react/icons/rotate-ccw';
import RotateCw from 'lucide-react/icons/rotate-cw';
import SkipBack from 'lucide-react/icons/skip-back';
import SkipForward from 'lucide-react/icons/skip-forward';
import { SEEK_STEP_SECONDS } from '#player/reports/progress.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PlayPauseButton } from './play-pause-button.tsx';
import { usePlayerCommands, usePlayerState } from '../listening/player-provider.tsx';

const expanded =
  'expanded__transport -mx-2 my-auto flex items-center justify-between md:mx-0 md:my-8 md:justify-center md:gap-3 [&_.icon-button]:size-12';

/** Previous, back, play, forward, next, in this order everywhere. */
export function Transport({ place }: { place: 'bar' | 'expanded' }) {
  const { previous, next, seekBy } = usePlayerCommands();
  const canPrevious = usePlayerState((snapshot) => snapshot.canPrevious);
  const canNext = usePlayerState((snapshot) => snapshot.canNext);
  const isEmpty = usePlayerState(({ current }) => current === null);
  const isBar = place === 'bar';
  return (
    <div className={isBar ? 'flex items-center justify-center gap-1.5 md:max-lg:gap-0' : expanded}>
      <IconButton label="Previous" icon={SkipBack} filled disabled={!canPrevious} onClick={previous} />
      <IconButton
        label={`Back ${SEEK_STEP_SECONDS} seconds`}
        icon={RotateCcw}
        iconSize={24}
        size={40}
        className="skip-seconds"
        disabled={isEmpty}
        onClick={() => seekBy(-SEEK_STEP_SECONDS)}
      >
        <b aria-hidden="true">{SEEK_STEP_SECONDS}</b>
      </IconButton>
      <PlayPauseButton size={isBar ? 48 : 76} tone={isBar ? 'inverse' : 'accent'} className="mx-2" />
      <IconButton
        label={`Forward ${SEEK_STEP_SECONDS} seconds`}
        icon={RotateCw}
        iconSize={24}
        size={40}
        className="skip-seconds"
        disabled={isEmpty}
        onClick={() => seekBy(SEEK_STEP_SECONDS)}
      >
        <b aria-hidden="true">{SEEK_STEP_SECONDS}</b>
      </IconButton>
      <IconButton label="Next" icon={SkipForward} filled disabled={!canNext} onClick={next} />
    </div>
  );
}
