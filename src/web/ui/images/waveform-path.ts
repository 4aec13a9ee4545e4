/** Mean of the source bars for each rendered one, 0 to 1. @param bars one base-36 digit each */
export function heightsOf(bars: string, count: number): number[] {
  return Array.from({ length: count }, (_none, index) => {
    const from = Math.floor((index * bars.length) / count);
    const part = bars.slice(from, Math.max(from + 1, Math.floor(((index + 1) * bars.length) / count)));
    return [...part].reduce((sum, digit) => sum + parseInt(digit, 36), 0) / part.length / 35;
  });
}

/** Path of one vertical stroke per bar, 6 units wide, with room for its round caps; without heights, a plain line. */
export function strokes(heights: number[] | undefined, from: number, to: number, height: number): string {
  if (heights === undefined) return from < to ? `M${from * 6 + 3} ${height / 2}H${to * 6 - 3}` : '';
  let path = '';
  for (let index = from; index < to; index++) {
    const half = Math.max(0, (heights[index]! * (height - 2)) / 2 - 1.75);
    path += `M${index * 6 + 3} ${(height / 2 - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
  }
  return path;
}
