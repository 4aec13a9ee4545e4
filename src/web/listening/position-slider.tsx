import { useState } from 'react';
import { fractionOf, SLIDER_MAX } from '#player/progress.ts';
import { formatTime } from '#web/format.ts';
import { Slider } from '#web/ui/slider.tsx';
import { useDuration, usePlayerCommands, usePlayerState, usePosition } from './player-provider.tsx';

/** What Page Up and Shift with an arrow move by; an arrow alone moves by a second. */
const LARGE_STEP_SECONDS = 15;

export function PositionSlider({ className }: { className?: string }) {
  const { beginScrub, scrubTo, endScrub } = usePlayerCommands();
  const isEmpty = usePlayerState(({ current }) => current === null);
  const position = usePosition();
  const duration = useDuration();
  const second = duration > 0 ? 1 / duration : SLIDER_MAX;
  return (
    <Slider
      label="Position"
      value={fractionOf(position, duration)}
      max={SLIDER_MAX}
      step={second}
      largeStep={LARGE_STEP_SECONDS * second}
      valueText={(fraction) => `${formatTime(fraction * duration)} of ${formatTime(duration)}`}
      onScrubStart={beginScrub}
      onScrub={scrubTo}
      onScrubEnd={endScrub}
      disabled={isEmpty}
      className={className}
    />
  );
}

export function ElapsedTime() {
  return <span>{formatTime(usePosition())}</span>;
}

/** The whole time or, pressed, what is left of it. */
export function RemainingTime({ first }: { first: 'whole' | 'left' }) {
  const [shown, setShown] = useState(first);
  const position = usePosition();
  const duration = useDuration();
  // Floored apart, the two would not always add up to the whole.
  const left = Math.floor(duration) - Math.floor(Math.min(position, duration));
  const isWhole = shown === 'whole';
  return (
    <button
      type="button"
      className="-my-[3px] min-h-6 text-left"
      aria-label={
        isWhole ? `${formatTime(duration)} in all. Show the time left` : `${formatTime(left)} left. Show the whole time`
      }
      onClick={() => setShown(isWhole ? 'left' : 'whole')}
    >
      {isWhole ? formatTime(duration) : `-${formatTime(left)}`}
    </button>
  );
}

/** Decorative: on the edge of the bar on a phone, where the slider is a press away. */
export function ProgressEdge() {
  const fraction = fractionOf(usePosition(), useDuration());
  return (
    <span className="pl__edge" aria-hidden="true">
      <i style={{ width: `${fraction * 100}%` }} />
    </span>
  );
}
