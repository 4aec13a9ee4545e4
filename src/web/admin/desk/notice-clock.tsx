import { plural, t } from '@lingui/core/macro';
import type { Clock } from '#domain/notices/calendar.ts';
import { workingDays } from '#domain/notices/rules.ts';
import { formatShortDate } from '#formats/moments.ts';

/** One step per working day gone, and words beside it. */
export function NoticeClock({ clock: { day, left, over }, isLarge = false }: { clock: Clock; isLarge?: boolean }) {
  const gone = workingDays - left;
  const date = formatShortDate(day);
  return (
    <span
      className="notice-clock"
      data-state={over > 0 ? 'late' : left <= 1 ? 'soon' : undefined}
      data-size={isLarge ? 'large' : undefined}
      style={{ '--gone': gone } as React.CSSProperties}
    >
      <span>
        <b>
          {over > 0
            ? plural(over, { one: '# day over', other: '# days over' })
            : isLarge
              ? plural(left, { one: '# working day left', other: '# working days left' })
              : plural(left, { one: '# day left', other: '# days left' })}
        </b>
        <span className="dot">{over > 0 ? t`was due ${date}` : t`due ${date}`}</span>
      </span>
      <i aria-hidden="true" />
      <span className="sr-only">{t`${gone} of ${workingDays} working days gone`}</span>
    </span>
  );
}
