import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ClipboardPaste from 'lucide-react/icons/clipboard-paste';
import { useDeferredValue, useState } from 'react';
import { readScript } from '#domain/catalogue/cue-rules.ts';
import { scriptLength } from '#domain/catalogue/rules.ts';
import { type TimingFailure, isTimingUnderWay } from '#domain/studio/rules.ts';
import type { ScriptTiming as Timing } from '#domain/studio/timing/timings.ts';
import { formatCount } from '#formats/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { ProgressBar } from '../uploads/upload-part.tsx';
import { useScriptTiming } from './use-script-timing.ts';

type ScriptTimingProps = {
  audioId: string;
  timing: Timing | undefined;
  hasLines: boolean;
  /** Saves what is typed. @returns the version of the audio */
  onBeforeUse(): Promise<number>;
  /** The timed lines are the transcript now. */
  onUsed(lines: number): Promise<void>;
};

/** Paste a script: its lines are timed against the recording in the background, and wait until they are used. */
export function ScriptTiming({ audioId, timing: first, hasLines, onBeforeUse, onUsed }: ScriptTimingProps) {
  const { timing, fault, ...acts } = useScriptTiming(audioId, first);
  const [isOpen, setIsOpen] = useState(false);
  const [script, setScript] = useState('');

  async function start(text: string): Promise<void> {
    if (await acts.start(text)) setIsOpen(false);
  }

  async function use(lines: number): Promise<void> {
    if (await acts.use(await onBeforeUse())) await onUsed(lines);
  }

  function change(lines: string[]): void {
    setScript(lines.join('\n'));
    setIsOpen(true);
  }

  if (timing !== undefined && !isOpen)
    return (
      <div className="pane mb-4" data-timing={timing.state}>
        <TimingState
          timing={timing}
          hasLines={hasLines}
          onUse={() => void use(timing.lines.length)}
          onAgain={() => void start(timing.lines.join('\n'))}
          onChange={() => change(timing.lines)}
          onDrop={() => void acts.drop()}
        />
        {fault !== undefined && <FieldError>{fault}</FieldError>}
      </div>
    );
  if (!isOpen)
    return (
      <p className="mb-4">
        <Button size="sm" onClick={() => setIsOpen(true)}>
          <Icon of={ClipboardPaste} size={16} />
          {hasLines ? t`Paste another script` : t`Paste a script`}
        </Button>
      </p>
    );
  return (
    <form
      className="pane mb-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start(script);
      }}
    >
      <TextArea
        label={t`Script`}
        rows={14}
        value={script}
        maxLength={scriptLength}
        error={fault}
        onChange={({ target }) => setScript(target.value)}
      />
      <ScriptFacts script={script} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={script.trim() === ''}>
          <Trans>Time the lines</Trans>
        </Button>
        <Button variant="ghost" onClick={() => setIsOpen(false)}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}

function ScriptFacts({ script }: { script: string }) {
  const text = useDeferredValue(script);
  const read = readScript(text);
  return (
    <p className="mt-2 text-13 text-muted">
      {read.ok && (
        <b className="me-2 tabular-nums">{plural({ count: read.lines.length }, { one: '# line', other: '# lines' })}</b>
      )}
      <Trans>
        One line of text is one line in the player; long ones are cut at the end of sentences. Notes in [brackets] are
        left out. Nothing is sent to another service.
      </Trans>
    </p>
  );
}

type TimingStateProps = {
  timing: Timing;
  hasLines: boolean;
  onUse(): void;
  onAgain(): void;
  /** Edits the script. */
  onChange(): void;
  onDrop(): void;
};

function TimingState({ timing, hasLines, onUse, onAgain, onChange, onDrop }: TimingStateProps) {
  const { state, progress, lines, times, failure, isOutdated } = timing;
  const count = plural({ count: lines.length }, { one: '# line', other: '# lines' });
  const isUnderWay = isTimingUnderWay(state);
  const edit = (
    <Button variant="ghost" size="sm" onClick={onChange}>
      <Trans>Edit the script</Trans>
    </Button>
  );
  const discard = (
    <Button variant="ghost" size="sm" onClick={onDrop}>
      {isUnderWay ? t`Stop` : t`Discard all timings`}
    </Button>
  );
  if (isUnderWay)
    return (
      <>
        <output className="block">
          <b>{state === 'waiting' ? t`Waiting to be timed` : t`Timing the lines`}</b>
          <span className="dot text-13 text-muted">{count}</span>
          <span className="dot text-13 text-muted">{t`you can leave this page`}</span>
        </output>
        <div className="my-2.5">
          <ProgressBar label={t`Timing the lines`} percent={progress} />
        </div>
        {discard}
      </>
    );
  if (state === 'failed' || isOutdated)
    return (
      <>
        <Note tone="error">{failure === null ? outdated() : failures[failure]()}</Note>
        <div className="mt-2.5 flex flex-wrap gap-2">
          <Button size="sm" onClick={onAgain}>
            <Trans>Time the lines again</Trans>
          </Button>
          {edit}
          {discard}
        </div>
      </>
    );
  const of = (wanted: string) => formatCount((times ?? []).filter(({ certainty }) => certainty === wanted).length);
  return (
    <>
      <output className="block">
        <b>
          {plural(
            { count: lines.length },
            { one: '# line, timed from your script', other: '# lines, timed from your script' },
          )}
        </b>
        <span className="dot text-13 text-muted tabular-nums">{t`${{ count: of('sure') }} sure`}</span>
        <span className="dot text-13 text-muted tabular-nums">{t`${{ count: of('check') }} to check`}</span>
        <span className="dot text-13 text-muted tabular-nums">{t`${{ count: of('unsure') }} unsure`}</span>
      </output>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button variant="primary" size="sm" onClick={onUse}>
          {hasLines ? t`Replace the transcript` : t`Use these lines`}
        </Button>
        {edit}
        {discard}
      </div>
    </>
  );
}

const outdated = () => t`The recording was replaced since the script was timed.`;

const failures: Record<TimingFailure, () => string> = {
  'takes-too-much': () =>
    t`The lines were not timed: it takes more time or memory than a script may. Try a shorter one.`,
  unreadable: () => t`The lines were not timed: the recording cannot be read.`,
  failed: () => t`The lines were not timed. Nothing of your transcript has changed.`,
};
