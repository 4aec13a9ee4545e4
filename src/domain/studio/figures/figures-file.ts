import type { DayFigures } from './figure-history.ts';

const heads = [
  'Day (UTC)',
  'Of',
  'Plays',
  'Listeners',
  'Hours heard',
  'Plays of members',
  'Heard to the end',
  'New favorites',
];

/**
 * Figures per day as CSV (RFC 4180), with a byte order mark so that spreadsheets read it as UTF-8.
 * @param subject name of the voice or audio
 */
export function figuresFile(subject: string, days: DayFigures[]): string {
  const lines = days.map((day) => [
    day.day,
    subject,
    shown(day.plays),
    shown(day.listeners),
    day.heardMs === null ? few : (day.heardMs / 3_600_000).toFixed(2),
    shown(day.memberPlays),
    shown(day.ends),
    shown(day.newFavorites),
  ]);
  return `\uFEFF${[heads, ...lines].map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

const few = 'Under 10';

function shown(count: number | null): string {
  return count === null ? few : String(count);
}

/** Spreadsheets evaluate cells that begin with these characters; a quotation mark before them keeps them text. */
export function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
