import { basename } from 'node:path';
import { type SyntheticVoice, digitalSourceOf } from '../../catalogue/rules.ts';
import type { SoundEngine, SoundFile } from '../../gateways.ts';
import type { FileTools } from '../../stored-files.ts';
import { keepSound, originalKey, soundKey } from './keep-files.ts';
import { type KeptRecording, keepProcessed } from './keep-recording.ts';

export type KeptSound = {
  sound: KeptRecording['sound'];
  /** Undefined for a file that is stored as it came. */
  recording: KeptRecording | undefined;
};

/** A local file, processed for listeners. */
export type ListeningFile = {
  /** Stores its files. @returns undefined when the file changed since it was read */
  keep(): Promise<KeptSound | undefined>;
};

export type CannotBeHeard = { ok: false; reason: 'damaged'; detail: string };

/**
 * Processes a file of the operator; without an encoder, listeners get the original. Accepts silence and short sounds.
 */
export async function withListeningFile<Result>(
  { engine, ...tools }: FileTools & { engine?: SoundEngine | undefined },
  path: string,
  file: SoundFile,
  act: (listening: ListeningFile) => Promise<Result>,
  taggedAs: SyntheticVoice = 'none',
): Promise<Result | CannotBeHeard> {
  const keepAsItIs = async (): Promise<KeptSound | undefined> => {
    if (!(await keepSound(tools, file, path))) return undefined;
    const { mime: fileMime, bytes: fileBytes, durationMs } = file;
    const sound = { fileKey: soundKey(file), fileMime, fileBytes, durationMs };
    return { sound, recording: undefined };
  };
  if (engine === undefined) return act({ keep: keepAsItIs });
  const original = { key: originalKey(file), name: basename(path), bytes: file.bytes, taggedAs };
  const work = { isLenient: true, comment: digitalSourceOf[taggedAs] };
  const outcome = await engine.process({ path }, work, (processed) =>
    act({
      async keep() {
        if (!(await keepSound(tools, file, path, original.key))) return undefined;
        const recording = await keepProcessed(tools, processed, original);
        return { sound: recording.sound, recording };
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
