/** Seconds. */
export const maxClipSeconds = 60;
export const minClipSeconds = 1;

/** A clip's link works for so long, and anew when somebody chooses the same seconds. */
export const clipDays = 365;

/** A part of an audio, in seconds. */
export type ClipRange = { start: number; end: number };

/** Moves the start; the end follows where the clip would be too long or too short. */
export function withStart({ end }: ClipRange, to: number, duration: number): ClipRange {
  const start = within(to, 0, duration - minClipSeconds);
  return { start, end: within(end, start + minClipSeconds, Math.min(duration, start + maxClipSeconds)) };
}

/** Moves the end; the start follows in the same way. */
export function withEnd({ start }: ClipRange, to: number, duration: number): ClipRange {
  const end = within(to, minClipSeconds, duration);
  return { start: within(start, Math.max(0, end - maxClipSeconds), end - minClipSeconds), end };
}

/** The seconds of a long audio that are shown around a clip, so that its ends can be told apart: two minutes of it. */
export function windowAround({ start, end }: ClipRange, duration: number): ClipRange {
  const shown = 2 * maxClipSeconds;
  if (duration <= shown) return { start: 0, end: duration };
  const from = within((start + end - shown) / 2, 0, duration - shown);
  return { start: from, end: from + shown };
}

/** Characters that fit beside the picture. */
const quoteLength = 180;

/** The lines that are said in it, those at its ends by their larger part. */
export function quoteOf(
  cues: readonly { start: number; end: number; text: string }[],
  { start, end }: ClipRange,
): string {
  const said = cues.filter((cue) => (cue.start + cue.end) / 2 >= start && (cue.start + cue.end) / 2 <= end);
  const text = said.map((cue) => cue.text).join(' ');
  if (text.length <= quoteLength) return text;
  return `${text.slice(0, text.lastIndexOf(' ', quoteLength)).replace(/[\s,;:.–-]+$/, '')}…`;
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
