import ChevronDown from 'lucide-react/icons/chevron-down';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { Transcript } from '#domain/catalogue/transcripts.ts';
import { usePlayback, usePlayerCommands } from '#web/listening/player-provider.tsx';
import { TranscriptLines } from '#web/listening/transcript-lines.tsx';
import { Icon } from '#web/ui/icon.tsx';

type AudioTranscriptProps = { audio: Audio; transcript: Transcript | 'locked' };

/** The words with their times, for those who may hear the audio (product.md, "Settled in detail"); the others are told that there are some. */
export function AudioTranscript({ audio, transcript }: AudioTranscriptProps) {
  const { playList, seekToSeconds, play } = usePlayerCommands();
  const { isCurrent } = usePlayback(audio.id);
  if (transcript === 'locked') return <p className="mt-4 text-13 text-muted">A transcript comes with this audio.</p>;

  function playFrom(seconds: number): void {
    if (!isCurrent) return playList([audio], 0, 'audio_details', undefined, seconds);
    seekToSeconds(seconds);
    play();
  }
  return (
    <details className="group mt-4">
      <summary className="link cursor-pointer list-none gap-1 [&::-webkit-details-marker]:hidden">
        Transcript
        <Icon of={ChevronDown} size={16} className="group-open:rotate-180" />
      </summary>
      <TranscriptLines
        audioId={audio.id}
        transcript={transcript}
        onPress={playFrom}
        className="panel mt-3 max-h-[60vh] max-w-[76ch]"
      />
    </details>
  );
}
