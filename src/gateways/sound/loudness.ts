import { FilterAPI } from 'node-av/api';
import type { Frame } from 'node-av/lib';
import type { Peaks } from './peaks.ts';
import type { Source } from './source.ts';

/**
 * One format for everything: listeners get stereo, in which a mono recording keeps its loudness. A constant offset is
 * inaudible, but the limiter would lower the sound for it.
 */
export const stereo = 'aresample=48000,aformat=sample_fmts=dbl:channel_layouts=stereo,highpass=f=15';

/** EBU R128 treats anything quieter as silence (EBU Tech 3341, absolute gate). */
export const silence = -69;

export type Loudness = {
  /** LUFS. */
  integrated: number;
  /** dBTP. */
  truePeak: number;
};

/** Reads a source to its end. @param peaks is filled while reading */
export async function measureLoudness(
  source: Source,
  onProgress: (seconds: number) => void,
  peaks?: Peaks,
): Promise<Loudness> {
  using filter = FilterAPI.create(`${stereo},ebur128=peak=true:metadata=1:framelog=quiet`, { threads: 1 });
  let integrated = -70;
  let truePeak = 0;
  function take(frame: Frame): void {
    const data = frame.data?.[0];
    if (data !== undefined && peaks !== undefined)
      peaks.add(new Float64Array(data.buffer, data.byteOffset, frame.nbSamples * 2), 2);
    const metadata = frame.getMetadata();
    integrated = Number(metadata.get('lavfi.r128.I') ?? integrated);
    truePeak = Number(metadata.get('lavfi.r128.true_peak') ?? truePeak);
    metadata.free();
    frame.free();
  }
  for await (const frame of source.frames()) {
    for (const measured of filter.processAllSync(frame)) take(measured);
    onProgress(source.seconds());
  }
  for (const measured of filter.flushFramesSync()) take(measured);
  return { integrated, truePeak: truePeak > 0 ? 20 * Math.log10(truePeak) : -120 };
}
