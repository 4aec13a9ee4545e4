import { countOf } from './numbers.ts';

/** `3 bytes`, `14 GB`: for operators, who read it in a terminal. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
