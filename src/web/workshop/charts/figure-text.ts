import { plural, t } from '@lingui/core/macro';
import { formatDecimal, formatPercent } from '#formats/decimals.ts';
import { formatCount } from '#formats/numbers.ts';

/** Formats figures. Null means fewer than ten listeners: see `Figures`. */

export const underTen = () => t`Under 10`;
export const underTenListeners = () => t`Under 10 listeners`;

export function countText(count: number | null): string {
  return count === null ? underTen() : formatCount(count);
}

/** `784`, and `7.4` below ten hours. */
export function hoursText(milliseconds: number | null): string {
  if (milliseconds === null) return underTen();
  const hours = milliseconds / 3_600_000;
  return hours < 10 ? shortDecimal(hours) : formatCount(Math.round(hours));
}

/** `71%`. */
export function shareText(part: number | null, whole: number | null): string {
  return part === null || whole === null || whole === 0 ? underTen() : formatPercent((part / whole) * 100);
}

/** Change from an earlier figure; undefined when either figure is missing or the earlier one is 0. */
export type Delta = { direction: 'up' | 'down' | 'same'; text: string };

/** `12%`, and `9.5%` below ten. */
export function deltaOf(now: number | null, before: number | null): Delta | undefined {
  if (now === null || before === null || before === 0) return undefined;
  const percent = Math.abs((now / before - 1) * 100);
  const rounded = percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  return {
    direction: directionOf(rounded === 0 ? 0 : now - before),
    text: formatPercent(rounded, rounded % 1 === 0 ? 0 : 1),
  };
}

/** `1 point`, between two shares. */
export function pointsOf(now: number | null, before: number | null): Delta | undefined {
  if (now === null || before === null) return undefined;
  const points = Math.round(now * 100) - Math.round(before * 100);
  const count = Math.abs(points);
  const text = plural(count, { one: '# point', other: '# points' });
  return { direction: directionOf(points), text };
}

export function shareOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}

function directionOf(change: number): Delta['direction'] {
  if (change === 0) return 'same';
  return change > 0 ? 'up' : 'down';
}

/** `7.4`, and `7` */
function shortDecimal(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return formatDecimal(rounded, rounded % 1 === 0 ? 0 : 1);
}
