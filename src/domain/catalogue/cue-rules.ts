import { decodeHTML } from 'entities/decode';
import { type Cue, cueTextLength, maxCues, maxScriptLines } from './rules.ts';

/** Transcripts as files, for server and Studio. Times are seconds from the beginning of the audio. */

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
  const lines = linesOf(file);
  if (!Array.isArray(lines)) return lines;
  const isVtt = startsVtt(lines);
  const isTimed = isVtt || lines.some((line) => line.includes('-->'));
  const read = isTimed ? readTimed(lines, isVtt) : spreadText(lines, duration);
  if (!Array.isArray(read)) return read;
  if (read.length === 0) return { ok: false, reason: 'empty', line: 1 };
  if (read.length > maxCues) return { ok: false, reason: 'too-many', line: lines.length };
  return { ok: true, cues: read, isTimed };
}

function linesOf(file: string): string[] | Refusal {
  const lines = file
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n');
  const binary = lines.findIndex((line) => /[\0\uFFFD\p{Surrogate}]/u.test(line));
  return binary === -1 ? lines : { ok: false, reason: 'not-text', line: binary + 1 };
}

const startsVtt = ([first = '']: string[]) => /^WEBVTT(?:[ \t]|$)/.test(first);

/**
 * The lines of a script that is read aloud: as those of a file of plain text, without notes such as `[laughs]`. Of a
 * file with times, only its texts count.
 */
export function readScript(script: string): { ok: true; lines: string[] } | Refusal {
  const lines = linesOf(script);
  if (!Array.isArray(lines)) return lines;
  const isTimed = startsVtt(lines) || lines.some((line) => srtTiming.test(line.trim()));
  const timed = isTimed ? readTimed(lines, startsVtt(lines)) : undefined;
  const texts = timed === undefined ? lines : Array.isArray(timed) ? timed.map(({ text }) => text) : timed;
  const read = Array.isArray(texts) ? textLines(texts.map(withoutNotes)) : texts;
  if (!Array.isArray(read)) return read;
  if (read.length === 0) return { ok: false, reason: 'empty', line: 1 };
  if (read.length > maxScriptLines) return { ok: false, reason: 'too-many', line: lines.length };
  return { ok: true, lines: read };
}

const withoutNotes = (line: string) => line.replaceAll(/\[[^[\]]{0,200}\]/g, ' ').replaceAll(/[ \t]+/g, ' ');

