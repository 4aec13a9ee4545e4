import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Flag from 'lucide-react/icons/flag';
import Play from 'lucide-react/icons/play';
import Trash2 from 'lucide-react/icons/trash-2';
import WandSparkles from 'lucide-react/icons/wand-sparkles';
import { useEffect, useId, useRef, useState } from 'react';
import {
  type Chapter,
  type ChapterFault,
  chapterTitleLength,
  chaptersOfLines,
  faultsOfChapters,
  hasRoomAt,
  maxChapters,
  readableChapters,
  writtenChapters,
} from '#domain/catalogue/chapter-rules.ts';
import { type Cue, formatCueTime } from '#domain/catalogue/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { useShortcuts } from '../../workshop/shortcuts.tsx';
import type { RecordingControls } from '../../workshop/use-recording.ts';
import { TimeField } from '../time-field.tsx';
import { chapterFaultTexts } from '../audios/chapter-faults.ts';

type ChapterEditorProps = {
  chapters: Chapter[];
  onChange(chapters: Chapter[]): void;
  /** Seconds. */
  duration: number;
  /** May have chapters of its own, which listeners get as long as there are no others. */
  description: string;
  cues: Cue[];
  recording: RecordingControls;
};

const inOrder = (chapters: Chapter[]) => chapters.toSorted((one, other) => one.start - other.start);

/** The chapters of an audio: set at the playhead, or taken from its text. */
export function ChapterEditor({ chapters, onChange, duration, description, cues, recording }: ChapterEditorProps) {
  const showToast = useToast();
  const id = useId();
  /** Index of the chapter whose title is focused after rendering. */
  const [focused, setFocused] = useState(-1);
  const faults = faultsOfChapters(chapters, duration);
  const written = chapters.length === 0 ? writtenChapters(description, duration) : [];
  const ofLines = chaptersOfLines(cues, duration);

  function setAtPlayhead(): boolean {
    if (chapters.length >= maxChapters) return false;
    const start = Math.floor(recording.position);
    if (!hasRoomAt(chapters, start, duration)) {
      showToast({ text: chapterFaultTexts['too-short'](), kind: 'chapter' });
      return true;
    }
    const next = inOrder([...chapters, { start, title: '' }]);
    onChange(next);
    setFocused(next.findIndex((chapter) => chapter.start === start));
    return true;
  }
  useShortcuts({ c: 'set' }, setAtPlayhead);

  function change(index: number, changes: Partial<Chapter>): void {
    const next = chapters.map((chapter, at) => (at === index ? { ...chapter, ...changes } : chapter));
    onChange(changes.start === undefined ? next : inOrder(next));
  }

  function withUndo(next: Chapter[], text: string): void {
    const before = chapters;
    onChange(next);
    showToast({ text, kind: 'chapter', action: { label: t`Undo`, onPress: () => onChange(before) } });
  }

  const take = (next: Chapter[]) =>
    withUndo(next, plural({ count: next.length }, { one: '# chapter set', other: '# chapters set' }));

  return (
    <section aria-labelledby={id} data-field="chapters">
      <div className="workshop-section__head">
        <h2 id={id}>
          {chapters.length === 0
            ? t`Chapters`
            : plural({ count: chapters.length }, { one: '# chapter', other: '# chapters' })}
        </h2>
        <p>
          <Trans>Shown in the player and in podcast apps</Trans>
        </p>
        {ofLines.length > 1 && (
          <Button size="sm" onClick={() => take(ofLines)}>
            <Icon of={WandSparkles} size={16} />
            <Trans>From the pauses of the text</Trans>
          </Button>
        )}
        {chapters.length < maxChapters && (
          <Button size="sm" onClick={setAtPlayhead}>
            <Icon of={Flag} size={16} />
            {chapters.length === 0 ? t`Set the first at the playhead` : t`Chapter starts here`}
          </Button>
        )}
      </div>
      {chapters.length === 0 && (
        <p className="text-14 text-muted">
          {written.length === 0 ? (
            <Trans>No chapters. Play to where one begins, and set it there.</Trans>
          ) : (
            <>
              {plural(
                { count: written.length },
                {
                  one: 'Listeners see # chapter from the description.',
                  other: 'Listeners see # chapters from the description.',
                },
              )}{' '}
              <button type="button" className="link tap" onClick={() => take(readableChapters(written, duration))}>
                <Trans>Change them here</Trans>
              </button>
            </>
          )}
        </p>
      )}
      <ol>
        {chapters.map((chapter, index) => (
          <ChapterRow
            // oxlint-disable-next-line react/no-array-index-key -- nothing else stays while its time is changed
            key={index}
            chapter={chapter}
            number={index + 1}
            fault={faults[index]}
            length={(chapters[index + 1]?.start ?? duration) - chapter.start}
            duration={duration}
            takesFocus={index === focused}
            onFocus={() => setFocused(-1)}
            onChange={(changes) => change(index, changes)}
            onPlay={() => recording.play(chapter.start)}
            onRemove={() => withUndo(chapters.toSpliced(index, 1), t`Chapter ${{ number: index + 1 }} removed`)}
          />
        ))}
      </ol>
      <p className="hint mt-2 flex justify-start flex-wrap gap-y-1.5 gap-x-4.5">
        <span className="max-md:hidden">
          <kbd className="kbd">C</kbd> <Trans>chapter at the playhead</Trans>
        </span>
        <span>{chapterFaultTexts['too-short']()}</span>
      </p>
    </section>
  );
}

