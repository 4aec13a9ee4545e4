import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import type { Track } from '#player/track.ts';
import { Button } from '#web/ui/button.tsx';
import { language } from '#i18n';
import { type LoadedTranscript, loadTranscript } from '../listening/load-transcript.ts';
import { usePlayerCommands } from '../listening/player-provider.tsx';
import { TranscriptLanguages } from '../listening/transcript-languages.tsx';
import { TranscriptLines } from '../listening/transcript-lines.tsx';
import { useDelayed } from '../listening/use-delayed.ts';
import '#web/styles/transcript.css';

/** Transcript of the current audio, in place of its cover. */
export function TranscriptPanel({ track }: { track: Track }) {
  const [attempt, setAttempt] = useState(0);
  return (
    <section
      className="transcript__panel mt-3 max-h-[38vh] w-full self-center md:m-0 md:max-h-none"
      aria-label={t`Transcript`}
    >
      <TrackTranscript key={`${track.id} ${attempt}`} track={track} onRetry={() => setAttempt(attempt + 1)} />
    </section>
  );
}

function TrackTranscript({ track, onRetry }: { track: Track; onRetry: () => void }) {
  const { id } = track;
  const { seekToSeconds, play } = usePlayerCommands();
  const [loaded, setLoaded] = useState<LoadedTranscript | { state: 'loading' }>({ state: 'loading' });
  const isLate = useDelayed(loaded.state === 'loading');

  useEffect(() => {
    const request = new AbortController();
    async function load(): Promise<void> {
      const next = await loadTranscript(id, language(), request.signal);
      if (!request.signal.aborted) setLoaded(next);
    }
    void load();
    return () => request.abort();
  }, [id]);

  if (loaded.state === 'there') {
    const { transcript } = loaded;
    const lines = (
      <TranscriptLines
        audioId={id}
        transcript={transcript}
        onPress={(seconds) => {
          seekToSeconds(seconds);
          play();
        }}
      />
    );
    if (transcript.languages.length < 2) return lines;
    return (
      <div className="flex h-full min-h-0 flex-col gap-3">
        <TranscriptLanguages
          audio={track}
          shown={transcript}
          onShow={(chosen) => setLoaded({ state: 'there', transcript: chosen })}
        />
        {lines}
      </div>
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
