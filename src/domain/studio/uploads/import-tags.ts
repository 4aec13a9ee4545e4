import { i18n } from '#i18n';
import type { SoundFile } from '../../gateways.ts';

const maxGenres = 8;
const maxTracks = 9999;

/** A sound file's tags, cleaned for the catalogue. */
export type ImportTags = {
  title: string;
  description: string;
  artist: string | undefined;
  albumArtist: string | undefined;
  album: string | undefined;
  genres: string[];
  /** From 0, across discs; undefined without a track tag. */
  place: number | undefined;
};

export function cleanTags(file: SoundFile, fallbackTitle: string): ImportTags {
  return {
    title:
      cleanLine(file.title, 200) ??
      cleanLine(fallbackTitle, 200) ??
      i18n._(/*i18n*/ { id: 'studio.untitled', message: 'Untitled' }),
    description: cleanText(file.description, 5000),
    artist: cleanLine(file.artist, 120),
    albumArtist: cleanLine(file.albumArtist, 120),
    album: cleanLine(file.album, 200),
    genres: cleanGenres(file.genres),
    place: placeOf(file),
  };
}

/** One tag may hold several genres, separated by `;`, `,` or NUL. */
function cleanGenres(tags: string[]): string[] {
  const genres = tags.flatMap((tag) => tag.split(/[;,\0]/));
  return genres.flatMap((genre) => cleanLine(genre, 80) ?? []).slice(0, maxGenres);
}

function placeOf({ track, disk }: SoundFile): number | undefined {
  if (track === undefined || !isWithin(track, 1, maxTracks)) return undefined;
  const disc = disk !== undefined && isWithin(disk, 1, 999) ? disk : 1;
  return (disc - 1) * (maxTracks + 1) + track - 1;
}

function isWithin(number: number, min: number, max: number): boolean {
  return number >= min && number <= max;
}

/** Bidi controls would reorder the text around the title in lists. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** One line without control characters, cut to `max` code points as PostgreSQL counts them; undefined when empty. */
export function cleanLine(text: string | undefined, max: number): string | undefined {
  const line = (text ?? '')
    .toWellFormed()
    .replace(directionMarks, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : cut(line, max);
}

/** Several lines, without other control characters and with at most one blank line in a row; may be empty. */
export function cleanText(text: string | undefined, max: number): string {
  const lines = (text ?? '')
    .toWellFormed()
    .replace(directionMarks, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cut(lines, max);
}

function cut(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const start = characters.slice(0, max - 1).join('');
  return `${start.trimEnd()}…`;
}
