import { i18n } from '#i18n';
import { formatDecimal } from './decimals.ts';
import { formatCount } from './numbers.ts';

const units = [
  (size: string) => i18n._(/*i18n*/ { id: 'size.kilobytes', message: '{size} kB', values: { size } }),
  (size: string) => i18n._(/*i18n*/ { id: 'size.megabytes', message: '{size} MB', values: { size } }),
  (size: string) => i18n._(/*i18n*/ { id: 'size.gigabytes', message: '{size} GB', values: { size } }),
  (size: string) => i18n._(/*i18n*/ { id: 'size.terabytes', message: '{size} TB', values: { size } }),
];

/** `3 bytes`, `14 GB` */
export function formatBytes(bytes: number): string {
  if (bytes < 1000)
    return i18n._(
      /*i18n*/ { id: 'size.bytes', message: '{bytes, plural, one {# byte} other {# bytes}}', values: { bytes } },
    );
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return units[unit]?.(value < 10 ? formatDecimal(value) : formatCount(value)) ?? '';
}
