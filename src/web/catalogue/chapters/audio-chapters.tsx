import { Trans } from '@lingui/react/macro';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import { usePlayback, usePlayerCommands } from '#web/listening/player-provider.tsx';
import { ChapterList } from './chapter-list.tsx';

/** Chapters on the page of an audio, for listeners who may hear it. */
export function AudioChapters({ audio, chapters }: { audio: AudioItem; chapters: Chapter[] }) {
  const { playList, seekToSeconds, play } = usePlayerCommands();
  const { isCurrent } = usePlayback(audio.id);

  function playFrom(seconds: number): void {
    if (!isCurrent) return playList([audio], 0, 'audio_details', undefined, seconds);
    seekToSeconds(seconds);
    play();
  }
  return (
    <section className="mt-8 max-w-[76ch]">
      <h2 className="text-22 mb-2">
        <Trans>Chapters</Trans>
      </h2>
      <ChapterList audioId={audio.id} chapters={chapters} language={audio.language} onPress={playFrom} />
    </section>
  );
}
