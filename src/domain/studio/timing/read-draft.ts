import { cueTextLength, maxScriptLines } from '../../catalogue/rules.ts';
import type { LineTime } from '../../gateways.ts';
import { compose, dropUnwanted, isVisible } from '../../kernel/rules.ts';

type Segment = { start: number; end: number; text: string };

const hundredths = (seconds: number) => Math.round(seconds * 100) / 100;

/**
 * Makes lines of a transcript from what a speech service heard: in order, without overlaps, within the recording, and
 * all to be checked.
 * @param duration seconds of the recording
 */
export function readDraft(segments: Segment[], duration: number): { lines: string[]; times: LineTime[] } {
  const [lines, times]: [string[], LineTime[]] = [[], []];
  let before = 0;
  for (const segment of segments.toSorted((one, other) => one.start - other.start)) {
    const text = lineOf(segment.text);
    const start = hundredths(Math.max(before, segment.start));
    const end = hundredths(Math.min(duration, segment.end));
    if (!isVisible(text) || !(end > start) || lines.length >= maxScriptLines) continue;
    lines.push(text);
    times.push({ start, end, certainty: 'check' });
    before = end;
  }
  return { lines, times };
}

/** The answer of another machine: one line without control characters. */
function lineOf(text: string): string {
  const line = compose(dropUnwanted(text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' '))).trim();
  return [...line].slice(0, cueTextLength).join('');
}
