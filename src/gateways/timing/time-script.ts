import { FilterAPI } from 'node-av/api';
import type { Frame } from 'node-av/lib';
import { spread } from '#domain/catalogue/cue-rules.ts';
import type { LineTime, Script } from '#domain/gateways.ts';
import type { Source } from '../sound/source.ts';
import type { CpuBudget } from './cpu-budget.ts';
import { createFeatures, rate } from './features.ts';
import { speakLines } from './speak-lines.ts';
import { timeLines } from './time-lines.ts';

/** Parts of the work until the lines are spoken, and until the recording is read. */
const [spoken, read] = [0.4, 0.9];

/** @param work.onProgress gets parts of the work, from 0 to 1 */
export async function timeScript(
  source: Source,
  { lines, language }: Script,
  { budget, onProgress }: { budget: CpuBudget; onProgress: (part: number) => void },
): Promise<LineTime[]> {
  const voice = await speakLines(lines, language, { budget, onProgress: (part) => onProgress(part * spoken) });
  const features = createFeatures();
  using filter = FilterAPI.create(`aresample=${rate},aformat=sample_fmts=flt:channel_layouts=mono`, { threads: 1 });
  const take = (frame: Frame) => {
    const data = frame.data?.[0];
    if (data !== undefined) features.add(new Float32Array(data.buffer, data.byteOffset, frame.nbSamples));
    frame.free();
  };
  for await (const frame of source.frames()) {
    for (const resampled of filter.processAllSync(frame)) take(resampled);
    onProgress(spoken + (read - spoken) * Math.min(1, source.seconds() / source.likelySeconds));
  }
  for (const resampled of filter.flushFramesSync()) take(resampled);
  const seconds = Math.floor(source.seconds() * 100) / 100;
  const times = voice === undefined ? [] : timeLines(features.finish(), voice);
  // The last frame reaches over the end.
  for (const time of times) time.end = Math.min(time.end, Math.max(seconds, time.start + 0.01));
  return times.length > 0
    ? times
    : spread(lines, source.seconds()).map(({ start, end }) => ({ start, end, certainty: 'check' }));
}
