import { t } from '@lingui/core/macro';
import { formatShortDate } from '#formats/moments.ts';
import { countText } from '../../workshop/charts/figure-text.ts';

/** A day's plays; null: merged into a following day, or not shown. */
export type DayPlays = { day: string; plays: number | null };

/** Rows of the table below the chart: days up to two weeks, weeks up to a hundred days, otherwise months. */
export function rowsOf(days: DayPlays[], before: DayPlays[]): string[][] {
  const groups = groupsOf(days);
  return groups.map(({ from, to, label }) => [
    label,
    sumText(days.slice(from, to)),
    // The previous period has the same length: compares by position, not by date.
    sumText(before.slice(from, to)),
  ]);
}

type Group = { from: number; to: number; label: string };

function groupsOf(days: DayPlays[]): Group[] {
  const starts = days.flatMap((_day, index) => (startsGroup(days, index) ? [index] : []));
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? days.length;
    const [first = '', last = ''] = [days[from]?.day, days[to - 1]?.day];
    return {
      from,
      to,
      label:
        first === last
          ? formatShortDate(first)
          : t`${{ first: formatShortDate(first) }} to ${{ last: formatShortDate(last) }}`,
    };
  });
}

function startsGroup(days: DayPlays[], index: number): boolean {
  if (index === 0 || days.length <= 14) return true;
  return days.length <= 100 ? index % 7 === 0 : days[index]?.day.endsWith('-01') === true;
}

function sumText(days: DayPlays[]): string {
  return countText(sumOf(days));
}

/** Null when no day is shown. */
export function sumOf(days: DayPlays[]): number | null {
  const shownPlays = days.flatMap(({ plays }) => plays ?? []);
  return shownPlays.length === 0 ? null : shownPlays.reduce((sum, plays) => sum + plays, 0);
}

/** At most four days below the chart, evenly spaced, from first to last. */
export function marksOf(days: DayPlays[]): string[] {
  const count = Math.min(4, days.length);
  return Array.from({ length: count }, (_, index) =>
    formatShortDate(days[Math.round((index * (days.length - 1)) / Math.max(1, count - 1))]?.day ?? ''),
  );
}
