import { Trans } from '@lingui/react/macro';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ComponentType, useState } from 'react';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Transcript } from '#domain/catalogue/editing/transcripts.ts';
import { usePlayback, usePlayerCommands } from '#web/listening/player-provider.tsx';
import type { TranscriptLanguagesProps } from '#web/listening/transcript-languages.tsx';
import { TranscriptLines } from '#web/listening/transcript-lines.tsx';
import { Icon } from '#web/ui/images/icon.tsx';

type AudioTranscriptProps = {
  audio: AudioItem;
  transcript: Transcript | 'locked';
  isOpen: boolean;
  /** Loaded for transcripts with translations alone. */
  languages: ComponentType<TranscriptLanguagesProps>;
};

/**
 * Transcript with times for listeners who may hear the audio; others read that there is one (product.md, “Settled in
 * detail”).
 */
export function AudioTranscript({ audio, transcript, isOpen, languages: Languages }: AudioTranscriptProps) {
  const { playList, seekToSeconds, play } = usePlayerCommands();
  const { isCurrent } = usePlayback(audio.id);
  const [chosen, setChosen] = useState<Transcript>();
  if (transcript === 'locked')
    return (
      <p className="mt-4 text-13 text-muted">
        <Trans>This audio has a transcript.</Trans>
      </p>
    );

  function playFrom(seconds: number): void {
    if (!isCurrent) return playList([audio], 0, 'audio_details', undefined, seconds);
    seekToSeconds(seconds);
    play();
  }
  const shown = chosen ?? transcript;
  return (
    <details className="group mt-4 max-md:mt-6" open={isOpen}>
      <summary className="link cursor-pointer list-none gap-1 [&::-webkit-details-marker]:hidden">
        <Trans>Transcript</Trans>
        <Icon of={ChevronDown} size={16} className="group-open:rotate-180" />
      </summary>
      {shown.languages.length > 1 && (
        <div className="mt-3">
          <Languages audio={audio} shown={shown} onShow={setChosen} />
        </div>
      )}
      <TranscriptLines
        audioId={audio.id}
        transcript={shown}
        onPress={playFrom}
        className="panel mt-3 max-h-[60vh] max-w-[76ch]"
      />
    </details>
  );
}
