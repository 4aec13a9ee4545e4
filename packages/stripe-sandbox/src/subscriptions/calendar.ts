/** Length of a period. */
export type Interval = { interval: string; interval_count: number };

const daySeconds = 86_400;

/** @param seconds start; the result is capped at the last day of its month */
export function addInterval(seconds: number, { interval, interval_count: count }: Interval): number {
  if (interval === 'day') return seconds + count * daySeconds;
  if (interval === 'week') return seconds + count * 7 * daySeconds;
  const start = new Date(seconds * 1000);
  const months = start.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const end = new Date(start);
  end.setUTCFullYear(start.getUTCFullYear(), months, Math.min(start.getUTCDate(), lastDay));
  return Math.floor(end.getTime() / 1000);
}

/** First end of a period after `start`, counted from `anchor`, so that a 31st does not become a 28th for good. */
export function nextTurn(anchor: number, start: number, { interval, interval_count: count }: Interval): number {
  if (anchor > start) return anchor;
  for (let turns = 1; ; turns += 1) {
    const turn = addInterval(anchor, { interval, interval_count: turns * count });
    if (turn > start) return turn;
  }
}
