import { useEffect, useState } from 'react';
import { answerOf, api } from '#web/api.ts';

/** Requested ones, until the document closes, because the player's views open and close often. */
const waveforms = new Map<string, string | null>();
const maxWaveforms = 50;

/** Loudness along the audio; null until it is loaded, and while it is not measured. */
export function useWaveform(audioId: string): string | null {
  const [, setLoaded] = useState<string>();
  useEffect(() => {
    if (waveforms.has(audioId)) return undefined;
    const request = new AbortController();
    async function load(): Promise<void> {
      const answer = await answerOf(
        api.audios[':id'].waveform.$get({ param: { id: audioId } }, { init: { signal: request.signal } }),
      );
      if (!answer.ok || request.signal.aborted) return;
      if (waveforms.size >= maxWaveforms) waveforms.clear();
      waveforms.set(audioId, answer.data.bars);
      setLoaded(audioId);
    }
    void load();
    return () => request.abort();
  }, [audioId]);
  return waveforms.get(audioId) ?? null;
}
