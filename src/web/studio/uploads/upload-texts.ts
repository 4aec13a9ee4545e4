import { t } from '@lingui/core/macro';
import { formatDecimal } from '#formats/decimals.ts';
import { formatDuration } from '#formats/durations.ts';
import { languageFacts } from '#i18n';

const megabyte = 1_000_000;
const gigabyte = 1000 * megabyte;

/** `94 MB`, `2.3 GB`, `0.4 MB` */
export function formatSize(bytes: number): string {
  const size = number(bytes, bytes);
  return bytes >= gigabyte ? t`${size} GB` : t`${size} MB`;
}

/** `209 of 486 MB` */
export function formatPart(bytes: number, all: number): string {
  return t`${{ part: number(bytes, all) }} of ${{ whole: formatSize(all) }}`;
}

/** In the unit of `all`. */
function number(bytes: number, all: number): string {
  if (all >= gigabyte) return formatDecimal(bytes / gigabyte);
  const count = bytes / megabyte;
  return count >= 10 || count === 0 ? String(Math.round(count)) : formatDecimal(Math.max(0.1, count));
}

/** `6.4 MB per sec` */
export function formatRate(bytesPerSecond: number): string {
  return bytesPerSecond >= megabyte / 10
    ? t`${{ size: formatDecimal(bytesPerSecond / megabyte) }} MB per sec`
    : t`${{ size: Math.round(bytesPerSecond / 1000) }} KB per sec`;
}

/** `43 sec left`, `5 min left`, `1 hr 20 min left` */
export function formatTimeLeft(seconds: number): string {
  const time = formatDuration(rounded(Math.max(1, seconds), 1));
  return t`${time} left`;
}

/** `about 40 sec left`, `about 3 min left`: an estimate, so seconds come in tens. */
export function formatAboutLeft(seconds: number): string {
  const time = formatDuration(rounded(Math.max(10, seconds), 10));
  return t`about ${time} left`;
}

/** From one minute on, whole minutes. */
function rounded(seconds: number, step: number): number {
  return seconds < 60 ? Math.ceil(Math.round(seconds) / step) * step : Math.round(seconds / 60) * 60;
}

/** `−16.0`, with a minus sign. */
export function formatLevel(lufs: number): string {
  return formatDecimal(lufs).replace('-', '−');
}

/** `−16.0 LUFS` */
export function formatLoudness(lufs: number): string {
  return `${formatLevel(lufs)} LUFS`;
}

/** `44.1 kHz`, `48 kHz` */
export function formatSampleRate(hertz: number): string {
  return `${String(hertz / 1000).replace('.', languageFacts().decimal)} kHz`;
}
