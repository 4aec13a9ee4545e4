import { t } from '@lingui/core/macro';
import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import { formatTime } from '#formats/durations.ts';
import { foreign } from '../foreign-language.tsx';
import { useAtPosition, usePlayback } from '#web/listening/player-provider.tsx';

type ChapterListProps = {
  audioId: string;
  chapters: Chapter[];
  /** BCP 47, of the audio. */
  language: string | undefined;
  onPress: (seconds: number) => void;
};

/** Chapters with their times; the one that plays is marked. */
export function ChapterList({ audioId, chapters, language, onPress }: ChapterListProps) {
  const { isCurrent } = usePlayback(audioId);
  const heard = useAtPosition(
    (seconds) => (isCurrent ? chapters.findLastIndex(({ start }) => start <= seconds) : -1),
    -1,
  );
  return (
    <ol lang={foreign(language)}>
      {chapters.map(({ start, title }, index) => {
        const time = formatTime(start);
        return (
          <li key={start} aria-current={index === heard || undefined} className="border-b border-line last:border-b-0">
            <button
              type="button"
              className="flex min-h-11 w-full items-baseline gap-3.5 py-2.5 text-start text-15 hover:text-accent-text [[aria-current]>&]:text-accent-text"
              aria-label={t`${title}, play from ${time}`}
              onClick={() => onPress(start)}
            >
              <span className="w-14 shrink-0 text-13 text-muted tabular-nums">{time}</span>
              <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
                {title}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
