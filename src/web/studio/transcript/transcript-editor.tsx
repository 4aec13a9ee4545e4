import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ArrowDown from 'lucide-react/icons/arrow-down';
import Download from 'lucide-react/icons/download';
import Plus from 'lucide-react/icons/plus';
import Scissors from 'lucide-react/icons/scissors';
import Upload from 'lucide-react/icons/upload';
import { type ReactNode, startTransition, useState } from 'react';
import { type Cue, faultsOf, maxCues } from '#domain/catalogue/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { FileButton } from '../../workshop/forms/file-button.tsx';
import { cueFileTypes, downloadCues, readCues } from './cue-files.ts';
import { CueRow } from './cue-row.tsx';
import type { RecordingControls } from '../../workshop/use-recording.ts';
import { useShortcuts } from '../../workshop/shortcuts.tsx';
import { useTranscript } from './use-transcript.ts';

type TranscriptEditorProps = {
  cues: Cue[];
  onChange(cues: Cue[]): void;
  /** Seconds. */
  duration: number;
  /** `Recording.peaks`; without it, lines have no waveform. */
  peaks: string | undefined;
  recording: RecordingControls;
  /** The script that is timed, below the head. */
  children?: ReactNode;
};

/** Lines shown before "show all". */
const firstLines = 10;

