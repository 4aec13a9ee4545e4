import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import AudioLines from 'lucide-react/icons/audio-lines';
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
  /** Host of the service that drafts transcripts, where the site has one. */
  speechHost?: string | undefined;
  /** Saves what is typed. @returns the version of the audio */
  onBeforeUse(): Promise<number>;
  /** The timed lines are the transcript now. */
  onUsed(lines: number): Promise<void>;
};

/** Paste a script: its lines are timed against the recording in the background, and wait until they are used. */
export function ScriptTiming({ audioId, timing: first, hasLines, speechHost, onBeforeUse, onUsed }: ScriptTimingProps) {
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
          onAgain={() => void (timing.source === 'speech' ? acts.draft() : start(timing.lines.join('\n')))}
          onChange={() => change(timing.lines)}
          onDrop={() => void acts.drop()}
        />
        {fault !== undefined && <FieldError>{fault}</FieldError>}
      </div>
    );
  if (!isOpen)
    return (
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button size="sm" onClick={() => setIsOpen(true)}>
          <Icon of={ClipboardPaste} size={16} />
          {hasLines ? t`Paste another script` : t`Paste a script`}
        </Button>
        {speechHost !== undefined && (
          <>
            <Button size="sm" onClick={() => void acts.draft()}>
              <Icon of={AudioLines} size={16} />
              <Trans>Draft a transcript</Trans>
            </Button>
            <span className="text-13 text-muted">{t`Sends the recording to ${speechHost}, which writes down what it hears.`}</span>
          </>
        )}
        {fault !== undefined && <FieldError>{fault}</FieldError>}
      </div>
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
  const { source, state, progress, lines, times, failure, isOutdated } = timing;
  const isDraft = source === 'speech';
  const count = plural({ count: lines.length }, { one: '# line', other: '# lines' });
  const isUnderWay = isTimingUnderWay(state);
  const edit = !isDraft && (
    <Button variant="ghost" size="sm" onClick={onChange}>
      <Trans>Edit the script</Trans>
    </Button>
  );
  const discard = (
    <Button variant="ghost" size="sm" onClick={onDrop}>
      {isUnderWay ? t`Stop` : isDraft ? t`Discard the draft` : t`Discard all timings`}
    </Button>
  );
  if (isUnderWay)
    return (
      <>
        <output className="block">
          <b>{underWay(isDraft, state === 'waiting')}</b>
          {!isDraft && <span className="dot text-13 text-muted">{count}</span>}
          <span className="dot text-13 text-muted">{t`you can leave this page`}</span>
        </output>
        <div className="my-2.5">
          <ProgressBar label={underWay(isDraft, false)} percent={progress} />
        </div>
        {discard}
      </>
    );
  if (state === 'failed' || isOutdated)
    return (
      <>
        <Note tone="error">
          {failure === null ? outdated() : isDraft && failure === 'failed' ? noDraft() : failures[failure]()}
        </Note>
        <div className="mt-2.5 flex flex-wrap gap-2">
          <Button size="sm" onClick={onAgain}>
            {isDraft ? t`Draft it again` : t`Time the lines again`}
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
          {isDraft
            ? plural({ count: lines.length }, { one: '# line, as a draft', other: '# lines, as a draft' })
            : plural(
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

function underWay(isDraft: boolean, isWaiting: boolean): string {
  if (isDraft) return isWaiting ? t`Waiting for the draft` : t`Writing the draft`;
  return isWaiting ? t`Waiting to be timed` : t`Timing the lines`;
}

const outdated = () => t`The recording was replaced since the script was timed.`;

const noDraft = () => t`There is no draft: the speech service did not answer. Nothing of your transcript has changed.`;

const failures: Record<TimingFailure, () => string> = {
  'takes-too-much': () =>
    t`The lines were not timed: it takes more time or memory than a script may. Try a shorter one.`,
  unreadable: () => t`The lines were not timed: the recording cannot be read.`,
  failed: () => t`The lines were not timed. Nothing of your transcript has changed.`,
  refused: () => t`The speech service refused the recording. Nothing of your transcript has changed.`,
  'nothing-said': () => t`The speech service heard no words. Nothing of your transcript has changed.`,
};
