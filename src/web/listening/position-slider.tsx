import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { fractionOf, secondsAt, SEEK_STEP_SECONDS, SLIDER_MAX } from '#player/reports/progress.ts';
import { formatTime } from '#formats/durations.ts';
import { Slider } from '#web/ui/fields/slider.tsx';
import { useDuration, usePlayerCommands, usePlayerState, usePosition } from './player-provider.tsx';

type PositionSliderProps = { label?: string; variant?: 'line' | 'overlay'; className?: string };

/** Position in the current audio. */
export function PositionSlider({ label = t`Position`, variant, className }: PositionSliderProps) {
  const { beginScrub, scrubTo, endScrub, cancelScrub } = usePlayerCommands();
  const { key } = useLocation();
  const audioId = usePlayerState(({ current }) => current?.id);
  const position = usePosition();
  const duration = useDuration();
  const second = duration > 0 ? 1 / duration : SLIDER_MAX;
  return (
    <Slider
      label={label}
      variant={variant}
      value={fractionOf(position, duration)}
      max={SLIDER_MAX}
      step={second}
      largeStep={SEEK_STEP_SECONDS * second}
      valueText={(fraction) =>
        t`${{ position: formatTime(secondsAt(fraction, duration)) }} of ${{ duration: formatTime(duration) }}`
      }
      onScrubStart={beginScrub}
      onScrub={scrubTo}
      onScrubEnd={endScrub}
      onScrubCancel={cancelScrub}
      subject={`${audioId} ${key}`}
      disabled={audioId === undefined}
      className={className}
    />
  );
}

export function ElapsedTime() {
  return <span>{formatTime(usePosition())}</span>;
}

/** The whole duration; a press switches it to the time left, and back. */
export function RemainingTime({ first }: { first: 'whole' | 'left' }) {
  const [shown, setShown] = useState(first);
  const position = usePosition();
  const duration = useDuration();
  // Difference of the floored values, so that elapsed and remaining time always add up to the shown duration.
  const left = Math.floor(duration) - Math.floor(Math.min(position, duration));
  const [total, timeLeft] = [formatTime(duration), formatTime(left)];
  const isWhole = shown === 'whole';
  return (
    <button
      type="button"
      className="-my-[3px] min-h-6 text-start"
      aria-label={isWhole ? t`Total ${total}. Show the time left` : t`${timeLeft} left. Show the whole time`}
      onClick={() => setShown(isWhole ? 'left' : 'whole')}
    >
      {isWhole ? total : `-${timeLeft}`}
    </button>
  );
}

/** Decorative progress line on the bar’s edge on phones, where the slider is one tap away. */
export function ProgressEdge() {
  const fraction = fractionOf(usePosition(), useDuration());
  return (
    <span className="player__edge" aria-hidden="true">
      <i style={{ width: `${fraction * 100}%` }} />
    </span>
  );
}