const speaker = /^(\p{Lu}[\p{L}\p{M}\p{N} .’'-]{0,30}):\s+(?=\S)/u;

/** The lines as they are said: names of speakers that begin two lines or more, or are in capitals, are left out. */
export function withoutSpeakers(lines: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const line of lines) {
    const name = speaker.exec(line)?.[1];
    if (name !== undefined) count.set(name, (count.get(name) ?? 0) + 1);
  }
  return lines.map((line) => {
    const [label, name] = speaker.exec(line) ?? [];
    const isSpeaker = name !== undefined && ((count.get(name) ?? 0) > 1 || name === name.toUpperCase());
    return label !== undefined && isSpeaker ? line.slice(label.length) : line;
  });
}

/** The cues of a file of `writeVtt`, with their line breaks, and with times that are still to be corrected. */
export function readOwnVtt(file: string): Cue[] | undefined {
  const lines = linesOf(file);
  if (!Array.isArray(lines) || !startsVtt(lines)) return undefined;
  const read = readTimed(lines, true, true);
  return Array.isArray(read) && read.length <= maxCues ? read : undefined;
}

/** The cues of a WebVTT file, without styles and spans; undefined for other files. */
export function parseVtt(file: string): Cue[] | undefined {
  if (!/^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/.test(file)) return undefined;
  const read = readTimed(file.replaceAll(/\r\n?/g, '\n').split('\n'), true);
  return Array.isArray(read) ? read : undefined;
}

const vttTime = String.raw`((?:\d+:)?[0-5]\d:[0-5]\d\.\d{3})`;
const vttTiming = new RegExp(`^${vttTime}[ \\t]*-->[ \\t]*${vttTime}(?![\\d.])`);
/** Many programs write a point, and no leading zeros. */
const srtTime = String.raw`((?:\d+:)?\d{1,2}:\d{1,2}[,.]\d{1,3})`;
const srtTiming = new RegExp(`^${srtTime}[ \\t]*-->[ \\t]*${srtTime}(?:[ \\t]|$)`);

const isTiming = (line: string | undefined) => line?.includes('-->') === true;
/** A line of spaces is blank in SubRip only. */
const isBlank = (line: string | undefined, isStrict: boolean) => (isStrict ? line : line?.trim()) === '';
const isNumber = (line: string | undefined) => /^\d+$/.test(line?.trim() ?? '');

/** Blocks as WebVTT §6.1 has them; in both formats a number right before the times of the next cue belongs to that. */
function readTimed(lines: string[], isVtt: boolean, isOwn = false): Cue[] | Refusal {
  const cues: Cue[] = [];
  let at = 0;
  if (isVtt) for (at = 1; at < lines.length && lines[at] !== '' && !isTiming(lines[at]);) at += 1;
  while (at < lines.length) {
    if (isBlank(lines[at], isVtt)) {
      at += 1;
      continue;
    }
    const { timing, stop } = boundsOf(lines, at, isVtt);
    const read = readBlock(lines, { from: at, timing, to: stop }, { isVtt, isOwn });
    if (read !== undefined && 'ok' in read) return read;
    if (read !== undefined) cues.push(read);
    at = stop;
  }
  return cues;
}

/** @returns the lines of a block’s times, if it has any, and of its end */
function boundsOf(lines: string[], from: number, isVtt: boolean): { timing: number | undefined; stop: number } {
  let timing: number | undefined;
  let stop = from;
  for (; stop < lines.length; stop += 1) {
    const line = lines[stop];
    // Captions of YouTube begin with a line of one space.
    if (isBlank(line, isVtt || timing === stop - 1)) break;
    if (!isTiming(line)) continue;
    if (timing !== undefined) {
      const isNext = stop - 1 > timing && isNumber(lines[stop - 1]);
      return { timing, stop: isNext ? stop - 1 : stop };
    }
    // A cue has one line before its times at most.
    if (stop - from > 1) break;
    timing = stop;
  }
  return { timing, stop };
}

type Block = { from: number; timing: number | undefined; to: number };

/** @returns undefined for a block without text, and for notes, styles and regions */
function readBlock(
  lines: string[],
  { from, timing, to }: Block,
  { isVtt, isOwn }: { isVtt: boolean; isOwn: boolean },
): Cue | Refusal | undefined {
  if (timing === undefined) return isVtt ? undefined : { ok: false, reason: 'no-time', line: from + 1 };
  const [, first = '', last = ''] = (isVtt ? vttTiming : srtTiming).exec((lines[timing] ?? '').trim()) ?? [];
  const [start, end] = [secondsOf(first), secondsOf(last)];
  if (first === '') return { ok: false, reason: 'not-a-time', line: timing + 1 };
  if (end <= start && !isOwn) return { ok: false, reason: 'ends-before-start', line: timing + 1 };
  const texts = lines.slice(timing + 1, to);
  const text = decodeHTML(isOwn ? texts.join('\n') : withoutTags(texts, isVtt))
    .replaceAll('\u00A0', ' ')
    .trim();
  if ([...text].length > cueTextLength) return { ok: false, reason: 'too-long', line: timing + 2 };
  return text === '' ? undefined : { start, end, text };
}

/** In SubRip a “<” may be text, and lines may begin with a position such as `{\\an8}`. */
function withoutTags(lines: string[], isVtt: boolean): string {
  const text = lines
    .map((line) => (isVtt ? line : line.trim().replace(/^(?:\{\\[^{}]*\})+/, '')).trim())
    .filter((line) => line !== '')
    .join(' ');
  return text.replaceAll(isVtt ? /<[^>]*(?:>|$)/g : /<\/?(?:[bisu]|font)(?:[ \t][^<>]*)?>/gi, '');
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
  const texts = textLines(lines);
  return Array.isArray(texts) ? spread(texts, duration) : texts;
}

function textLines(lines: string[]): string[] | Refusal {
  const texts: string[] = [];
  for (const [index, line] of lines.entries())
    for (const text of sentencesOf(line.trim())) {
      if (text.length > cueTextLength) return { ok: false, reason: 'too-long', line: index + 1 };
      texts.push(text);
    }
  return texts;
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
