import { eq } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { transcripts } from './tables.ts';

/** One line of a transcript; times are seconds from the beginning of the audio. */
export type Cue = { start: number; end: number; text: string };

export type Transcript = { language: string; cues: Cue[] };

/** The caller checks the right to hear the audio first (product.md, "Settled in detail"). */
export async function findTranscript(db: Db, audioId: string): Promise<Transcript | undefined> {
  const [row] = await db
    .select({ language: transcripts.language, cues: transcripts.cues })
    .from(transcripts)
    .where(eq(transcripts.audioId, audioId));
  return row;
}

const vttTime = String.raw`((?:\d{2,}:)?\d\d:\d\d\.\d{3})`;
const vttTiming = new RegExp(`^${vttTime}[ \\t]+-->[ \\t]+${vttTime}(?:[ \\t]|$)`);
const vttEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

/** The cues of a WebVTT file (https://www.w3.org/TR/webvtt1/), without styles and spans; undefined for other files. */
export function parseVtt(file: string): Cue[] | undefined {
  const [head = '', ...blocks] = file
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n{2,}/);
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(head)) return undefined;
  const cues: Cue[] = [];
  for (const block of blocks) {
    const lines = block.split('\n').filter((line) => line !== '');
    // A cue may have an identifier before its times; notes, styles and regions have no times.
    const at = lines.findIndex((line) => line.includes('-->'));
    if (at === -1) continue;
    const [, from = '', to = ''] = vttTiming.exec(lines[at] ?? '') ?? [];
    const [start, end] = [secondsOf(from), secondsOf(to)];
    if (from === '' || end <= start) return undefined;
    const text = lines
      .slice(at + 1)
      .join(' ')
      .replaceAll(/<[^<>]*>/g, '')
      .replaceAll(/&(\w+);/g, (whole, name: string) => vttEntities[name] ?? whole)
      .trim();
    if (text !== '') cues.push({ start, end, text });
  }
  return cues;
}

function secondsOf(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
