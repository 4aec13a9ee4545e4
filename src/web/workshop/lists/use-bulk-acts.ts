import { plural, t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { BulkActState } from '#domain/admin/content/bulk-acts.ts';
import type { BulkVerb } from '#domain/admin/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import type { Answer } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { undoOf } from '../undo-notices.ts';
import type { BulkStep } from './bulk-bar.tsx';
import { bulkWords, doneOf, refusalText, resultText } from './bulk-words.ts';

/** An act on many audios, as far as it is. */
export type RunningAct = Pick<
  BulkActState,
  'id' | 'verb' | 'state' | 'isStopping' | 'total' | 'changed' | 'sentForReview' | 'unchanged' | 'refused' | 'refusals'
> & {
  /** If known: the Undo goes when another act about one of them follows. */
  changedIds?: string[];
};

export type BulkCalls<Verb extends BulkVerb, Chosen, Act extends RunningAct> = {
  start(verb: Verb, chosen: Chosen): Promise<Answer<Act>>;
  undo(act: Act): Promise<Answer<Act>>;
  /** For acts that outlast their call. */
  look?(id: string): Promise<Answer<Act>>;
  stop?(id: string): Promise<Answer<unknown>>;
};

/** Milliseconds between two polls of a running act. */
const pollMs = 1000;
const isOver = ({ state }: RunningAct) => state === 'done' || state === 'stopped';

/**
 * Starts acts on many audios and follows them: asks for confirmation, shows progress and refusals, and undoes.
 * @param open acts that were running when the page was loaded
 */
export function useBulkActs<Verb extends BulkVerb, Chosen, Act extends RunningAct>(
  calls: BulkCalls<Verb, Chosen, Act>,
  onDone: () => void,
  open: Act[] = [],
) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [step, setStep] = useState<BulkStep>({ name: 'choose' });
  const [followed, setFollowed] = useState<Act | undefined>(open[0]);
  const isRunning = followed !== undefined && !isOver(followed);

  const look = useEffectEvent(async () => {
    const answer = followed && (await calls.look?.(followed.id));
    if (answer?.ok) await show(answer.data);
  });
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void look(), pollMs);
    return () => clearInterval(timer);
  }, [isRunning]);

  async function show(act: Act): Promise<void> {
    setFollowed(act);
    if (!isOver(act)) return;
    await revalidate();
    const { changed } = act;
    const canUndo = act.verb !== 'undo' && changed > 0;
    const text = resultText(act);
    if (act.refused > 0 || act.state === 'stopped') {
      setStep({
        name: 'refused',
        text,
        reasons: act.refusals.slice(0, 3).map(refusalText).join(' '),
        ...(canUndo && { undo: { label: t`Undo ${changed}`, onUndo: () => void undo(act) } }),
      });
      return;
    }
    setStep({ name: 'choose' });
    // Others may have been selected before an Undo.
    if (act.verb !== 'undo') onDone();
    showToast({
      text,
      kind: 'audio acts',
      ...(canUndo && { action: { label: t`Undo`, onPress: () => void undo(act) } }),
      ...(canUndo && act.changedIds && undoOf(act.changedIds)),
    });
  }

  async function follow(progress: string, call: Promise<Answer<Act>>): Promise<void> {
    setStep({ name: 'run', text: progress });
    const answer = await call;
    if (!answer.ok) {
      setStep({ name: 'refused', text: t`Nothing was changed`, reasons: answer.message });
      return;
    }
    setStep({ name: 'choose' });
    await show(answer.data);
  }

  function undo(act: Act): Promise<void> {
    return follow(bulkWords.undo.progress(), calls.undo(act));
  }

  async function stop(id: string): Promise<void> {
    const answer = await calls.stop?.(id);
    if (answer?.ok) setFollowed((act) => act && { ...act, isStopping: true });
    else if (answer !== undefined) showToast({ text: answer.message });
  }

  /** The running act instead of the confirmation, so that it cannot be missed. */
  function stepNow(): BulkStep {
    if (!isRunning || step.name === 'ask') return step;
    const { id, verb, total, isStopping } = followed;
    const progress = isStopping ? t`Stopping` : bulkWords[verb].progress();
    const done = formatCount(doneOf(followed));
    return {
      name: 'run',
      text: t`${progress}: ${done} of ${plural(total, { one: '# audio', other: '# audios' })}`,
      percent: Math.floor((doneOf(followed) / Math.max(total, 1)) * 100),
      ...(!isStopping && { onStop: () => void stop(id) }),
    };
  }

  return {
    step: stepNow(),
    close: () => setStep({ name: 'choose' }),
    /** @param count of the chosen audios, as text */
    act(verb: Verb, chosen: Chosen, count: string): void {
      const { progress, ask } = bulkWords[verb];
      const act = progress();
      const run = () => void follow(t`${act}: ${count}`, calls.start(verb, chosen));
      if (ask === undefined) return run();
      const texts = { question: ask.question(count), consequence: ask.consequence(), verb: ask.verb() };
      setStep({ name: 'ask', ...texts, onConfirm: run });
    },
  };
}
