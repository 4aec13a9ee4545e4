import { useEffect, useState } from 'react';
import { isTimingUnderWay } from '#domain/studio/rules.ts';
import type { ScriptTiming } from '#domain/studio/timing/timings.ts';
import { type Answer, answerOf, api } from '../../api.ts';

const lookMs = 2000;

/** The timing of an audio's script, looked at while its job runs and the page is visible. */
export function useScriptTiming(audioId: string, first: ScriptTiming | undefined) {
  const [timing, setTiming] = useState(first);
  const [fault, setFault] = useState<string>();
  const calls = api.studio.audios[':id'].timing;
  const param = { id: audioId };

  function take<Data>(answer: Answer<Data>): answer is Extract<Answer<Data>, { ok: true }> {
    setFault(answer.ok ? undefined : answer.message);
    return answer.ok;
  }

  const isUnderWay = timing !== undefined && isTimingUnderWay(timing.state);
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const stop = new AbortController();
    async function look(): Promise<void> {
      if (document.hidden) return;
      const answer = await answerOf(api.studio.audios[':id'].timing.$get({ param: { id: audioId } }));
      if (stop.signal.aborted) return;
      if (answer.ok) setTiming(answer.data);
      // Discarded by somebody else.
      else if (answer.status === 404) setTiming(undefined);
    }
    const timer = setInterval(() => void look(), lookMs);
    document.addEventListener('visibilitychange', () => void look(), { signal: stop.signal });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [isUnderWay, audioId]);

  return {
    timing,
    fault,
    /** @returns whether it was started */
    async start(script: string): Promise<boolean> {
      const answer = await answerOf(calls.$put({ param, json: { script } }));
      if (!take(answer)) return false;
      setTiming(answer.data);
      return true;
    },
    async draft(): Promise<void> {
      const answer = await answerOf(calls.draft.$post({ param }));
      if (take(answer)) setTiming(answer.data);
    },
    async drop(): Promise<void> {
      const answer = await answerOf(calls.$delete({ param }));
      if (answer.ok || answer.status === 404) setTiming(undefined);
      else take(answer);
    },
    /** @param version the newest version of the audio that the editor has seen. @returns whether it was taken */
    async use(version: number): Promise<boolean> {
      const answer = await answerOf(calls.take.$post({ param, json: { version } }));
      if (!take(answer)) return false;
      setTiming(undefined);
      return true;
    },
  };
}
