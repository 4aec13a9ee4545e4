import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import type { RefObject } from 'react';
import { href, Link } from 'react-router';
import type { AudioFacts } from '#domain/studio/audios/audio-facts.ts';
import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import type { Recording } from '#domain/studio/uploads/recordings.ts';
import { endsEarlyText } from '#domain/studio/rules.ts';
import { formatDecimal } from '#formats/decimals.ts';
import { formatTime } from '#formats/durations.ts';
import { classNames } from '../../ui/class-names.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { RoundButton } from '../../ui/round-button.tsx';
import { RecordingSeek, shareOf } from '../../workshop/charts/recording-seek.tsx';
import { formatLoudness, formatSampleRate } from '../uploads/upload-texts.ts';
import type { RecordingControls } from '../../workshop/use-recording.ts';

type RecordingPanelProps = {
  audio: AudioFacts;
  measured: Recording | null;
  element: RefObject<HTMLAudioElement | null>;
  recording: RecordingControls;
  failed: boolean;
  /** Start and end of the transcript's current line, in seconds. */
  line: { start: number; end: number } | undefined;
  chapters: readonly Chapter[];
};

/** Plays the recording on its waveform, and downloads or replaces the file. */
export function RecordingPanel({ audio, measured, element, recording, failed, line, chapters }: RecordingPanelProps) {
  const { numberDuration: duration } = audio;
  const share = (seconds: number) => shareOf(seconds, duration);
  const at = { voice: audio.voice.slug };
  return (
    <section className="pane" aria-label={t`Sound`} data-field="sound">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript is below, where it is written */}
      <audio ref={element} data-recording preload="none" src={`/media/audios/${audio.id}`} />
      <div className="mb-4 flex flex-wrap items-center gap-3.5">
        <RoundButton
          tone="accent"
          label={recording.isPlaying ? t`Pause` : t`Play`}
          icon={recording.isPlaying ? Pause : Play}
          onClick={() => (recording.isPlaying ? recording.pause() : recording.play())}
        />
        <div className="min-w-[150px] flex-1">
          <p className="font-semibold text-18 tabular-nums">
            {formatTime(recording.position)} <span className="font-normal text-muted">/ {formatTime(duration)}</span>
          </p>
          <p className="text-13 text-muted tabular-nums">{soundLine(audio, measured)}</p>
        </div>
        <Button
          variant="ghost"
          size="sm"
          className="btn--quiet"
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the button puts its text in
          render={<a href={`/studio-files/audios/${audio.id}/original`} download />}
        >
          <Icon of={Download} size={16} />
          <Trans>Download</Trans>
        </Button>
        <Button size="sm" render={<Link to={`${href('/studio/:voice/upload', at)}?replaces=${audio.id}`} />}>
          <Icon of={RefreshCw} size={16} />
          <Trans>Replace file</Trans>
        </Button>
      </div>
      {measured?.facts.missingSeconds !== undefined && (
        <Note tone="error" className="mb-3">
          {endsEarlyText(measured.facts.missingSeconds)}
        </Note>
      )}
      {failed && (
        <Note tone="error" className="mb-3">
          {t`The recording could not be loaded. Check the connection, and press Play again.`}
        </Note>
      )}
      <div className={classNames('sound-wave', chapters.length > 0 && 'mt-9')}>
        {chapters.map(({ start }, index) => (
          <span
            key={start}
            className="absolute inset-y-0 w-0.5 bg-inverse/75"
            aria-hidden="true"
            style={{ left: `${share(start) * 100}%` }}
          >
            <b className="absolute -top-6 grid -translate-x-2.5 h-5 w-5.5 place-items-center rounded-[6px] bg-inverse text-12 font-semibold text-inverse-text">
              {index + 1}
            </b>
          </span>
        ))}
        {line !== undefined && (
          <span
            className="absolute top-0 bottom-0 bg-accent/14 [box-shadow:inset_1.5px_0_0_var(--accent),inset_-1.5px_0_0_var(--accent)]"
            aria-hidden="true"
            style={{ left: `${share(line.start) * 100}%`, width: `${(share(line.end) - share(line.start)) * 100}%` }}
          />
        )}
        <RecordingSeek
          title={audio.title}
          duration={duration}
          peaks={measured?.peaks}
          recording={recording}
          largeStep={10}
        >
          <span
            className="absolute -top-1 -bottom-1 w-0.5 bg-inverse rounded-[2px] before:absolute before:-left-1.25 before:-top-1.25 before:size-3 before:rounded-full before:bg-inverse"
            aria-hidden="true"
            style={{ left: `${share(recording.position) * 100}%` }}
          />
        </RecordingSeek>
      </div>
      <div className="flex justify-between text-12 text-muted tabular-nums mt-1.5" aria-hidden="true">
        {[0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => (
          <span key={part}>{formatTime(part * duration)}</span>
        ))}
      </div>
    </section>
  );
}

function soundLine(audio: AudioFacts, measured: Recording | null): string {
  const { facts = {}, original = null } = measured ?? {};
  const file = [
    facts.format,
    facts.sampleRate === undefined ? undefined : formatSampleRate(facts.sampleRate),
    facts.bits === undefined ? undefined : t`${{ bits: facts.bits }} bit`,
    megabytes(original?.bytes ?? audio.fileBytes),
  ];
  return [file.filter(Boolean).join(', '), loudnessOf(facts)].filter(Boolean).join(' · ');
}

function loudnessOf({ loudnessBefore, loudnessAfter }: Recording['facts']): string | undefined {
  if (loudnessAfter === undefined) return undefined;
  const now = formatLoudness(loudnessAfter);
  const change = loudnessBefore === undefined ? 0 : loudnessAfter - loudnessBefore;
  if (Math.abs(change) < 0.05) return now;
  const decibels = formatDecimal(Math.abs(change));
  return change > 0 ? t`${now}, raised by ${decibels} dB` : t`${now}, lowered by ${decibels} dB`;
}

function megabytes(bytes: number): string {
  const megabyte = 1_000_000;
  return bytes < megabyte
    ? t`${{ size: Math.max(1, Math.round(bytes / 1000)) }} kB`
    : t`${{ size: formatDecimal(bytes / megabyte) }} MB`;
}
