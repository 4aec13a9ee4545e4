import { useEffect, useEffectEvent, useState } from 'react';
import type { Answer } from '../../api.ts';

/** Milliseconds after the last key press. */
const pauseMs = 300;

/** Preview of a text shortly after typing. When rendering fails, the last preview stays, with the reason. */
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
