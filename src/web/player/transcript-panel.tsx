import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import type { Transcript } from '#domain/catalogue/editing/transcripts.ts';
import type { Track } from '#player/track.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { downloadedSound } from '../listening/downloaded-sound.ts';
import { usePlayerCommands } from '../listening/player-provider.tsx';
import { TranscriptLines } from '../listening/transcript-lines.tsx';
import { useDelayed } from '../listening/use-delayed.ts';
import '#web/styles/transcript.css';

type Loaded = { state: 'loading' | 'failed' | 'none' } | { state: 'there'; transcript: Transcript };

/** Transcript of the current audio, in place of its cover. */
export function TranscriptPanel({ track }: { track: Track }) {
  const [attempt, setAttempt] = useState(0);
  return (
    <section
      className="transcript__panel mt-3 max-h-[38vh] w-full self-center md:m-0 md:max-h-none"
      aria-label={t`Transcript`}
    >
      <TrackTranscript key={`${track.id} ${attempt}`} trackId={track.id} onRetry={() => setAttempt(attempt + 1)} />
    </section>
  );
}

function TrackTranscript({ trackId, onRetry }: { trackId: string; onRetry: () => void }) {
  const { seekToSeconds, play } = usePlayerCommands();
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' });
  const isLate = useDelayed(loaded.state === 'loading');

  useEffect(() => {
    const request = new AbortController();
    async function load(): Promise<void> {
      const next = await loadTranscript(trackId, request.signal);
      if (!request.signal.aborted) setLoaded(next);
    }
    void load();
    return () => request.abort();
  }, [trackId]);

  if (loaded.state === 'there') {
    return (
      <TranscriptLines
        audioId={trackId}
        transcript={loaded.transcript}
        onPress={(seconds) => {
          seekToSeconds(seconds);
          play();
        }}
      />
    );
  }
  if (loaded.state === 'failed') {
    return (
      <div role="alert" className="grid justify-items-center gap-3 text-soft">
        {t`The transcript could not be loaded.`}
        <Button onClick={onRetry}>{t`Try again`}</Button>
      </div>
    );
  }
  return (
    <p className="text-center text-soft">
      {loaded.state === 'none' ? t`There is no transcript of this audio.` : isLate && t`Loading…`}
    </p>
  );
}

async function loadTranscript(id: string, signal: AbortSignal): Promise<Loaded> {
  const stored = downloadedSound.transcriptOf?.(id);
  if (stored !== undefined) return { state: 'there', transcript: stored as Transcript };
  const answer = await answerOf(api.audios[':id'].transcript.$get({ param: { id } }, { init: { signal } }));
  if (answer.ok) return { state: 'there', transcript: answer.data };
  return { state: answer.status === 404 ? 'none' : 'failed' };
}
