import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';

/** Runs the site's checks now, then reloads the page, which shows their result. */
export function useCheckAgain(): { isChecking: boolean; checkAgain(): void } {
  const [isChecking, setChecking] = useState(false);
  const showToast = useToast();
  const { revalidate } = useRevalidator();

  async function check(): Promise<void> {
    setChecking(true);
    const answer = await answerOf(api.admin.system.checks.$get());
    if (!answer.ok) showToast({ text: answer.message });
    await revalidate();
    setChecking(false);
  }

  return { isChecking, checkAgain: () => void check() };
}
