import { useEffect, useEffectEvent, useState } from 'react';
import type { Answer } from '#web/api.ts';

/** Milliseconds after the last key. */
const pauseMs = 300;

/**
 * The preview of a text, a moment after it was typed. While it cannot be made, the last one stays with the
 * reason.
 */
export function usePreview<Data>(text: string, first: Data, load: () => Promise<Answer<Data>>) {
  const [shown, setShown] = useState({ text, data: first });
  const [error, setError] = useState<string>();
  const onPause = useEffectEvent(load);
  const isCurrent = shown.text === text;

  useEffect(() => {
    if (isCurrent) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const answer = await onPause();
      if (!isWanted) return;
      if (answer.ok) setShown({ text, data: answer.data });
      setError(answer.ok ? undefined : answer.message);
    }, pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, isCurrent]);

  return { data: shown.data, error: isCurrent ? undefined : error };
}
