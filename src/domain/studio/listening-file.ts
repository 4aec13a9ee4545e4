import { basename } from 'node:path';
import type { Blobs, SoundEngine, SoundFile } from '../gateways.ts';
import { keepSound, originalKey, soundKey } from './keep-files.ts';
import { keepProcessed } from './keep-recording.ts';
import type { KeptRecording } from './keep-recording.ts';

export type KeptSound = {
  sound: KeptRecording['sound'];
  /** Undefined for a file that is stored as it came. */
  recording: KeptRecording | undefined;
  /** All blobs of it. */
  keys: string[];
};

/** A local file, processed for listeners. */
export type ListeningFile = {
  /**
   * Stores its files; called again within the transaction that names them.
   * @returns undefined when the file changed since it was read
   */
  keep(): Promise<KeptSound | undefined>;
};

export type CannotBeHeard = { ok: false; reason: 'damaged'; detail: string };

/**
 * Processes a file of the operator; without an encoder, listeners get the original. Accepts silence and short sounds.
 */
export async function withListeningFile<Result>(
  { blobs, engine }: { blobs: Blobs; engine?: SoundEngine | undefined },
  path: string,
  file: SoundFile,
  act: (listening: ListeningFile) => Promise<Result>,
): Promise<Result | CannotBeHeard> {
  const keepAsItIs = async (): Promise<KeptSound | undefined> => {
    if (!(await keepSound(blobs, file, path))) return undefined;
    const { mime: fileMime, bytes: fileBytes, durationMs } = file;
    const sound = { fileKey: soundKey(file), fileMime, fileBytes, durationMs };
    return { sound, recording: undefined, keys: [sound.fileKey] };
  };
  if (engine === undefined) return act({ keep: keepAsItIs });
  const original = { key: originalKey(file), name: basename(path), bytes: file.bytes };
  const outcome = await engine.process({ path }, { isLenient: true }, (processed) =>
    act({
      async keep() {
        if (!(await keepSound(blobs, file, path, original.key))) return undefined;
        const recording = await keepProcessed(blobs, processed, original);
        const { sound, small } = recording;
        return { sound, recording, keys: [sound.fileKey, small.key, original.key] };
      },
    }),
  );
  if (outcome.ok) return outcome.result;
  // Its length was not measured, only read.
  if (outcome.reason === 'engine-missing' && file.endsEarly)
    return { ok: false, reason: 'damaged', detail: 'is damaged: it ends before its sound does' };
  if (outcome.reason === 'engine-missing') return act({ keep: keepAsItIs });
  return { ok: false, reason: 'damaged', detail: outcome.detail };
}
