import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { findManagedVoice } from '../voices.ts';
import type { DayFigures } from './figure-history.ts';
import type { FigureQuery } from './figure-periods.ts';
import { findAudioFigures, findVoiceFigures } from './figures.ts';

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
 * Figures per day of a period, of a voice or one audio.
 * @returns undefined for what the actor may not see
 */
export async function printFigures(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  { audio, ...query }: FigureQuery & { audio?: string | undefined },
): Promise<{ name: string; text: string } | undefined> {
  const voice = await findManagedVoice(db, actor, idOrSlug);
  const all = voice && (await findVoiceFigures(db, actor, voice.id, query));
  if (voice === undefined || all === undefined) return undefined;
  const { period } = all;
  const one =
    audio === undefined ? undefined : await findAudioFigures(db, actor, { voiceId: voice.id, idOrSlug: audio, period });
  if (audio !== undefined && one === undefined) return undefined;
  const name = [one?.audio.slug ?? voice.slug, 'figures', period.from, 'to', period.to].join('-');
  return { name: `${name}.csv`, text: figuresFile(one?.audio.title ?? voice.name, (one ?? all).days) };
}

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
    day.heardMs === null ? underTen : (day.heardMs / 3_600_000).toFixed(2),
    shown(day.memberPlays),
    shown(day.ends),
    shown(day.newFavorites),
  ]);
  return `\uFEFF${[heads, ...lines].map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

const underTen = 'Under 10';

function shown(count: number | null): string {
  return count === null ? underTen : String(count);
}

/** Spreadsheets evaluate cells that begin with these characters; a quotation mark before them keeps them text. */
export function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
