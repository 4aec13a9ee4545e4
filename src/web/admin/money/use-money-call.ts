import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Answer } from '../../api.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { refusalText } from '#web/workshop/forms/change-text.ts';
import { useAdminAct } from '../second-factor/step-up.tsx';

type Refusal = Extract<Answer<unknown>, { ok: false }>;

/** Makes one call at a time, after an identity check when the site requires one, and shows its result. */
export function useMoneyCall() {
  const act = useAdminAct();
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);

  /**
   * @param isShown whether the caller shows this refusal; any other one is shown here
   * @returns the data; undefined after a refusal, or without confirmation
   */
  async function call<Data>(
    send: () => Promise<Answer<Data>>,
    done: string | ((data: Data) => string),
    isShown: (refusal: Refusal) => boolean = () => false,
  ): Promise<{ data: Data } | undefined> {
    if (isBusy) return undefined;
    setIsBusy(true);
    const answer = await act(send);
    // After a refusal too, because the data here may be outdated.
    if (answer !== undefined) await revalidate();
    setIsBusy(false);
    if (answer === undefined) return undefined;
    if (!answer.ok) {
      if (!isShown(answer)) showToast({ text: refusalText(answer) });
      return undefined;
    }
    showToast({ text: typeof done === 'string' ? done : done(answer.data) });
    return { data: answer.data };
  }

  return { isBusy, call };
}
