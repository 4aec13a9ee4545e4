import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { Answer } from '#web/api.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { refusalText } from '#web/workshop/forms/change-text.ts';
import { endUndo, undoOf } from '../workshop/undo-notices.ts';
import { useAdminAct } from './second-factor/step-up.tsx';

type After<Data> = {
  /** Shown after the call succeeded. */
  done?: string | undefined;
  undo?: ((data: Data) => void) | undefined;
  /** Id of what the call changes: notices that offer to undo an earlier change of it close. */
  about?: string | undefined;
  /** Navigates there instead of reloading the page, whose subject was deleted. */
  leavesTo?: string | undefined;
};

/** Makes one call at a time, shows its result, and reloads the page's data, after a refusal too. */
export function useAdminCall() {
  const act = useAdminAct();
  const showToast = useToast();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<string>();

  /** @param key of the busy control. @returns the data; undefined after a refusal, which is shown */
  async function call<Data>(
    key: string,
    send: () => Promise<Answer<Data>>,
    { done, undo, about, leavesTo }: After<Data> = {},
  ): Promise<{ data: Data } | undefined> {
    if (busy !== undefined) return undefined;
    setBusy(key);
    const answer = await act(send);
    if (answer === undefined) {
      setBusy(undefined);
      return undefined;
    }
    if (answer.ok && leavesTo !== undefined) await navigate(leavesTo);
    else if (answer.ok || answer.status === 409 || answer.status === 404) await revalidate();
    setBusy(undefined);
    if (!answer.ok) {
      showToast({ text: refusalText(answer) });
      return undefined;
    }
    if (about !== undefined) endUndo([about]);
    if (done !== undefined)
      showToast({
        text: done,
        ...(undo && { action: { label: 'Undo', onPress: () => undo(answer.data) } }),
        ...(undo && about !== undefined && undoOf([about])),
      });
    return { data: answer.data };
  }

  return { busy, call };
}
