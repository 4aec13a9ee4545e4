/** Playlists in the rail on Home. */
export const homePlaylists = 12;

/** One line of a transcript; times are seconds from the beginning of the audio. */
export type Cue = { start: number; end: number; text: string };

/** A link on a creator's page. */
export type VoiceLink = { label: string; url: string };

export const mostLinks = 5;

/** Users who may comment on an audio: everyone with an account, subscribers and the voice's managers, or nobody. */
export const commenterChoices = ['everyone', 'subscribers', 'nobody'] as const;
export type Commenters = (typeof commenterChoices)[number];

type CommentColumns = { commentsDisabled: boolean; commentsForSubscribers: boolean };

export function commentersOf({ commentsDisabled, commentsForSubscribers }: CommentColumns): Commenters {
  if (commentsDisabled) return 'nobody';
  return commentsForSubscribers ? 'subscribers' : 'everyone';
}

/** `nobody` leaves the choice for later, when comments are on again, unchanged. */
export function commentColumns(commenters: Commenters): Partial<CommentColumns> & { commentsDisabled: boolean } {
  if (commenters === 'nobody') return { commentsDisabled: true };
  return { commentsDisabled: false, commentsForSubscribers: commenters === 'subscribers' };
}

/** Characters. */
export const voiceLimits = { name: 120, bio: 5000, linkLabel: 40, linkUrl: 1000 } as const;
export const seriesLimits = { title: 200, description: 5000 } as const;

/** Audios of one series. */
export const mostSeriesAudios = 500;

/** An https URL without credentials. */
export function isHttps(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname.includes('.');
}

/** Transcripts as files and as lines, for server and Studio. Times are seconds from the beginning of the audio. */

/** Lines of one transcript. */
export const mostCues = 20_000;
/** Characters of one line. */
export const cueTextLength = 1000;

export const cueFaults = ['ends-before-start', 'outside', 'overlaps', 'empty'] as const;
export type CueFault = (typeof cueFaults)[number];

/**
 * The fault of each line; undefined for a line without one.
 * @param duration seconds of the recording
 */
export function faultsOf(cues: readonly Cue[], duration: number): (CueFault | undefined)[] {
  let before = 0;
  return cues.map((cue) => {
    const overlaps = cue.start < before;
    before = Math.max(before, cue.end);
    if (cue.end <= cue.start) return 'ends-before-start';
    // A measured length may be milliseconds shorter than the end of the last line in a file.
    if (cue.start < 0 || cue.end > duration + 0.01) return 'outside';
    if (overlaps) return 'overlaps';
    return cue.text.trim() === '' ? 'empty' : undefined;
  });
}

export type CueFileResult =
  | {
      ok: true;
      cues: Cue[];
      /** False for plain text, whose times are distributed by length. */
      isTimed: boolean;
    }
  | {
      ok: false;
      reason: 'empty' | 'not-text' | 'no-time' | 'not-a-time' | 'ends-before-start' | 'too-long' | 'too-many';
      /** Line number in the file, from 1. */
      line: number;
    };

type Refusal = Extract<CueFileResult, { ok: false }>;

/**
 * Reads WebVTT (https://www.w3.org/TR/webvtt1/), SubRip, or plain text with one transcript line per line.
 * @param duration seconds over which plain text is distributed
 */
export function readCueFile(file: string, duration: number): CueFileResult {
  const lines = file
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n');
  const binary = lines.findIndex((line) => /[\0\uFFFD\p{Surrogate}]/u.test(line));
  if (binary !== -1) return { ok: false, reason: 'not-text', line: binary + 1 };
  const isVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '');
  const isTimed = isVtt || lines.some((line) => line.includes('-->'));
  const read = isTimed ? readTimed(lines, isVtt) : spreadText(lines, duration);
  if (!Array.isArray(read)) return read;
  if (read.length === 0) return { ok: false, reason: 'empty', line: 1 };
  if (read.length > mostCues) return { ok: false, reason: 'too-many', line: lines.length };
  return { ok: true, cues: read, isTimed };
}

/** The cues of a WebVTT file, without styles and spans; undefined for other files. */
export function parseVtt(file: string): Cue[] | undefined {
  if (!/^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/.test(file)) return undefined;
  const read = readTimed(file.replaceAll(/\r\n?/g, '\n').split('\n'), true);
  return Array.isArray(read) ? read : undefined;
}

const vttTime = String.raw`((?:\d{2,}:)?\d\d:\d\d\.\d{3})`;
const vttTiming = new RegExp(`^${vttTime}[ \\t]+-->[ \\t]+${vttTime}(?:[ \\t]|$)`);
/** Many programs write a point, and no leading zeros. */
const srtTime = String.raw`((?:\d+:)?\d{1,2}:\d{1,2}[,.]\d{1,3})`;
const srtTiming = new RegExp(`^${srtTime}[ \\t]*-->[ \\t]*${srtTime}(?:[ \\t]|$)`);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

