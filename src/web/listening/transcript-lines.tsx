import { t } from '@lingui/core/macro';
import { memo, useCallback, useEffect, useRef } from 'react';
import type { Transcript } from '#domain/catalogue/editing/transcripts.ts';
import { formatTime } from '#formats/durations.ts';
import { classNames } from '#web/ui/class-names.ts';
import { cueAt } from './cues.ts';
import { useAtPosition, usePlayback } from './player-provider.tsx';
import '#web/styles/transcript.css';

/** Pause of the automatic scrolling after the listener scrolls by hand. */
const handsOffMs = 6000;

type TranscriptLinesProps = {
  audioId: string;
  transcript: Transcript;
  onPress: (seconds: number) => void;
  className?: string;
};

/** Transcript with times. While the audio plays, the current line is highlighted and scrolled into view. */
export function TranscriptLines({ audioId, transcript, onPress, className }: TranscriptLinesProps) {
  const { cues, language, direction } = transcript;
  const { isCurrent } = usePlayback(audioId);
  const read = useAtPosition((seconds) => (isCurrent ? cueAt(cues, seconds) : -1), -1);
  const list = useRef<HTMLOListElement>(null);
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  const latest = useRef(onPress);
  useEffect(() => {
    latest.current = onPress;
  });
  const press = useCallback((seconds: number) => latest.current(seconds), []);

  useEffect(() => {
    const box = list.current;
    const line = box?.children[read];
    if (box === null || !(line instanceof HTMLElement) || performance.now() - touchedAt.current < handsOffMs) return;
    // Scrolls the list’s own box only, not the page.
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    box.scrollTo({
      top: line.offsetTop - (box.clientHeight - line.clientHeight) / 2,
      behavior: isStill ? 'instant' : 'smooth',
    });
  }, [read]);

  const touch = () => {
    touchedAt.current = performance.now();
  };
  return (
    // A scroll container has to be reachable by keyboard; its lines are focusable.
    <ol
      ref={list}
      className={classNames('transcript noscript:max-h-none', className)}
      lang={language}
      dir={direction}
      onWheel={touch}
      onTouchMove={touch}
    >
      {cues.map(({ start, text }, at) => (
        <Line key={start} start={start} text={text} isRead={at === read} onPress={press} />
      ))}
    </ol>
  );
}

type LineProps = { start: number; text: string; isRead: boolean; onPress: (seconds: number) => void };

const Line = memo(function Line({ start, text, isRead, onPress }: LineProps) {
  const time = formatTime(start);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the button in it is for keys
    <li className="transcript__line" aria-current={isRead || undefined} onClick={() => isSelecting() || onPress(start)}>
      <button type="button" className="tabular-nums transcript__time" aria-label={t`Play from ${time}`}>
        {time}
      </button>
      <span className="hidden noscript:flex tabular-nums transcript__time">{time}</span>
      <span>{text}</span>
    </li>
  );
});

/** Selecting text to copy it also ends with a click. */
function isSelecting(): boolean {
  return window.getSelection()?.isCollapsed === false;
}
