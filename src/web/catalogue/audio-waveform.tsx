import type { Audio } from '#domain/catalogue/audios.ts';
import { fractionOf, SLIDER_MAX } from '#player/progress.ts';
import { formatTime } from '#web/format.ts';
import {
  useDuration,
  usePlayback,
  usePlayerCommands,
  usePosition,
  useProgress,
} from '#web/listening/player-provider.tsx';
import { Slider } from '#web/ui/slider.tsx';
import { Waveform } from '#web/ui/waveform.tsx';

const bars = 150;
const height = 64;

/** The audio’s waveform: shows the heard part and, while the player holds the audio, lets the listener seek. */
export function AudioWaveform({ audio }: { audio: Audio }) {
  const { isCurrent } = usePlayback(audio.id);
  return (
    <div className="mt-6 grid grid-cols-[auto_1fr_auto] items-center gap-3 text-13 tabular-nums text-muted md:mt-10 md:gap-5">
      {isCurrent ? <LiveLine audio={audio} /> : <StillLine audio={audio} />}
    </div>
  );
}

function StillLine({ audio }: { audio: Audio }) {
  const progress = useProgress(audio);
  return (
    <>
      <span>{formatTime(progress * audio.numberDuration)}</span>
      <Waveform slug={audio.slug} bars={bars} height={height} progress={progress} />
      <span>{formatTime(audio.numberDuration)}</span>
    </>
  );
}

/** The waveform with a transparent slider on top. */
function LiveLine({ audio }: { audio: Audio }) {
  const { beginScrub, scrubTo, endScrub, cancelScrub } = usePlayerCommands();
  const duration = useDuration();
  const progress = fractionOf(usePosition(), duration);
  return (
    <>
      <span>{formatTime(progress * duration)}</span>
      <div className="relative">
        <Waveform slug={audio.slug} bars={bars} height={height} progress={progress} />
        <div className="absolute inset-0">
          <Slider
            label={`Position in ${audio.title}`}
            variant="overlay"
            value={progress}
            max={SLIDER_MAX}
            step={duration > 0 ? 1 / duration : SLIDER_MAX}
            largeStep={duration > 0 ? 15 / duration : SLIDER_MAX}
            valueText={(fraction) => `${formatTime(fraction * duration)} of ${formatTime(duration)}`}
            onScrubStart={beginScrub}
            onScrub={scrubTo}
            onScrubEnd={endScrub}
            onScrubCancel={cancelScrub}
          />
        </div>
      </div>
      <span>{formatTime(duration)}</span>
    </>
  );
}
