import { useEffect, useEffectEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { BulkActState } from '#domain/admin/content/bulk-acts.ts';
import type { BulkVerb } from '#domain/admin/rules.ts';
import { countOf } from '#formats/numbers.ts';
import { answerOf, api } from '../../api.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import type { BulkStep } from '#web/workshop/lists/bulk-bar.tsx';
import { bulkWords, doneOf, refusalText, resultText } from './bulk-words.ts';

/** Milliseconds between two polls of a running act. */
const pollMs = 1000;

export type BulkChoice = { ids: string[] } | { filter: Record<string, string | number | undefined> };
export type BulkSubject = { categoryIds?: string[]; tags?: string[]; playlistId?: string };

/**
 * Starts acts on many audios and follows them: asks for confirmation, shows progress and refusals, and undoes.
 * @param open acts that were running when the page was loaded
 */
export function useBulkActs(open: BulkActState[], onDone: () => void) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [step, setStep] = useState<BulkStep>({ name: 'choose' });
  const [followed, setFollowed] = useState<BulkActState | undefined>(open[0]);
  const isRunning = followed !== undefined && followed.finishedAt === null;

  const look = useEffectEvent(async () => {
    if (followed === undefined) return;
    const answer = await answerOf(api.admin['bulk-acts'][':id'].$get({ param: { id: followed.id } }));
    if (answer.ok) await show(answer.data);
  });
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void look(), pollMs);
    return () => clearInterval(timer);
  }, [isRunning]);

  async function show(act: BulkActState): Promise<void> {
    setFollowed(act);
    if (act.finishedAt === null) return;
    await revalidate();
    const canUndo = act.verb !== 'undo' && act.changed > 0;
    const text = resultText(act);
    if (act.refused > 0 || act.state === 'stopped') {
      setStep({
        name: 'refused',
        text,
        reasons: act.refusals.slice(0, 3).map(refusalText).join(' '),
        ...(canUndo && { undo: { label: `Undo ${act.changed}`, onUndo: () => void undo(act) } }),
      });
      return;
    }
    setStep({ name: 'choose' });
    onDone();
    showToast({
      text,
      kind: 'audio acts',
      ...(canUndo && { action: { label: 'Undo', onPress: () => void undo(act) } }),
    });
  }

  async function follow(
    progress: string,
    call: Promise<{ ok: true; data: BulkActState } | { ok: false; message: string }>,
  ) {
    setStep({ name: 'run', text: progress });
    const answer = await call;
    if (!answer.ok) {
      setStep({ name: 'refused', text: 'Nothing was changed', reasons: answer.message });
      return;
    }
    setStep({ name: 'choose' });
    await show(answer.data);
  }

  function undo({ id }: BulkActState): Promise<void> {
    return follow('Undoing', answerOf(api.admin['bulk-acts'][':id'].undo.$post({ param: { id } })));
  }

  async function stop(id: string): Promise<void> {
    const answer = await answerOf(api.admin['bulk-acts'][':id'].stop.$post({ param: { id } }));
    if (answer.ok) setFollowed((act) => act && { ...act, isStopping: true });
    else showToast({ text: answer.message });
  }

  /** The running act instead of the confirmation, so that it cannot be missed. */
  function stepNow(): BulkStep {
    if (!isRunning || step.name === 'ask') return step;
    const { id, verb, total, isStopping } = followed;
    const percent = Math.floor((doneOf(followed) / Math.max(total, 1)) * 100);
    const text = `${bulkWords[verb].progress}: ${doneOf(followed)} of ${countOf(total, 'audio')}`;
    return {
      name: 'run',
      text: isStopping ? `Stopping: ${doneOf(followed)} of ${countOf(total, 'audio')}` : text,
      percent,
      ...(!isStopping && { onStop: () => void stop(id) }),
    };
  }

  return {
    step: stepNow(),
    close: () => setStep({ name: 'choose' }),
    /** @param count of the chosen audios, as text */
    act(verb: BulkVerb, choice: BulkChoice, count: string, subject: BulkSubject = {}): void {
      const { progress, ask } = bulkWords[verb];
      const run = () =>
        void follow(
          `${progress} ${count}`,
          answerOf(api.admin.audios.acts.$post({ json: { verb, ...subject, ...choice } as never })),
        );
      if (ask === undefined) run();
      else
        setStep({
          name: 'ask',
          question: `${ask.verb} ${count}?`,
          consequence: ask.consequence,
          verb: ask.verb,
          onConfirm: run,
        });
    },
  };
}