type ChapterRowProps = {
  chapter: Chapter;
  /** Counted from 1. */
  number: number;
  fault: ChapterFault | undefined;
  /** Seconds until the next one. */
  length: number;
  duration: number;
  /** Focuses its title. */
  takesFocus: boolean;
  onFocus(): void;
  onChange(changes: Partial<Chapter>): void;
  onPlay(): void;
  onRemove(): void;
};

/** `0:00`, with hundredths where there are any. */
const formatStart = (seconds: number) => (Number.isInteger(seconds) ? formatTime(seconds) : formatCueTime(seconds));

function ChapterRow(props: ChapterRowProps) {
  const { chapter, number, fault, length, duration, takesFocus, onFocus, onChange, onPlay, onRemove } = props;
  const [typedFault, setTypedFault] = useState<string>();
  const errorId = useId();
  const text = typedFault ?? (fault && chapterFaultTexts[fault]());
  const described = text === undefined ? undefined : errorId;
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  const isTitleBad = fault === 'untitled' || fault === 'too-long';
  return (
    <li className="chapter">
      <span className="chapter__number">{number}</span>
      <TimeField
        label={t`Chapter ${number} starts`}
        seconds={chapter.start}
        format={formatStart}
        duration={duration}
        isBad={fault === 'too-short' || fault === 'outside'}
        describedBy={described}
        onChange={(start) => onChange({ start })}
        onFault={setTypedFault}
      />
      <input
        ref={title}
        className={classNames('time-field', isTitleBad && 'time-field--bad')}
        aria-label={t`Chapter ${number} title`}
        aria-invalid={isTitleBad || undefined}
        aria-describedby={described}
        dir="auto"
        value={chapter.title}
        maxLength={2 * chapterTitleLength}
        onFocus={onFocus}
        onChange={({ target }) => onChange({ title: target.value })}
      />
      <span className="text-end text-muted max-md:hidden">{length > 0 && formatTime(length)}</span>
      <span className="flex">
        <IconButton className="max-md:hidden" label={t`Play chapter ${number}`} icon={Play} onClick={onPlay} />
        <IconButton label={t`Remove chapter ${number}`} icon={Trash2} onClick={onRemove} />
      </span>
      {text !== undefined && (
        <div className="col-[2/-1] pb-1.5">
          <FieldError id={errorId}>{text}</FieldError>
        </div>
      )}
    </li>
  );
}
