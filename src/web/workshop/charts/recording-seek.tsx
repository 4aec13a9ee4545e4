import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { formatTime } from '#formats/durations.ts';
import { Slider } from '../../ui/fields/slider.tsx';
import type { RecordingControls } from '../use-recording.ts';
import { RecordingWaveform } from './recording-waveform.tsx';

type RecordingSeekProps = {
  title: string;
  /** Seconds. */
  duration: number;
  /** Undefined: the file is not measured yet. */
  peaks: string | undefined;
  recording: RecordingControls;
  /** Seconds that a large step of the keyboard moves. */
  largeStep: number;
  /** Between the waveform and the slider. */
  children?: ReactNode;
};

/** The waveform of a recording, on which one seeks. */
export function RecordingSeek(props: RecordingSeekProps) {
  const { title, duration, peaks, recording, largeStep, children } = props;
  return (
    <>
      {peaks === undefined ? (
        <p className="text-13 grid h-28 place-items-center px-4 text-center text-muted">
          <Trans>The waveform appears here once the file is measured.</Trans>
        </p>
      ) : (
        <RecordingWaveform
          peaks={peaks}
          heard={shareOf(recording.position, duration)}
          label={t`Waveform of ${{ title }}`}
        />
      )}
      {children}
      <Slider
        className="sound-wave__seek"
        variant="overlay"
        label={t`Position`}
        value={Math.min(recording.position, duration)}
        max={duration}
        step={1}
        largeStep={largeStep}
        valueText={(seconds) => t`${{ position: formatTime(seconds) }} of ${{ duration: formatTime(duration) }}`}
        onScrub={recording.seek}
        onScrubEnd={recording.seek}
      />
    </>
  );
}

/** From 0 to 1. */
export function shareOf(seconds: number, duration: number): number {
  return duration === 0 ? 0 : Math.min(1, seconds / duration);
}
