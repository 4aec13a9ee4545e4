import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ListVideo from 'lucide-react/icons/list-video';
import { useState } from 'react';
import { formatTime } from '#formats/durations.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { withMarks } from '#web/workshop/with-marks.tsx';

type ReviewTextProps = {
  /** `marks`: places of watched words. */
  lines: { start: number; end: number; text: string; marks: [from: number, to: number][] }[];
  /** Seconds. */
  position: number;
  onPlay: (from: number) => void;
  onNextWord: () => void;
};

const shownAtFirst = 8;

/** The transcript, with watched words marked. */
export function ReviewText({ lines, position, onPlay, onNextWord }: ReviewTextProps) {
  const [isWhole, setIsWhole] = useState(false);
  const lastMarked = lines.findLastIndex(({ marks }) => marks.length > 0);
  const shown = isWhole ? lines.length : Math.max(shownAtFirst, lastMarked + 1);
  if (lines.length === 0)
    return (
      <Pane title={t`Text`}>
        <p className="text-14 text-muted">
          <Trans>There is no text. Listen to all of it.</Trans>
        </p>
      </Pane>
    );
  const count = lines.reduce((sum, { marks }) => sum + marks.length, 0);
  return (
    <Pane
      title={t`Text`}
      end={
        <>
          <span className="text-13 text-muted">
            {plural({ count: lines.length }, { one: '# line, timed', other: '# lines, timed' })}
          </span>
          {count > 0 && (
            <Button size="sm" onClick={onNextWord}>
              <Icon of={ListVideo} size={16} />
              {plural({ count }, { one: '# watched word', other: '# watched words' })}
            </Button>
          )}
        </>
      }
    >
      <ol className="-mx-2">
        {lines.slice(0, shown).map(({ start, end, text, marks }, index) => {
          const found = marks.length;
          const isCurrent = position >= start && position < end && position > 0;
          return (
            <li
              key={`${start} ${index}`}
              className={classNames(
                'grid grid-cols-[52px_minmax(0,1fr)_auto] items-baseline gap-x-3 rounded-cover px-2 py-2 text-14',
                isCurrent && 'bg-accent-soft',
              )}
              aria-current={isCurrent ? 'true' : undefined}
              data-watched={found > 0 ? start : undefined}
            >
              <span
                className={classNames(
                  'tabular-nums text-13',
                  found > 0 ? 'text-accent-text font-semibold' : 'text-muted',
                )}
              >
                {formatTime(start)}
              </span>
              <span dir="auto">{withMarks(text, marks)}</span>
              {found > 0 && (
                <button
                  type="button"
                  className="link text-13"
                  aria-label={t`Play from ${{ time: formatTime(start) }}`}
                  onClick={() => onPlay(start)}
                >
                  {t`Play`}
                </button>
              )}
            </li>
          );
        })}
      </ol>
      {shown < lines.length && (
        <Button variant="ghost" size="sm" className="btn--quiet mt-1.5" onClick={() => setIsWhole(true)}>
          {t`Show all lines`}
        </Button>
      )}
    </Pane>
  );
}
