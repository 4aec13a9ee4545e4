import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Answer } from '#web/api.ts';

/**
 * Settings of a page that are saved as soon as they are changed: one call after the other, so that none overtakes a
 * later one. What is wanted is shown until the last one is answered and the page is loaded again.
 */
export function useSavedChanges<Settings extends object>(
  settings: Settings,
  send: (change: Partial<Settings>) => Promise<Answer<unknown>>,
) {
  const { revalidate } = useRevalidator();
  const [wanted, setWanted] = useState<Partial<Settings>>({});
  const last = useRef<Promise<Answer<unknown>>>(undefined);

  async function save(change: Partial<Settings>): Promise<Answer<unknown>> {
    setWanted((before) => ({ ...before, ...change }));
    const answered = (last.current ?? Promise.resolve()).then(() => send(change));
    last.current = answered;
    const answer = await answered;
    if (last.current === answered) {
      await revalidate();
      // Changed while it was loaded: the next one loads it again.
      if (last.current === answered) setWanted({});
    }
    return answer;
  }

  return { shown: { ...settings, ...wanted }, save };
}
