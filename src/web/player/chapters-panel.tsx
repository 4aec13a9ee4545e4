import { t } from '@lingui/core/macro';
import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import type { Track } from '#player/track.ts';
import { ChapterList } from '../catalogue/chapters/chapter-list.tsx';
import { usePlayerCommands } from '../listening/player-provider.tsx';

/** Chapters of the current audio, in place of its cover. */
export function ChaptersPanel({ track, chapters }: { track: Track; chapters: Chapter[] }) {
  const { seekToSeconds, play } = usePlayerCommands();
  return (
    <section
      // A scroll container has to be reachable by keyboard; its chapters are.
      className="mt-3 max-h-[38vh] w-full self-center overflow-y-auto md:m-0 md:max-h-[60vh]"
      aria-label={t`Chapters`}
    >
      <ChapterList
        audioId={track.id}
        chapters={chapters}
        language={track.language}
        onPress={(seconds) => {
          seekToSeconds(seconds);
          play();
        }}
      />
    </section>
  );
}
