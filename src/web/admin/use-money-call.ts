import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Answer } from '#web/api.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useAdminAct } from './step-up.tsx';

/** Makes one call at a time, after asking who it is where the site wants to know it afresh; says what became of it. */
export function useMoneyCall() {
  const act = useAdminAct();
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);

  /** @returns the data; undefined when it was refused, which is said, or not confirmed */
  async function call<Data>(
    send: () => Promise<Answer<Data>>,
    done: string | ((data: Data) => string),
  ): Promise<{ data: Data } | undefined> {
    if (isBusy) return undefined;
    setIsBusy(true);
    const answer = await act(send);
    // After a refusal, the data here may be old.
    if (answer !== undefined) await revalidate();
    setIsBusy(false);
    if (answer === undefined) return undefined;
    showToast({
      text: answer.ok ? (typeof done === 'string' ? done : done(answer.data)) : answer.message,
    });
    return answer.ok ? { data: answer.data } : undefined;
  }

  return { isBusy, call };
}
