import { t } from '@lingui/core/macro';
import type { ClientResponse } from 'hono/client';
import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { type Answer, type DataOf, answerOf } from '#web/api.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { refusalText } from '#web/workshop/forms/change-text.ts';
import { endUndo, undoOf } from '../workshop/undo-notices.ts';
import { useAdminAct } from './second-factor/step-up.tsx';

type Refusal = Extract<Answer<unknown>, { ok: false }>;

/** A response of the API, or its answer. */
// oxlint-disable-next-line typescript/no-explicit-any -- any call's response
export type Sent = ClientResponse<any, any, any> | Answer<unknown>;
export type DataIn<Result> = [Result] extends [Answer<infer Data>] ? Data : DataOf<Result>;

type After<Data> = {
  /** Shown after the call succeeded. */
  done?: string | ((data: Data) => string) | undefined;
  undo?: ((data: Data) => void) | undefined;
  /** Id of what the call changes: notices that offer to undo an earlier change of it close. */
  about?: string | undefined;
  /** Navigates there instead of reloading the page, whose subject was deleted. */
  leavesTo?: string | undefined;
  /** Whether the caller shows this refusal; any other one is shown here. */
  isShown?: ((refusal: Refusal) => boolean) | undefined;
};

/** Makes one call at a time, shows its result, and reloads the page's data, after a refusal too. */
export function useCall() {
  const act = useAdminAct();
  const showToast = useToast();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<string>();

  /** @param key of the busy control. @returns the data; undefined after a refusal, which is shown */
  async function call<Result extends Sent>(
    key: string,
    send: () => Promise<Result>,
    { done, undo, about, leavesTo, isShown }: After<DataIn<Result>> = {},
  ): Promise<{ data: DataIn<Result> } | undefined> {
    if (busy !== undefined) return undefined;
    setBusy(key);
    const answer = await act(() => read(send()));
    if (answer === undefined) {
      setBusy(undefined);
      return undefined;
    }
    if (answer.ok && leavesTo !== undefined) await navigate(leavesTo);
    // After a refusal too, because the data here may be outdated.
    else await revalidate();
    setBusy(undefined);
    if (!answer.ok) {
      if (isShown?.(answer) !== true) showToast({ text: refusalText(answer) });
      return undefined;
    }
    if (about !== undefined) endUndo([about]);
    if (done !== undefined)
      showToast({
        text: typeof done === 'function' ? done(answer.data) : done,
        ...(undo && { action: { label: t`Undo`, onPress: () => undo(answer.data) } }),
        ...(undo && about !== undefined && undoOf([about])),
      });
    return { data: answer.data };
  }

  return { busy, isBusy: busy !== undefined, call };
}

async function read<Result extends Sent>(sending: Promise<Result>): Promise<Answer<DataIn<Result>>> {
  const sent: Sent | undefined = await sending.catch(() => undefined);
  const isAnswer = sent !== undefined && !('headers' in sent);
  return (isAnswer ? sent : await answerOf(sending as Promise<ClientResponse<unknown>>)) as Answer<DataIn<Result>>;
}
