import { useState } from 'react';
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
import { WhisperLine } from '#web/ui/whisper-line.tsx';

const bars = 150;
const height = 64;

/** The audio drawn as speech: how far it was heard and, while the player holds it, where one may take it up. */
export function AudioWhisper({ audio }: { audio: Audio }) {
  const { isCurrent } = usePlayback(audio.id);
  return <div className="wl num">{isCurrent ? <LiveLine audio={audio} /> : <StillLine audio={audio} />}</div>;
}

function StillLine({ audio }: { audio: Audio }) {
  const progress = useProgress(audio);
  return (
    <>
      <span>{formatTime(progress * audio.numberDuration)}</span>
      <WhisperLine slug={audio.slug} bars={bars} height={height} progress={progress} />
      <span>{formatTime(audio.numberDuration)}</span>
    </>
  );
}

/** The drawing with a slider laid over it, whose own rail is not seen. */
function LiveLine({ audio }: { audio: Audio }) {
  const { beginScrub, scrubTo, endScrub } = usePlayerCommands();
  const position = usePosition();
  const duration = useDuration();
  const [scrubbed, setScrubbed] = useState<number>();
  const progress = scrubbed ?? fractionOf(position, duration);
  return (
    <>
      <span>{formatTime(progress * duration)}</span>
      <div className="relative">
        <WhisperLine slug={audio.slug} bars={bars} height={height} progress={progress} />
        <div className="absolute inset-0 *:h-full">
          <Slider
            label={`Position in ${audio.title}`}
            className="h-full! [&_.sl\_\_on]:bg-transparent [&_.sl\_\_track]:bg-transparent [&:not(:hover,:has(:focus-visible))_.sl\_\_thumb]:opacity-0"
            value={fractionOf(position, duration)}
            max={SLIDER_MAX}
            step={duration > 0 ? 1 / duration : SLIDER_MAX}
            largeStep={duration > 0 ? 15 / duration : SLIDER_MAX}
            valueText={(fraction) => `${formatTime(fraction * duration)} of ${formatTime(duration)}`}
            onScrubStart={beginScrub}
            onScrub={(fraction) => {
              setScrubbed(fraction);
              scrubTo(fraction);
            }}
            onScrubEnd={() => {
              setScrubbed(undefined);
              endScrub();
            }}
          />
        </div>
      </div>
      <span>{formatTime(duration)}</span>
    </>
  );
}
