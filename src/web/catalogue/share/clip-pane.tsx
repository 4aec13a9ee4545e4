import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { formatCueTime, parseCueTime } from '#domain/catalogue/rules.ts';
import {
  type ClipRange,
  maxClipSeconds,
  quoteOf,
  windowAround,
  withEnd,
  withStart,
} from '#domain/listening/clips/rules.ts';
import { formatDuration, formatTime } from '#formats/durations.ts';
import { answerOf, api } from '#web/api.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { usePlayerCommands } from '#web/listening/player-provider.tsx';
import type { Playable } from '#web/listening/track-of.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Waveform } from '#web/ui/images/waveform.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { Note } from '#web/ui/note.tsx';

const bars = 150;
/** Seconds of an arrow key, and with Shift. */
const [step, largeStep] = [1, 5];

type Said = { start: number; end: number; text: string };

/** Up to a minute of an audio, chosen on its waveform, as a link to a page with picture and sound. */
export function ClipPane({ audio }: { audio: Playable }) {
  const { numberDuration: duration } = audio;
  const showToast = useToast();
  const [range, setRange] = useState<ClipRange>(() => withEnd({ start: 0, end: 0 }, Math.min(30, duration), duration));
  const [shown, setShown] = useState(() => windowAround(range, duration));
  const [measured, setMeasured] = useState<string | null>(null);
  const [lines, setLines] = useState<Said[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [url, setUrl] = useState('');

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const param = { id: audio.id };
    void answerOf(api.audios[':id'].waveform.$get({ param }, { init: { signal } })).then(
      (answer) => answer.ok && !signal.aborted && setMeasured(answer.data.bars),
    );
    void answerOf(api.audios[':id'].transcript.$get({ param, query: {} }, { init: { signal } })).then(
      (answer) => answer.ok && !signal.aborted && setLines(answer.data.cues),
    );
    return () => controller.abort();
  }, [audio.id]);

  function choose(next: ClipRange, isFinal: boolean): void {
    setRange(next);
    setUrl('');
    if (isFinal) setShown(windowAround(next, duration));
  }

  async function copy(): Promise<void> {
    setBusy(true);
    setError(undefined);
    const json = { start: range.start, end: range.end };
    const answer = await answerOf(api.audios[':id'].clips.$post({ param: { id: audio.id }, json }));
    setBusy(false);
    if (!answer.ok) return setError(answer.message);
    setUrl(answer.data.url);
    logEvent('share_audio', { source: 'audio_details', subjectId: audio.id });
    try {
      await navigator.clipboard.writeText(answer.data.url);
      showToast({ kind: 'copy', text: t`Link copied` });
    } catch {
      // The field shows it.
      showToast({ kind: 'copy', text: t`This could not be copied. Select it, and copy it by hand.` });
    }
  }

  const length = formatDuration(Math.round(range.end - range.start));
  const quote = quoteOf(lines, range);
  return (
    <>
      {error !== undefined && <Note tone="error">{error}</Note>}
      <p className="text-14 text-muted">
        <bdi>{audio.voice.name}</bdi>
        <span className="dot tabular-nums">{length}</span>
        {quote !== '' && (
          <span className="mt-1 block italic text-soft" dir="auto">
            “{quote}”
          </span>
        )}
      </p>
      <div className="flex items-center gap-3" dir="ltr">
        <Preview audio={audio} range={range} />
        <Handles
          range={range}
          shown={shown}
          duration={duration}
          measured={measured}
          onChange={(next) => choose(next, false)}
          onDone={(next) => choose(next, true)}
        />
      </div>
      <div className="grid grid-cols-2 gap-4">
        <TimeField
          label={t`Starts at`}
          value={range.start}
          onChange={(to) => choose(withStart(range, to, duration), true)}
        />
        <TimeField label={t`Ends at`} value={range.end} onChange={(to) => choose(withEnd(range, to, duration), true)} />
      </div>
      <p className="hint">
        <Trans>
          {maxClipSeconds} seconds at most. The link works for a year, as long as everyone can hear the audio.
        </Trans>
      </p>
      {url !== '' && <Field label={t`Link`} readOnly dir="ltr" value={url} onFocus={({ target }) => target.select()} />}
      <Button variant="primary" width="full" busy={busy ? t`Making the link` : undefined} onClick={() => void copy()}>
        {t`Copy link to the clip`}
      </Button>
    </>
  );
}

