import { t } from '@lingui/core/macro';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { fractionOf } from '#player/reports/progress.ts';
import { formatTime } from '#formats/durations.ts';
import { useDuration, usePlayback, usePosition, useProgress } from '#web/listening/player-provider.tsx';
import { PositionSlider } from '#web/listening/position-slider.tsx';
import { Waveform } from '#web/ui/images/waveform.tsx';

const count = 150;
const height = 64;

type Props = {
  audio: AudioItem;
  /** As `Waveform` takes them. */
  bars: string | null;
};

/** The audio’s waveform: shows the heard part and, while the player holds the audio, lets the listener seek. */
export function AudioWaveform({ audio, bars }: Props) {
  const { isCurrent } = usePlayback(audio.id);
  return (
    <div
      dir="ltr"
      className="mt-6 grid grid-cols-[auto_1fr_auto] items-center gap-3 text-13 tabular-nums text-muted md:mt-10 md:gap-5"
    >
      {isCurrent ? <LiveLine audio={audio} bars={bars} /> : <StillLine audio={audio} bars={bars} />}
    </div>
  );
}

export function StillLine({ audio, bars }: Props) {
  const progress = useProgress(audio);
  return (
    <>
      <span>{formatTime(progress * audio.numberDuration)}</span>
      <Waveform bars={bars} count={count} height={height} progress={progress} />
      <span>{formatTime(audio.numberDuration)}</span>
    </>
  );
}

function LiveLine({ audio: { title }, bars }: Props) {
  const duration = useDuration();
  const progress = fractionOf(usePosition(), duration);
  return (
    <>
      <span>{formatTime(progress * duration)}</span>
      <div className="relative">
        <Waveform bars={bars} count={count} height={height} progress={progress} />
        <div className="absolute inset-0">
          <PositionSlider label={t`Position in ${title}`} variant="overlay" />
        </div>
      </div>
      <span>{formatTime(duration)}</span>
    </>
  );
}
