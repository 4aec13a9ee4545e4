import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Answer } from '#web/api.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Saves one part of the look. Input stays after a refusal. */
export function useLookSave() {
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<{ text: string; isConflict: boolean }>();

  /** @returns the saved value; undefined after a refusal, or when the operator did not confirm their identity */
  async function save<Data>(
    send: () => Promise<Answer<Data> | undefined>,
    done: string | ((data: Data) => string),
    settle?: () => void,
  ): Promise<boolean> {
    if (isBusy) return false;
    setIsBusy(true);
    setRefusal(undefined);
    const answer = await send();
    if (answer?.ok) {
      await revalidate();
      settle?.();
      showToast({ text: typeof done === 'string' ? done : done(answer.data) });
    } else if (answer !== undefined) setRefusal({ text: answer.message, isConflict: answer.status === 409 });
    setIsBusy(false);
    return answer?.ok === true;
  }

  return { isBusy, refusal, setRefusal, save };
}

export type LookSave = ReturnType<typeof useLookSave>;
