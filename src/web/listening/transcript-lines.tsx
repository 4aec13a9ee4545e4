import { memo, useCallback, useEffect, useRef } from 'react';
import type { Transcript } from '#domain/catalogue/transcripts.ts';
import { formatTime } from '#web/format.ts';
import { classNames } from '#web/ui/class-names.ts';
import { cueAt } from './cues.ts';
import { useAtPosition, usePlayback } from './player-provider.tsx';

/** After scrolling by hand it is left alone for so long. */
const handsOffMs = 6000;

type TranscriptLinesProps = {
  audioId: string;
  transcript: Transcript;
  /** A line was pressed. */
  onPress: (seconds: number) => void;
  className?: string;
};

/** The words with their times. While the audio plays, the line that is read is marked and kept in sight. */
export function TranscriptLines({ audioId, transcript, onPress, className }: TranscriptLinesProps) {
  const { cues, language } = transcript;
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
    // Within its own box: the page stays where it is.
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
    // Scrolls on its own, and so has to be reached by keys; its lines are.
    <ol ref={list} className={classNames('tr', className)} lang={language} onWheel={touch} onTouchMove={touch}>
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
    <li
      className={classNames('tr__l', isRead && 'is-read')}
      aria-current={isRead || undefined}
      onClick={() => isSelecting() || onPress(start)}
    >
      <button type="button" className="num tr__t" aria-label={`Play from ${time}`}>
        {time}
      </button>
      <span className="no-script num tr__t">{time}</span>
      <span>{text}</span>
    </li>
  );
});

/** Words were marked with the pointer, to be copied: that ends with a click too. */
function isSelecting(): boolean {
  return window.getSelection()?.isCollapsed === false;
}
