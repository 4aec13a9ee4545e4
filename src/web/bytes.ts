import { formatDecimal } from '#formats/decimals.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `14.2 GB`, by powers of a thousand. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 100 && power > 0 ? formatDecimal(value) : Math.round(value)} ${units[power]}`;
}