type HandlesProps = {
  range: ClipRange;
  /** The seconds that the waveform shows. */
  shown: ClipRange;
  duration: number;
  measured: string | null;
  onChange: (range: ClipRange) => void;
  onDone: (range: ClipRange) => void;
};

const moves = { start: withStart, end: withEnd };

function Handles({ range, shown, duration, measured, onChange, onDone }: HandlesProps) {
  const line = useRef<HTMLDivElement>(null);
  const span = shown.end - shown.start;
  const share = (seconds: number) => Math.min(1, Math.max(0, (seconds - shown.start) / span));
  const [from, to] = [share(range.start), share(range.end)];

  function secondsAt({ clientX }: PointerEvent): number {
    const { left, width } = line.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.round(10 * (shown.start + ((clientX - left) / width) * span)) / 10;
  }

  const handle = (which: 'start' | 'end') => ({
    role: 'slider',
    tabIndex: 0,
    'aria-label': which === 'start' ? t`Start of the clip` : t`End of the clip`,
    'aria-valuemin': 0,
    'aria-valuemax': Math.floor(duration),
    'aria-valuenow': Math.round(range[which]),
    'aria-valuetext': formatTime(range[which]),
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (event.currentTarget.hasPointerCapture(event.pointerId))
        onChange(moves[which](range, secondsAt(event), duration));
    },
    onPointerUp: () => onDone(range),
    onKeyDown(event: KeyboardEvent) {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      const target =
        by !== undefined
          ? range[which] + by * (event.shiftKey ? largeStep : step)
          : { Home: 0, End: duration }[event.key];
      if (target === undefined) return;
      event.preventDefault();
      onDone(moves[which](range, target, duration));
    },
  });

  return (
    <div ref={line} className="clip-range">
      <Waveform
        bars={measured === null ? null : partOf(measured, shown, duration)}
        count={bars}
        from={from}
        progress={to}
      />
      <div className="clip-range__chosen" style={{ left: `${100 * from}%`, width: `${100 * Math.max(0, to - from)}%` }}>
        <span className="clip-range__handle" {...handle('start')} />
        <span className="clip-range__handle" {...handle('end')} />
      </div>
    </div>
  );
}

/** The bars of some seconds. */
function partOf(measured: string, { start, end }: ClipRange, duration: number): string {
  const at = (seconds: number) => Math.floor((seconds / duration) * measured.length);
  return measured.slice(at(start), Math.max(at(start) + 1, at(end)));
}

/** Takes what is typed when the field is left. */
function TimeField({ label, value, onChange }: { label: string; value: number; onChange: (seconds: number) => void }) {
  const [typed, setTyped] = useState<string>();
  const seconds = typed === undefined ? value : parseCueTime(typed);
  return (
    <Field
      label={label}
      autoComplete="off"
      dir="ltr"
      error={seconds === undefined ? t`Type a time such as 1:30` : undefined}
      value={typed ?? shortTime(value)}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => {
        if (typed !== undefined && seconds !== undefined) onChange(seconds);
        if (seconds !== undefined) setTyped(undefined);
      }}
    />
  );
}

/** `0:32`, and `0:32.40` where it is no whole second. */
function shortTime(seconds: number): string {
  return Number.isInteger(seconds) ? formatTime(seconds) : formatCueTime(seconds);
}

/** Plays the chosen seconds, while the player is quiet. */
function Preview({ audio, range }: { audio: Playable; range: ClipRange }) {
  const { pause } = usePlayerCommands();
  const showToast = useToast();
  const sound = useRef<HTMLAudioElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);

  async function toggle(): Promise<void> {
    const element = sound.current;
    if (element === null) return;
    if (!element.paused) return element.pause();
    pause();
    element.currentTime = range.start;
    try {
      await element.play();
    } catch {
      showToast({ text: t`This could not be loaded. Please try again.` });
    }
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- its words are above */}
      <audio
        ref={sound}
        src={audio.audioFileUrl}
        preload="none"
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onTimeUpdate={({ currentTarget }) => currentTarget.currentTime >= range.end && currentTarget.pause()}
      />
      <IconButton
        icon={isPlaying ? Pause : Play}
        label={isPlaying ? t`Pause` : t`Play the clip`}
        onClick={() => void toggle()}
      />
    </>
  );
}
