import { setImmediate } from 'node:timers/promises';
import { waitOutsideSlot } from '../kernel/worker-slot.ts';

/**
 * Runs one request at a time per key. Callers that arrive during a request share the next one, because the running
 * request may miss their change.
 */
export function askInTurn<Answer>(): (key: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const last = new Map<string, { answer: Promise<Answer>; isAsked: boolean }>();

  return (key, ask) => {
    const before = last.get(key);
    if (before !== undefined && !before.isAsked) return waitOutsideSlot(() => before.answer);
    const turn = { isAsked: false, answer: begin() };
    last.set(key, turn);
    return turn.answer;

    async function begin(): Promise<Answer> {
      // Calls of the same tick share one request.
      if (before === undefined) await setImmediate();
      else await waitOutsideSlot(() => before.answer.catch(() => undefined));
      turn.isAsked = true;
      try {
        return await ask();
      } finally {
        if (last.get(key) === turn) last.delete(key);
      }
    }
  };
}
