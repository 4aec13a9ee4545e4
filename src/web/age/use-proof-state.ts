import { useCallback, useEffect, useState } from 'react';
import { answerOf, api } from '../api.ts';

const everyMs = 2000;

/**
 * Asks for the answer while the page is seen, and leads on when there is one.
 *
 * @param next the page that takes the answer
 * @returns whether the request has run out, and what ends it here
 */
export function useProofState(next: string): { isOver: boolean; end: () => void } {
  const [isOver, setIsOver] = useState(false);
  const end = useCallback(() => setIsOver(true), []);
  useEffect(() => {
    if (isOver) return undefined;
    let isGone = false;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void ask();
    }, everyMs);
    async function ask(): Promise<void> {
      const answer = await answerOf(api.age.proof.$get());
      if (isGone || !answer.ok || answer.data.state === 'waiting') return;
      if (answer.data.state === 'none') return end();
      stop();
      window.location.replace(next);
    }
    function stop(): void {
      isGone = true;
      clearInterval(timer);
    }
    // Another way leads on by itself.
    document.addEventListener('submit', stop);
    return () => {
      stop();
      document.removeEventListener('submit', stop);
    };
  }, [next, isOver, end]);
  return { isOver, end };
}
