import { t } from '@lingui/core/macro';
import { type CueFileResult, readCueFile, writeVtt } from '#domain/catalogue/cue-rules.ts';
import { type Cue, maxCues } from '#domain/catalogue/rules.ts';
import { formatCount } from '#formats/numbers.ts';

/** For the field of the browser's own. */
export const cueFileTypes = '.vtt,.srt,.txt,text/vtt,text/plain,application/x-subrip';

/** Maximum bytes of a transcript file; the longest have some hundred thousand. */
const maxFileBytes = 4 * 1024 * 1024;

/** @param duration seconds @returns why the file is refused, or its lines */
export async function readCues(file: File, duration: number): Promise<Extract<CueFileResult, { ok: true }> | string> {
  const { name } = file;
  if (file.size > maxFileBytes) return t`${name} is larger than 4 MB. A transcript is a text file.`;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return t`${name} is not UTF-8 text. Save it as UTF-8, and import it again.`;
  }
  const read = readCueFile(text, duration);
  return read.ok ? read : refusals[read.reason](name, formatCount(read.line));
}

const refusals: Record<Extract<CueFileResult, { ok: false }>['reason'], (name: string, line: string) => string> = {
  empty: (name) => t`${name} has no lines.`,
  'not-text': (name, line) => t`${name} is not plain text (line ${line}).`,
  'no-time': (name, line) => t`${name} cannot be read: line ${line} has no times above it.`,
  'not-a-time': (name, line) =>
    t`${name} cannot be read: line ${line} is not two times such as 00:01.000 --> 00:02.500.`,
  'ends-before-start': (name, line) => t`${name} cannot be read: line ${line} ends before it starts.`,
  'too-long': (name, line) => t`${name} cannot be read: the text at line ${line} is longer than 1,000 characters.`,
  'too-many': (name) => t`${name} has more than ${{ max: formatCount(maxCues) }} lines.`,
};

export function downloadCues(cues: Cue[], name = 'transcript.vtt'): void {
  const address = URL.createObjectURL(new Blob([writeVtt(cues)], { type: 'text/vtt' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // Safari reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
