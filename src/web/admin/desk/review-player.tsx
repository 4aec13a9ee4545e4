import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { type RefObject, useState } from 'react';
import { formatPercent } from '#formats/decimals.ts';
import { formatTime } from '#formats/durations.ts';
import { Note } from '#web/ui/note.tsx';
import { RoundButton } from '#web/ui/round-button.tsx';
import { RecordingSeek, shareOf } from '#web/workshop/charts/recording-seek.tsx';
import type { RecordingControls } from '#web/workshop/use-recording.ts';

type ReviewPlayerProps = {
  audioId: string;
  title: string;
  duration: number;
  peaks: string | undefined;
  element: RefObject<HTMLAudioElement | null>;
  recording: RecordingControls;
  failed: boolean;
  /** Seconds. */
  heard: number;
};

const speeds = [1, 1.5, 2] as const;

/** Plays what is reviewed, slower or faster, and shows how much of it was heard. */
export function ReviewPlayer(props: ReviewPlayerProps) {
  const { audioId, title, duration, peaks, element, recording, failed, heard } = props;
  const [speed, setSpeed] = useState<number>(1);
  const share = shareOf(heard, duration);

  function choose(rate: number): void {
    setSpeed(rate);
    recording.setRate(rate);
  }

  return (
    <section className="pane" aria-label={t`Sound`}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript is below */}
      <audio ref={element} data-recording preload="none" src={`/media/audios/${audioId}`} />
      <div className="mb-4 flex flex-wrap items-center gap-3.5">
        <RoundButton
          tone="accent"
          label={recording.isPlaying ? t`Pause` : t`Play`}
          icon={recording.isPlaying ? Pause : Play}
          onClick={() => (recording.isPlaying ? recording.pause() : recording.play())}
        />
        <p className="flex-1 font-semibold text-18 tabular-nums">
          {formatTime(recording.position)} <span className="font-normal text-muted">/ {formatTime(duration)}</span>
        </p>
        <fieldset className="segments" aria-label={t`Speed`}>
          {speeds.map((rate) => (
            <button key={rate} type="button" aria-pressed={rate === speed} onClick={() => choose(rate)}>
              {rate}×
            </button>
          ))}
        </fieldset>
      </div>
      {failed && (
        <Note tone="error" className="mb-3">
          {t`The recording could not be loaded. Check the connection, and press Play again.`}
        </Note>
      )}
      <div className="sound-wave">
        <RecordingSeek title={title} duration={duration} peaks={peaks} recording={recording} largeStep={15} />
      </div>
      <p className="mt-3.5 flex flex-wrap items-center gap-3 text-13 text-muted">
        <Trans>Heard by you</Trans>
        <progress
          className="h-1.5 min-w-20 flex-1 accent-(--accent)"
          max={1}
          value={share}
          aria-label={t`Heard by you`}
        />
        <span className="tabular-nums">{formatPercent(Math.round(share * 100), 0)}</span>
        <Trans>Saved with your decision</Trans>
      </p>
    </section>
  );
}
