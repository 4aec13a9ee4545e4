import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Answer } from '../../api.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { changeText } from '#web/workshop/forms/change-text.ts';
import { isChangedMeanwhile } from '#web/workshop/forms/use-edited.ts';

type Send<Data> = (revision: number) => Promise<Answer<Data> | undefined>;

/**
 * Saves a part of the look that nobody types, such as a picture. After a change by others the page shows theirs, and
 * `again` replaces it.
 * @param revision of the part that is shown
 */
export function useLookSave(revision: number) {
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<{ text: string; repeat?: (revision: number) => void }>();

  async function run<Data>(send: Send<Data>, done: (data: Data) => string, at: number): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setRefusal(undefined);
    const answer = await send(at);
    const isOvertaken = answer?.ok === false && isChangedMeanwhile(answer);
    if (answer?.ok || isOvertaken) await revalidate();
    setIsBusy(false);
    if (answer === undefined) return;
    if (answer.ok) showToast({ text: done(answer.data) });
    else if (isOvertaken) {
      const text = `${changeText(answer.change)}. This page shows theirs now; yours was not saved.`;
      setRefusal({ text, repeat: (newest) => void run(send, done, newest) });
    } else setRefusal({ text: answer.message });
  }

  return {
    isBusy,
    refusal: refusal?.text,
    again: refusal?.repeat && (() => refusal.repeat?.(revision)),
    refuse: (text: string) => setRefusal({ text }),
    save: <Data>(send: Send<Data>, done: (data: Data) => string) => run(send, done, revision),
  };
}

export type LookSave = ReturnType<typeof useLookSave>;