/** The lines of a transcript with their times, each beside its part of the waveform. */
export function TranscriptEditor({ cues, onChange, duration, peaks, recording, children }: TranscriptEditorProps) {
  const transcript = useTranscript({ cues, onChange, duration, recording });
  const { commands, keys, spreadLines, chosenIndex, currentIndex, focusedIndex } = transcript;
  const [showsAll, setShowsAll] = useState(false);
  const [onlyDoubts, setOnlyDoubts] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  const doubts = cues.filter(({ certainty }) => certainty !== undefined).length;
  useShortcuts({ n: 'next' }, () => {
    if (doubts === 0) return false;
    return commands.checkNext();
  });

  const faults = faultsOf(cues, duration);
  const firstFaulty = cues[faults.findIndex((fault) => fault !== undefined)];
  const isNarrowed = onlyDoubts && doubts > 0;
  const listed = cues.flatMap((cue, index) =>
    isNarrowed && cue.certainty === undefined && index !== chosenIndex ? [] : [{ cue, index }],
  );
  const chosenAt = listed.findIndex(({ index }) => index === chosenIndex);
  const shownLines = showsAll ? listed : listed.slice(0, Math.max(firstLines, chosenAt + 1));
  const current = cues[currentIndex];

  async function importFile(file: File): Promise<void> {
    const read = await readCues(file, duration);
    setRefusal(typeof read === 'string' ? read : undefined);
    if (typeof read === 'string') return;
    const notice = plural({ count: read.cues.length }, { one: '# line imported', other: '# lines imported' });
    commands.replaceAll(read.cues, read.isTimed, notice);
  }

  return (
    <section aria-label={t`Transcript`} data-field="transcript">
      <div className="workshop-section__head">
        <h2>
          <Trans>Transcript</Trans>
        </h2>
        {cues.length > 0 && (
          <p className="tabular-nums">
            {plural({ count: cues.length }, { one: '# line', other: '# lines' })}
            <span className="dot">
              {doubts > 0
                ? plural({ count: doubts }, { one: '# line to check', other: '# lines to check' })
                : spreadLines === 0
                  ? t`all timed`
                  : t`${{ count: formatCount(spreadLines) }} timed by length only`}
            </span>
          </p>
        )}
        {firstFaulty !== undefined && (
          <button type="button" className="link text-13" onClick={() => commands.focus(firstFaulty)}>
            {t`${{ count: formatCount(faults.filter(Boolean).length) }} to fix`}
          </button>
        )}
        {doubts > 0 && (
          <>
            <fieldset className="segments" aria-label={t`Lines`}>
              <button type="button" aria-pressed={!isNarrowed} onClick={() => setOnlyDoubts(false)}>
                {t({ message: 'All', context: 'lines' })}
              </button>
              <button type="button" aria-pressed={isNarrowed} onClick={() => setOnlyDoubts(true)}>
                <Trans context="lines">To check</Trans>
              </button>
            </fieldset>
            <Button size="sm" onClick={commands.checkNext}>
              <Icon of={ArrowDown} size={16} />
              <Trans>Next to check</Trans>
            </Button>
            <Button variant="ghost" size="sm" onClick={commands.confirmAll}>
              <Trans>Confirm all</Trans>
            </Button>
          </>
        )}
        <FileButton
          size="sm"
          fieldLabel={t`Transcript file`}
          accept={cueFileTypes}
          onFiles={([file]) => void importFile(file)}
        >
          <Icon of={Upload} size={16} />
          <Trans>Import VTT, SRT or text</Trans>
        </FileButton>
        {cues.length > 0 && (
          <Button variant="ghost" size="sm" onClick={() => downloadCues(cues)}>
            <Icon of={Download} size={16} />
            <Trans>Download VTT</Trans>
          </Button>
        )}
      </div>
      {refusal !== undefined && <FieldError>{refusal}</FieldError>}
      {children}
      {cues.length === 0 ? (
        <p className="text-14 text-muted">
          <Trans>
            No transcript. Import a file, or add lines while you listen. Listeners can read along and find it by search.
          </Trans>
        </p>
      ) : (
        <div data-timed={doubts > 0 ? '' : undefined}>
          <div className="cue min-h-8.5 text-muted text-13 max-md:hidden" aria-hidden="true">
            <span className="position">#</span>
            <span className="ps-2">
              <Trans context="time">Start</Trans>
            </span>
            <span className="ps-2">
              <Trans context="time">End</Trans>
            </span>
            <span>
              <Trans>Sound</Trans>
            </span>
            <span className="ps-2">
              <Trans>Text</Trans>
            </span>
            {doubts > 0 && (
              <span>
                <Trans>Timing</Trans>
              </span>
            )}
            <span />
          </div>
          <ol className="cues">
            {shownLines.map(({ cue, index }) => (
              <CueRow
                key={keys[index]}
                cue={cue}
                number={index + 1}
                isLast={index === cues.length - 1}
                isCurrent={index === currentIndex}
                isTimed={doubts > 0}
                takesFocus={index === focusedIndex}
                // A new line has no text yet.
                fault={faults[index] === 'empty' && index === currentIndex ? undefined : faults[index]}
                duration={duration}
                peaks={peaks}
                commands={commands}
              />
            ))}
          </ol>
        </div>
      )}
      <div className="pager">
        {listed.length > firstLines && (
          <>
            <span>
              {t`${{ shown: formatCount(shownLines.length) }} of ${plural({ count: listed.length }, { one: '# line', other: '# lines' })}`}
            </span>
            <Button
              variant="ghost"
              aria-expanded={showsAll}
              onClick={() => startTransition(() => setShowsAll(!showsAll))}
            >
              {showsAll ? t`Show fewer` : t`Show all lines`}
            </Button>
          </>
        )}
        <nav aria-label={current === undefined ? t`Lines` : t`Line ${{ number: currentIndex + 1 }}`}>
          {current !== undefined && (
            <Button size="sm" onClick={() => commands.split(current)}>
              <Icon of={Scissors} size={16} />
              <Trans>Split here</Trans>
            </Button>
          )}
          {cues.length < maxCues && (
            <Button size="sm" onClick={() => commands.addAt(current === undefined ? cues.length : currentIndex + 1)}>
              <Icon of={Plus} size={16} />
              <Trans>Add line</Trans>
            </Button>
          )}
        </nav>
      </div>
      {cues.length > 0 && (
        <p className="hint flex justify-start flex-wrap gap-y-1.5 gap-x-4.5 max-md:hidden">
          {doubts > 0 && (
            <>
              <span>
                <kbd className="kbd">N</kbd> <Trans>next to check</Trans>
              </span>
              <span>
                <kbd className="kbd">
                  <Trans context="key">Enter</Trans>
                </kbd>{' '}
                <Trans>confirm</Trans>
              </span>
            </>
          )}
          <span>
            <kbd className="kbd">
              <Trans context="key">Tab</Trans>
            </kbd>{' '}
            <Trans>next field</Trans>
          </span>
          <span>
            <kbd className="kbd">
              <Trans context="key">Alt</Trans>
            </kbd>{' '}
            <kbd className="kbd">←</kbd> <kbd className="kbd">→</kbd> <Trans>move a time by 0.05 sec</Trans>
          </span>
          <span>
            <kbd className="kbd">
              <Trans context="key">Ctrl</Trans>
            </kbd>{' '}
            <kbd className="kbd">
              <Trans context="key">Space</Trans>
            </kbd>{' '}
            <Trans>play this line</Trans>
          </span>
        </p>
      )}
    </section>
  );
}
