import type { Cue } from './rules.ts';

/** Chapters of an audio, for server and browser. */

export type Chapter = {
  /** Seconds from the beginning of the audio. */
  start: number;
  title: string;
};

/** Chapters of one audio. */
export const maxChapters = 200;
/** Seconds that a chapter lasts at least. */
export const minChapterSeconds = 10;
/** Characters of a title. */
export const chapterTitleLength = 200;

export const chapterFaults = ['untitled', 'too-long', 'too-short', 'outside'] as const;
export type ChapterFault = (typeof chapterFaults)[number];

/** Whether each chapter begins late enough after the one before. */
export function areApart(chapters: readonly Chapter[]): boolean {
  return chapters.every(({ start }, index) => index === 0 || start >= earliestAfter(chapters[index - 1]));
}

/** Seconds; rounded, because fractions of seconds do not add up exactly. */
function earliestAfter(before: Chapter | undefined): number {
  return before === undefined ? 0 : Math.round((before.start + minChapterSeconds) * 1000) / 1000;
}

function isWithin({ start }: Chapter, duration: number): boolean {
  return start + minChapterSeconds <= duration;
}

/**
 * The fault of each chapter; undefined for one without.
 * @param duration seconds of the recording
 */
export function faultsOfChapters(chapters: readonly Chapter[], duration: number): (ChapterFault | undefined)[] {
  return chapters.map((chapter, index) => {
    const title = chapter.title.trim();
    if (title === '') return 'untitled';
    if ([...title].length > chapterTitleLength) return 'too-long';
    if (chapter.start < earliestAfter(chapters[index - 1])) return 'too-short';
    return isWithin(chapter, duration) ? undefined : 'outside';
  });
}

/** Whether a chapter may begin there, without shortening its neighbours too much. @param duration seconds */
export function hasRoomAt(chapters: readonly Chapter[], start: number, duration: number): boolean {
  const isApart = chapters.every((chapter) => Math.abs(chapter.start - start) >= minChapterSeconds);
  return isApart && isWithin({ start, title: '' }, duration);
}

/** Another recording may be shorter than the one for which they were set. @param duration seconds */
export function chaptersWithin(chapters: readonly Chapter[], duration: number): Chapter[] {
  return chapters.filter((chapter) => isWithin(chapter, duration));
}

/**
 * Chapters as files state them: without those that are too short, untitled or too many.
 * @param duration seconds of the recording
 */
export function readableChapters(chapters: readonly Chapter[], duration: number): Chapter[] {
  const read: Chapter[] = [];
  for (const { start, title: stated } of chapters.toSorted((one, other) => one.start - other.start)) {
    const title = [...stated.trim()].slice(0, chapterTitleLength).join('').trim();
    const chapter = { start: Math.round(Math.max(0, start) * 1000) / 1000, title };
    const [fault] = faultsOfChapters([...read.slice(-1), chapter], duration).slice(-1);
    if (fault === undefined && read.length < maxChapters) read.push(chapter);
  }
  return read;
}

const chapterLine = /^\s*[[(]?((?:\d{1,2}:)?\d{1,2}:\d{2})[\])]?\s*[-–—:.]?\s+(\S.*)$/;

/**
 * Chapters in a text, one per line: `02:15 The kiss`.
 * @param duration seconds of the recording
 * @returns none, unless there are at least two, the first is at the beginning, and times increase
 */
export function writtenChapters(text: string, duration: number): Chapter[] {
  const chapters = text.split('\n').flatMap((line) => {
    const [, time, title] = chapterLine.exec(line) ?? [];
    if (time === undefined || title === undefined) return [];
    const start = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    return [{ start, title: title.trim().slice(0, chapterTitleLength) }];
  });
  const isInOrder = chapters.every(({ start }, index) =>
    index === 0 ? start === 0 : start > (chapters[index - 1]?.start ?? 0),
  );
  const isInside = (chapters.at(-1)?.start ?? 0) < duration;
  return chapters.length >= 2 && isInOrder && isInside ? chapters : [];
}

/**
 * The chapters that listeners get: those that were set, else those in the description.
 * @param set undefined or null: none were set
 * @param duration seconds of the recording
 */
export function chaptersOf(
  set: readonly Chapter[] | null | undefined,
  description: string,
  duration: number,
): Chapter[] {
  const own = set ?? [];
  return own.length === 0 ? writtenChapters(description, duration) : chaptersWithin(own, duration);
}

/** A file of chapters for podcast apps (podcast-namespace, JSON Chapters 1.2). */
export function writeChapters({ title, author, chapters }: { title: string; author: string; chapters: Chapter[] }) {
  const written = chapters.map((chapter) => ({ startTime: chapter.start, title: chapter.title }));
  return JSON.stringify({ version: '1.2.0', title, author, chapters: written });
}

/** Seconds of silence between two lines that end a part of a text. */
const pauseSeconds = 2;
/** Characters of a title that is a line of the text. */
const lineTitleLength = 60;

/**
 * Chapters that begin after the long pauses of a text, each with its first words as the title.
 * @param duration seconds of the recording
 */
export function chaptersOfLines(lines: readonly Cue[], duration: number): Chapter[] {
  const starts = lines.filter(({ start }, index) => {
    const before = lines[index - 1];
    return before === undefined || start - before.end >= pauseSeconds;
  });
  const begins = starts.map(({ start, text }, index) => ({
    start: index === 0 ? 0 : Math.floor(start),
    title: firstWords(text),
  }));
  return readableChapters(begins, duration);
}

function firstWords(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  if ([...line].length <= lineTitleLength) return line;
  const cut = [...line].slice(0, lineTitleLength).join('');
  return `${cut.replace(/\s+\S*$/, '')}…`;
}