function readTimed(lines: string[], isVtt: boolean): Cue[] | Refusal {
  const cues: Cue[] = [];
  // The head of a WebVTT file ends with its first empty line.
  let at = isVtt ? lines.findIndex((line, index) => index > 0 && line === '') : 0;
  if (at === -1) at = lines.length;
  while (at < lines.length) {
    let stop = at;
    while (stop < lines.length && lines[stop]?.trim() !== '') stop += 1;
    const read = readBlock(lines, at, stop, isVtt);
    if (read !== undefined && 'ok' in read) return read;
    if (read !== undefined) cues.push(read);
    at = stop + 1;
  }
  return cues;
}

/** @returns undefined for a block without text, and for notes, styles and regions */
function readBlock(lines: string[], from: number, to: number, isVtt: boolean): Cue | Refusal | undefined {
  // A cue may have an identifier before its times.
  let timing = from;
  while (timing < to && !lines[timing]?.includes('-->')) timing += 1;
  if (timing === to) {
    if (isVtt || from === to) return undefined;
    return { ok: false, reason: 'no-time', line: from + 1 };
  }
  const [, first = '', last = ''] = (isVtt ? vttTiming : srtTiming).exec((lines[timing] ?? '').trim()) ?? [];
  const [start, end] = [secondsOf(first), secondsOf(last)];
  if (first === '') return { ok: false, reason: 'not-a-time', line: timing + 1 };
  if (end <= start) return { ok: false, reason: 'ends-before-start', line: timing + 1 };
  const text = lines
    .slice(timing + 1, to)
    .join(' ')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
  if ([...text].length > cueTextLength) return { ok: false, reason: 'too-long', line: timing + 2 };
  return text === '' ? undefined : { start, end, text };
}

function secondsOf(time: string): number {
  const seconds = time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round(seconds * 1000) / 1000;
}

/** Longer lines of plain text are paragraphs, and are split at sentence ends. */
const longLine = 160;

function spreadText(lines: string[], duration: number): Cue[] | Refusal {
  const texts: string[] = [];
  for (const [index, line] of lines.entries())
    for (const text of sentencesOf(line.trim())) {
      if (text.length > cueTextLength) return { ok: false, reason: 'too-long', line: index + 1 };
      texts.push(text);
    }
  return spread(texts, duration);
}

function sentencesOf(line: string): string[] {
  if (line === '') return [];
  if (line.length <= longLine) return [line];
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(line);
  return [...sentences].map(({ segment }) => segment.trim()).filter((text) => text !== '');
}

/** Times by length of the texts, in whole hundredths, without gaps. @param duration seconds */
export function spread(texts: string[], duration: number): Cue[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const timeAt = (characters: number) => Math.floor((characters / total) * duration * 100) / 100;
  let before = 0;
  return texts.map((text) => {
    const start = timeAt(before);
    before += text.length;
    return { start, end: timeAt(before), text };
  });
}

/** A WebVTT file that `readCueFile` reads back. */
export function writeVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ start, end, text }) => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    // An empty line would end the cue.
    return `${vttTimeOf(start)} --> ${vttTimeOf(end)}\n${inOneBlock(escaped)}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

/** Trims line ends and removes empty lines. No regular expression: it takes quadratic time on long runs of spaces. */
function inOneBlock(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** `00:00:19.400` */
function vttTimeOf(seconds: number): string {
  return new Date(Math.round(Math.max(0, seconds) * 1000)).toISOString().slice(11, 23);
}

/** `0:19.40`, and `1:00:19.40` from one hour on. */
export function formatCueTime(seconds: number): string {
  const hundredths = Math.round(Math.max(0, seconds) * 100);
  const whole = Math.floor(hundredths / 100);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(rest).padStart(2, '0')}.${String(hundredths % 100).padStart(2, '0')}`;
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

/** A time as typed: `0:19.4`, `19,4`, `1:00:19`. @returns seconds; undefined for other text */
export function parseCueTime(text: string): number | undefined {
  const [, hours, minutes, seconds] =
    /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5}(?:[.,]\d{0,3})?)$/.exec(text.trim()) ?? [];
  if (seconds === undefined) return undefined;
  const rest = Number(seconds.replace(',', '.'));
  if (minutes !== undefined && rest >= 60) return undefined;
  if (hours !== undefined && Number(minutes) >= 60) return undefined;
  return Math.round((Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + rest) * 1000) / 1000;
}
